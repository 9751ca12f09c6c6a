// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory_needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

std::string decoder(const std::string& more) {
    return R"({"architectures":["XForCausalLM"],"num_hidden_layers":6,"hidden_size":64,)"
           R"("num_attention_heads":8,"max_position_embeddings":128,"vocab_size":100,)"
           R"("intermediate_size":96)" +
           more + "}";
}

std::optional<KvCache> cacheOf(const std::string& json) {
    const auto config = ModelConfig::parse(json);
    EXPECT_TRUE(config);
    Sentence why;
    auto cache = kvCacheOf(*config, 2, why);
    EXPECT_EQ(cache.has_value(), why.empty()) << why.text();
    return cache;
}

TEST(KvCacheOf, Heads) {
    const auto all = cacheOf(decoder(""));
    ASSERT_TRUE(all);
    EXPECT_EQ(all->kind, "multi-head");
    EXPECT_EQ(all->bytesPerToken(), 6U * 2 * 8 * 8 * 2);
    const auto grouped = cacheOf(decoder(R"(,"num_key_value_heads":2,"head_dim":32)"));
    ASSERT_TRUE(grouped);
    EXPECT_EQ(grouped->kind, "grouped-query");
    EXPECT_EQ(grouped->bytesPerToken(), 6U * 2 * 2 * 32 * 2);
    EXPECT_EQ(grouped->bytes(10), 10 * grouped->bytesPerToken());
    const auto latent = cacheOf(decoder(R"(,"kv_lora_rank":16,"qk_rope_head_dim":4)"));
    ASSERT_TRUE(latent);
    EXPECT_EQ(latent->kind, "latent");
    EXPECT_EQ(latent->bytesPerToken(), 6U * (16 + 4) * 2);
}

TEST(KvCacheOf, Windows) {
    const struct {
        const char* fields;
        std::uint64_t full;
        std::uint64_t sliding;
    } cases[] = {
        {R"(,"model_type":"mistral","sliding_window":16)", 0, 6},
        {R"(,"model_type":"mistral","sliding_window":null)", 6, 0},
        {R"(,"model_type":"qwen2","sliding_window":16,"use_sliding_window":false)", 6, 0},
        {R"(,"model_type":"qwen2","sliding_window":16,"use_sliding_window":true,"max_window_layers":4)",
         4, 2},
        {R"(,"model_type":"gemma2","sliding_window":16)", 3, 3},
        {R"(,"model_type":"gemma3_text","sliding_window":16)", 1, 5},
        {R"(,"sliding_window":16,"layer_types":["full_attention","sliding_attention","full_attention",)"
         R"("full_attention","full_attention","sliding_attention"])",
         4, 2},
    };
    for (const auto& each : cases) {
        const auto cache = cacheOf(decoder(each.fields));
        ASSERT_TRUE(cache) << each.fields;
        EXPECT_EQ(cache->layers, each.full) << each.fields;
        EXPECT_EQ(cache->slidingLayers, each.sliding) << each.fields;
        EXPECT_EQ(cache->bytes(100), (each.full * 100 + each.sliding * 16) * 2 * 8 * 8 * 2);
    }
}

TEST(KvCacheOf, ModelsWithoutOne) {
    for (const std::string& json :
         {std::string("{}"),
          std::string(R"({"architectures":["BertModel"],"num_hidden_layers":2})"),
          std::string(R"({"architectures":["XForCausalLM"]})"),
          decoder(R"(,"is_encoder_decoder":true)"), decoder(R"(,"layers_block_type":["mamba"])"),
          decoder(R"(,"layer_types":["linear_attention"])"),
          decoder(R"(,"num_hidden_layers":900000000000)"),
          decoder(R"(,"head_dim":-1,"hidden_size":63)"),
          decoder(R"(,"num_key_value_heads":1000000000000,"head_dim":1000000000000)")}) {
        EXPECT_FALSE(cacheOf(json)) << json;
    }
}

TEST(KvCacheOf, TextConfigsOfModelsWithSeveralParts) {
    const auto cache =
        cacheOf(R"({"architectures":["XForConditionalGeneration"],"text_config":{"model_type":"x",)"
                R"("num_hidden_layers":2,"num_attention_heads":4,"head_dim":8},)"
                R"("vision_config":{"num_hidden_layers":9}})");
    ASSERT_TRUE(cache);
    EXPECT_EQ(cache->bytesPerToken(), 2U * 2 * 4 * 8 * 2);
}

CheckpointPtr model(Dtype dtype) {
    CheckpointData data;
    const auto add = [&](const std::string& name, Shape shape, Role role) {
        TensorEntry entry;
        entry.name = name;
        entry.dtype = dtype;
        entry.shape = std::move(shape);
        entry.role = role;
        data.tensors.push_back(std::move(entry));
    };
    add("w", Shape{100, 50}, Role::Weight);
    add("b", Shape{50}, Role::Weight);
    add("tied", Shape{100, 50}, Role::Weight);
    data.tensors.back().aliasOf = TensorIndex(0);
    add("buffer", Shape{10}, Role::Buffer);
    add("w.exp_avg", Shape{100, 50}, Role::Optimizer);
    add("module.w", Shape{100, 50}, Role::Weight); // DeepSpeed's copy
    return Checkpoint::make(std::move(data));
}

TEST(MemoryNeedsOf, TrainingByOptimizer) {
    const MemoryNeeds needs = memoryNeeds(*model(Dtype::Float32), nullptr);
    EXPECT_EQ(needs.parameters, 5050U);
    EXPECT_EQ(needs.weightBytes, 4U * (5050 + 10 + 5000));
    EXPECT_EQ(needs.optimizerBytes, 4U * 5000);
    const auto states = [&](std::string_view optimizer, std::string_view precision) {
        const auto found = std::ranges::find_if(needs.training, [&](const TrainingMemory& each) {
            return each.optimizer == optimizer && each.precision == precision;
        });
        EXPECT_NE(found, needs.training.end());
        return found->states;
    };
    EXPECT_EQ(states("AdamW", "float32"), 8U * 5050 + 2 * 4);
    EXPECT_EQ(states("AdamW", "bfloat16 with float32 copies"), 12U * 5050 + 2 * 4);
    EXPECT_EQ(states("SGD with momentum", "float32"), 4U * 5050);
    EXPECT_EQ(states("Adafactor", "float32"), 4U * (100 + 50 + 50) + 2 * 4);
    EXPECT_EQ(states("AdamW 8-bit", "bfloat16"), 2U * 5000 + 8 * 20 + 8 * 50);
    EXPECT_FALSE(needs.kvCache);
    EXPECT_EQ(needs.missing.size(), 1U);
}

TEST(MemoryNeedsOf, QuantisedWeightsAreNotParameters) {
    const MemoryNeeds needs = memoryNeeds(*model(Dtype::Uint8), nullptr);
    EXPECT_EQ(needs.parameters, 0U);
    EXPECT_TRUE(needs.training.empty());
    EXPECT_EQ(needs.weightBytes, 5050U + 10 + 5000);
}

TEST(MemoryNeedsOf, ActivationsAndCacheFollowTheConfig) {
    const auto config = ModelConfig::parse(decoder(""));
    ASSERT_TRUE(config);
    const MemoryNeeds needs = memoryNeeds(*model(Dtype::Float32), &*config);
    ASSERT_TRUE(needs.activations);
    const std::uint64_t layer = 128U * 2 * (4 * 64 + 2 * 64 + 2 * 64 + 2 * 96);
    const std::uint64_t logits = 128U * 100 * 4;
    EXPECT_EQ(needs.activations->all, 6 * layer + logits);
    EXPECT_EQ(needs.activations->checkpointed, 6U * 128 * 2 * 64 + layer + logits);
    ASSERT_TRUE(needs.kvCache);
    EXPECT_EQ(needs.kvCache->elementBytes, 4U);
    EXPECT_EQ(needs.contextTokens, 128U);
}

TEST(MemoryNeedsOf, SizesThatOverflowSaturate) {
    CheckpointData data;
    TensorEntry entry;
    entry.name = "w";
    entry.shape = Shape{std::int64_t{1} << 31U, std::int64_t{1} << 29U};
    entry.role = Role::Weight;
    data.tensors.push_back(entry);
    const MemoryNeeds needs = memoryNeeds(*Checkpoint::make(std::move(data)), nullptr);
    ASSERT_FALSE(needs.training.empty());
    EXPECT_EQ(needs.training[0].states, (std::uint64_t{8} << 60U) + 4);
    EXPECT_EQ(needs.training[1].total(), std::numeric_limits<std::uint64_t>::max());
}

} // namespace
} // namespace cairn
