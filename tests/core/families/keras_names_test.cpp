// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/keras_names.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace cairn {
namespace {

/// "PUBLISHED | OPERATIONS" of each.
std::vector<std::string> publishedAs(const std::vector<std::string_view>& names,
                                     const std::vector<std::size_t>& ranks) {
    std::vector<std::string> made;
    for (const KerasName& each : publishedKerasNames(names, ranks)) {
        made.push_back(each.published + " | " + each.operations);
    }
    return made;
}

using Texts = std::vector<std::string>;

TEST(KerasNames, AreThoseOfTheClass) {
    EXPECT_EQ(publishedAs({"bert/encoder/layer_._0/attention/self/query/kernel:0",
                           "bert/embeddings/LayerNorm/gamma:0", "bert/embeddings/LayerNorm/beta:0",
                           "bert/embeddings/position_embeddings/embeddings:0",
                           "mlm___cls/predictions/transform/dense/kernel:0", "logits_bias:0"},
                          {2, 1, 1, 2, 2, 1}),
              (Texts{"bert.encoder.layer.0.attention.self.query.weight | swap 0 1",
                     "bert.embeddings.LayerNorm.weight | ", "bert.embeddings.LayerNorm.bias | ",
                     "bert.embeddings.position_embeddings.weight | ",
                     "cls.predictions.transform.dense.weight | swap 0 1", "logits_bias | "}));
}

TEST(KerasNames, OfOneFileHaveTheLayerAndTheModelInFront) {
    EXPECT_EQ(publishedAs({"vit/tf_vit/vit/embeddings/projection/kernel:0",
                           "classifier/tf_vit/classifier/kernel:0",
                           "top_level_model_weights/tf_vit/scale:0"},
                          {4, 2, 1}),
              (Texts{"vit.embeddings.projection.weight | swap 0 3; swap 1 2; swap 2 3",
                     "classifier.weight | swap 0 1", "scale | "}));
    EXPECT_EQ(publishedAs({"vit/other/kernel:0", "vit/other/bias:0"}, {3, 1}),
              (Texts{"vit.other.weight | swap 0 2", "vit.other.bias | "}));
}

TEST(KerasNames, OthersHaveNone) {
    EXPECT_TRUE(publishedAs({"model.norm.weight"}, {1}).empty());
    EXPECT_TRUE(publishedAs({"a/kernel:0", "b.weight"}, {2, 2}).empty());
    EXPECT_TRUE(publishedAs({"a/depthwise_kernel:0"}, {3}).empty()) << "transposed otherwise";
    EXPECT_TRUE(publishedAs({"a/emb_projs/b:0"}, {2}).empty());
    EXPECT_TRUE(publishedAs({"a:0"}, {1}).empty()) << "not of a layer";
    EXPECT_TRUE(publishedAs({"a/b/kernel:0"}, {5}).empty());
    EXPECT_TRUE(publishedAs({"/:0", "a/b:0"}, {1, 1}).empty());
    EXPECT_TRUE(publishedKerasNames({}, {}).empty());
}

} // namespace
} // namespace cairn
