// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory_config.h"
#include "core/analysis/memory_needs.h"
#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cairn {
namespace {

constexpr std::uint64_t kMostLayers = 100'000;

/// Fields of models in which some layers keep something else: a recurrent state, or other heads in
/// each layer.
constexpr auto kOtherLayers = std::to_array<std::string_view>(
    {"layers_block_type", "hybrid_override_pattern", "attn_layer_period", "attn_layer_indices",
     "block_types", "block_configs", "ssm_cfg", "state_size", "mamba_d_state", "rwkv_version",
     "layers_block_type.#", "attn_layer_indices.#", "block_types.#", "block_configs.#",
     "global_head_dim", "num_global_key_value_heads"});

/// Models whose older configs do not list their layers: one of so many layers is complete.
struct Pattern {
    std::string_view modelType;
    std::uint64_t period;
};
constexpr auto kPatterns =
    std::to_array<Pattern>({{"gemma2", 2}, {"gemma3", 6}, {"gemma3_text", 6}, {"cohere2", 4}});

struct Layers {
    std::uint64_t full = 0;
    std::uint64_t sliding = 0;
};

/// From the list of the layers' kinds; empty if there is a kind that keeps something else.
std::optional<Layers> listedLayers(const ModelConfig& config, std::uint64_t count) {
    Layers layers;
    const std::vector<std::string> types = config.texts("layer_types");
    for (std::size_t i = 0; i < std::min<std::size_t>(types.size(), count); ++i) {
        if (types[i] == "full_attention") {
            ++layers.full;
        } else if (types[i] == "sliding_attention" || types[i] == "chunked_attention") {
            ++layers.sliding;
        } else {
            return std::nullopt;
        }
    }
    return types.size() < count ? std::nullopt : std::optional(layers);
}

std::optional<Layers> layersOf(const ModelConfig& config, std::uint64_t count, bool hasWindow) {
    if (config.has("layer_types.#")) {
        return listedLayers(config, count);
    }
    if (!hasWindow || config.integer("use_sliding_window").value_or(1) == 0) {
        return Layers{count, 0};
    }
    const std::string type = config.text("model_type").value_or("");
    const auto known = std::ranges::find(kPatterns, type, &Pattern::modelType);
    const auto period = memory::field(config, {"sliding_window_pattern"});
    if (period || known != kPatterns.end()) {
        const std::uint64_t full =
            count / period.value_or(known == kPatterns.end() ? 1 : known->period);
        return Layers{full, count - full};
    }
    if (const auto first = config.integer("max_window_layers"); first && type.starts_with("qwen")) {
        const auto full =
            std::min(count, static_cast<std::uint64_t>(std::max<std::int64_t>(0, *first)));
        return Layers{full, count - full};
    }
    return Layers{0, count};
}

/// Whether the model generates, which only the names of its classes show.
bool generates(const ModelConfig& config) {
    return std::ranges::any_of(config.texts("architectures"), [](const std::string& name) {
        return name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel") ||
               name.ends_with("ForConditionalGeneration");
    });
}

/// Sets what one token takes in one layer; false if the config lacks a field.
bool setHeads(const ModelConfig& config, KvCache& cache) {
    const Sentence bytes = sentence("%1 bytes", cache.elementBytes);
    const auto latent = memory::field(config, {"kv_lora_rank"});
    const auto rope = memory::field(config, {"qk_rope_head_dim"});
    if (latent && rope) {
        cache.kind = "latent";
        cache.bytesPerTokenAndLayer = (*latent + *rope) * cache.elementBytes;
        cache.formula =
            sentence("(kv_lora_rank %1 + qk_rope_head_dim %2) x %3", *latent, *rope, bytes);
        cache.source = "DeepSeek-V2, arXiv:2405.04434, section 2.1";
        return true;
    }
    const auto heads = memory::headsOf(config);
    const auto keyHeads = memory::keyHeadsOf(config);
    const auto size = memory::headSizeOf(config);
    if (!heads || !keyHeads || !size) {
        return false;
    }
    cache.kind = *keyHeads == *heads ? "multi-head"
                 : *keyHeads == 1    ? "multi-query"
                                     : "grouped-query";
    const auto elements = checkedMul(2 * *keyHeads, *size);
    const auto total = elements ? checkedMul(*elements, cache.elementBytes) : std::nullopt;
    if (!total || *total > static_cast<std::uint64_t>(memory::kMost)) {
        return false;
    }
    cache.bytesPerTokenAndLayer = *total;
    cache.formula =
        sentence("2 (key and value) x %1 heads x head size %2 x %3", *keyHeads, *size, bytes);
    cache.source = "transformers, DynamicCache";
    return true;
}

} // namespace

std::uint64_t KvCache::bytes(std::uint64_t tokens) const {
    constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
    const auto all = checkedMul(layers, tokens);
    const auto some = checkedMul(slidingLayers, std::min(tokens, window));
    const auto kept = all && some ? checkedAdd(*all, *some) : std::nullopt;
    return kept ? checkedMul(*kept, bytesPerTokenAndLayer).value_or(kEnd) : kEnd;
}

std::optional<KvCache> kvCacheOf(const ModelConfig& config, std::uint64_t elementBytes,
                                 Sentence& why) {
    if (!generates(config)) {
        why = "KV cache: the config names no class that generates text";
        return std::nullopt;
    }
    if (config.integer("is_encoder_decoder").value_or(0) != 0) {
        why = "KV cache: that of an encoder-decoder also depends on the input's length";
        return std::nullopt;
    }
    const ModelConfig text =
        config.has("text_config.model_type") ? config.part("text_config") : config;
    const bool isOther =
        std::ranges::any_of(kOtherLayers, [&](std::string_view name) { return text.has(name); });
    const auto stored = memory::layersOf(text);
    if (isOther || !stored || *stored > kMostLayers) {
        why = isOther ? Sentence("KV cache: some layers are recurrent, or differ in their heads")
                      : "KV cache: the config does not give the number of layers";
        return std::nullopt;
    }
    const std::uint64_t shared = memory::field(text, {"num_kv_shared_layers"}).value_or(0);
    const auto window = memory::field(text, {"sliding_window", "attention_chunk_size"});
    const auto layers = layersOf(text, *stored - std::min(*stored, shared), window.has_value());
    KvCache cache;
    cache.elementBytes = elementBytes;
    if (!layers || (layers->sliding > 0 && !window) || !setHeads(text, cache)) {
        why =
            layers
                ? Sentence("KV cache: the config does not give the heads, their size or the window")
                : "KV cache: some layers are of a kind that keeps something else";
        return std::nullopt;
    }
    cache.layers = layers->full;
    cache.slidingLayers = layers->sliding;
    cache.window = layers->sliding > 0 ? *window : 0;
    cache.formula = sentence("%1%2", cache.formula,
                             sentence(" x %1 layers", cache.layers + cache.slidingLayers));
    return cache;
}

} // namespace cairn
