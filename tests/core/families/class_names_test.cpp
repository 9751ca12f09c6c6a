// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/class_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn {
namespace {

ClassNames namesOf(const std::string& type, const std::string& name) {
    const auto config = ModelConfig::parse(R"({"model_type": ")" + type +
                                           R"(", "architectures": [")" + name + R"("]})");
    return ClassNames::of(*config).value();
}

std::optional<std::string> prefixOf(const ClassNames& names,
                                    const std::vector<std::string_view>& given) {
    return names.prefixOf(given);
}

TEST(ClassNames, AClassAndItsTypeDecideTogether) {
    const auto config =
        ModelConfig::parse(R"({"model_type": "bert", "architectures": ["LlamaForCausalLM"]})");
    EXPECT_FALSE(ClassNames::of(*config));
    EXPECT_FALSE(ClassNames::of(ModelConfig()));
    EXPECT_TRUE(namesOf("llama", "LlamaForCausalLM").knows("model.layers.3.mlp.up_proj.weight"));
    EXPECT_FALSE(namesOf("llama", "LlamaForCausalLM").differInMemory());
    EXPECT_FALSE(namesOf("exaone", "LlamaForCausalLM").knows("model.layers.3.mlp.up_proj.weight"));
    EXPECT_TRUE(namesOf("exaone", "LlamaForCausalLM").differInMemory());
}

TEST(ClassNames, WhatIsInFrontOfAllNames) {
    const ClassNames hubert = namesOf("hubert", "HubertModel");
    EXPECT_EQ(prefixOf(hubert, {"encoder.layers.0.w", "masked_spec_embed"}), "");
    EXPECT_EQ(prefixOf(hubert, {"a.encoder.layers.0.w", "a.masked_spec_embed"}), "a.");
    EXPECT_EQ(prefixOf(hubert, {"a.encoder.layers.0.w", "b.masked_spec_embed"}), std::nullopt);
    EXPECT_EQ(prefixOf(hubert, {"a.encoder.layers.0.w", "a.head.weight"}), std::nullopt);
    EXPECT_EQ(prefixOf(hubert, {}), std::nullopt);
}

TEST(ClassNames, TheTieSaysWhichNameIsPublished) {
    const ClassNames names = namesOf("xlm-roberta", "XLMRobertaForMaskedLM");
    EXPECT_EQ(names.tiedTo("lm_head.decoder.weight"), "roberta.embeddings.word_embeddings.weight");
    EXPECT_EQ(names.tiedTo("roberta.embeddings.word_embeddings.weight"), "");
}

} // namespace
} // namespace cairn
