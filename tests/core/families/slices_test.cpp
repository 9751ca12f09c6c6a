// SPDX-License-Identifier: Apache-2.0
// What the names and shapes of tensor-parallel slices say. tests/interop/test_rank_slices.py joins
// whole models.
#include "core/families/slices/rank_slices.h"
#include "core/families/slices/slice_naming.h"
#include "core/families/slices/slice_shape.h"
#include "tests/core/families/stored_tensors.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using Names = std::vector<std::string>;

SliceNaming namingOf(std::string_view sign, bool shardedState = false) {
    return SliceNaming::of(std::array{sign}, shardedState);
}

TEST(SliceNaming, NamesOfDeepSeek) {
    const SliceNaming naming = namingOf("layers.0.attn.wkv_a.weight");
    EXPECT_EQ(naming.program(), SliceNaming::Program::DeepSeek);
    EXPECT_EQ(naming.published("embed.weight"), Names{"model.embed_tokens.weight"});
    EXPECT_EQ(naming.published("layers.3.attn.wo.scale"),
              Names{"model.layers.3.self_attn.o_proj.weight_scale_inv"});
    EXPECT_EQ(naming.published("layers.3.ffn.gate.bias"),
              Names{"model.layers.3.mlp.gate.e_score_correction_bias"});
    EXPECT_EQ(naming.published("layers.3.ffn.experts.12.w3.weight"),
              Names{"model.layers.3.mlp.experts.12.up_proj.weight"});
    EXPECT_EQ(naming.published("other.weight"), Names{"other.weight"});
    EXPECT_TRUE(naming.keeps("deepseek_v3"));
    EXPECT_FALSE(naming.keeps("llama"));
}

TEST(SliceNaming, NamesOfTensorRtLlm) {
    const SliceNaming naming = namingOf("transformer.layers.0.attention.qkv.weight");
    EXPECT_EQ(naming.program(), SliceNaming::Program::TensorRtLlm);
    EXPECT_EQ(
        naming.published("transformer.layers.1.attention.qkv.weight"),
        (Names{"model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.k_proj.weight",
               "model.layers.1.self_attn.v_proj.weight"}));
    EXPECT_EQ(naming.published("transformer.layers.1.mlp.gate.weight"),
              Names{"model.layers.1.mlp.up_proj.weight"});
    EXPECT_TRUE(naming.keeps("qwen2"));
    EXPECT_FALSE(naming.keeps("deepseek_v3"));
}

TEST(SliceNaming, NamesOfVllmAndOfNone) {
    const SliceNaming vllm = namingOf("model.norm.weight", true);
    EXPECT_EQ(vllm.program(), SliceNaming::Program::Vllm);
    EXPECT_EQ(vllm.published("model.layers.0.mlp.gate_up_proj.weight"),
              (Names{"model.layers.0.mlp.gate_proj.weight", "model.layers.0.mlp.up_proj.weight"}));
    EXPECT_TRUE(vllm.keeps("anything"));
    const SliceNaming none = namingOf("model.norm.weight");
    EXPECT_EQ(none.program(), SliceNaming::Program::None);
    EXPECT_EQ(none.published("model.layers.0.mlp.gate_up_proj.weight"),
              Names{"model.layers.0.mlp.gate_up_proj.weight"});
    EXPECT_TRUE(none.keeps("anything"));
}

TEST(BlockCounts, TheLastBlockIsClipped) {
    EXPECT_EQ(blockCounts({256, 300}, {128, 128}), (Shape{2, 3}));
    EXPECT_EQ(blockCounts({1, 0}, {128, 128}), (Shape{1, 0}));
    EXPECT_EQ(blockCounts({256, 256}, {128, 0}), std::nullopt);
    EXPECT_EQ(blockCounts({256, 256}, {-1, 128}), std::nullopt);
    EXPECT_EQ(blockCounts({256}, {128, 128}), std::nullopt);
}

TEST(RankSlices, ANameIsNotARank) {
    const auto config = ModelConfig::parse(
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4,
            "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
            "num_key_value_heads": 2, "head_dim": 2, "vocab_size": 6})");
    ASSERT_TRUE(config);
    CheckpointData data = checkpointOf({{"model.norm.weight", {2}},
                                        {"rank_4294967295.zz.weight", {2}},
                                        {"rank_0.lm_head.weight", {3, 4}},
                                        {"rank_1.lm_head.weight", {3, 4}}})
                              ->data();
    data.worldSize = 2;
    const auto joined = joinRankSlices(Checkpoint::make(std::move(data)), *config);
    ASSERT_FALSE(joined) << "most of the model is missing";
    EXPECT_EQ(joined.error().code, ErrorCode::BadSlice);
}

TEST(RankSlices, OneRankOfVllmHasFusedLayers) {
    const auto config = ModelConfig::parse(
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4,
            "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
            "num_key_value_heads": 1, "head_dim": 2, "vocab_size": 6,
            "tie_word_embeddings": false})");
    ASSERT_TRUE(config);
    const std::string layer = "model.layers.0.";
    CheckpointData data = checkpointOf({{"model.embed_tokens.weight", {6, 4}},
                                        {"model.norm.weight", {4}},
                                        {"lm_head.weight", {6, 4}},
                                        {layer + "self_attn.qkv_proj.weight", {8, 4}},
                                        {layer + "self_attn.o_proj.weight", {4, 4}},
                                        {layer + "mlp.gate_up_proj.weight", {16, 4}},
                                        {layer + "mlp.down_proj.weight", {4, 8}},
                                        {layer + "input_layernorm.weight", {4}},
                                        {layer + "post_attention_layernorm.weight", {4}}})
                              ->data();
    for (TensorEntry& tensor : data.tensors) {
        tensor.role = Role::Weight;
        tensor.dtype = Dtype::Float8E4m3fn; // floats of one byte
    }
    EXPECT_FALSE(hasFusedLayers(*Checkpoint::make(data))) << "another program's file";
    data.files[0].path = "model-rank-0-part-0.safetensors";
    const CheckpointPtr source = Checkpoint::make(std::move(data));
    EXPECT_FALSE(hasRankTensors(*source));
    EXPECT_TRUE(hasFusedLayers(*source));
    const auto joined = joinRankSlices(source, *config);
    ASSERT_TRUE(joined) << describe(joined.error());
    EXPECT_EQ(joined->joined, 5U);
    EXPECT_EQ(joined->experts, 0U);
    const auto found = [&](const std::string& name) {
        const auto index = joined->checkpoint->find(layer + name);
        return index ? joined->checkpoint->tensor(*index).shape : Shape();
    };
    EXPECT_EQ(found("self_attn.q_proj.weight"), (Shape{4, 4}));
    EXPECT_EQ(found("self_attn.v_proj.weight"), (Shape{2, 4}));
    EXPECT_EQ(found("mlp.up_proj.weight"), (Shape{8, 4}));
    EXPECT_EQ(joined->checkpoint->find(layer + "self_attn.qkv_proj.weight"), std::nullopt);
}

} // namespace
} // namespace cairn
