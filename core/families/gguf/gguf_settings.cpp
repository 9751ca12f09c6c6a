// SPDX-License-Identifier: Apache-2.0
//
// What a config says, under llama.cpp's keys. Fields of the rotary embedding are those of
// `rope_parameters` (transformers 5) or `rope_scaling` and `rope_theta` (before), for the layers
// with full attention if there are two kinds.
#include "core/families/gguf/gguf_settings.h"

#include "core/families/config/words.h"
#include "core/families/names/framework.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

using SettingKind = ConfigRow::Kind;

/// Integers and flags of a class without the field in its config. `value` is an Expression.
struct DefaultRow {
    std::string_view families; ///< words; empty: all
    std::string_view field;
    std::string_view value;
};
constexpr auto kDefaults = std::to_array<DefaultRow>({
    {"gpt2", "hidden_size", "n_embd"},
    {"gpt2", "num_hidden_layers", "n_layer"},
    {"gpt2", "num_attention_heads", "n_head"},
    {"gpt2", "max_position_embeddings", "n_ctx"},
    {"gpt2", "max_position_embeddings", "n_positions"},
    {"gpt2", "max_position_embeddings", "1024"},
    {"gpt2", "intermediate_size", "n_inner"},
    {"gpt2", "intermediate_size", "4*hidden_size"},
    {"llama phi3", "num_key_value_heads", "num_attention_heads"},
    {"mistral mixtral", "num_key_value_heads", "8"},
    {"qwen2 qwen3", "num_key_value_heads", "32"},
    {"gemma2 gemma3_text", "num_key_value_heads", "4"},
    {"llama mistral", "head_dim", "hidden_size/num_attention_heads"},
    {"qwen3", "head_dim", "128"},
    {"gemma2 gemma3_text", "head_dim", "256"},
    {"llama", "max_position_embeddings", "2048"},
    {"mistral mixtral gemma3_text", "max_position_embeddings", "131072"},
    {"qwen2 qwen3", "max_position_embeddings", "32768"},
    {"gemma2", "max_position_embeddings", "8192"},
    {"phi3", "max_position_embeddings", "4096"},
    {"phi3", "original_max_position_embeddings", "4096"},
    {"mixtral", "num_local_experts", "8"},
    {"mixtral", "num_experts_per_tok", "2"},
    {"gemma2 gemma3_text", "sliding_window", "4096"},
    {"gemma2 gemma3_text", "query_pre_attn_scalar", "256"},
    {"gemma2 gemma3_text gpt2", "tie_word_embeddings", "1"},
    {"", "tie_word_embeddings", "0"},
});

constexpr std::string_view kSizes =
    "vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads";

/// What the graph of llama.cpp does not compute, or computes in one way only.
constexpr auto kUnlikeLlamaCpp = std::to_array<RefusedSetting>({
    {"", "is(rope_type,dynamic) or is(rope_type,proportional)",
     "llama.cpp has no rotary scaling of this kind"},
    {"qwen2 qwen3 gemma2 gemma3_text phi3", "is(rope_type,llama3)",
     "llama.cpp scales rotary frequencies this way for Llama's architecture only"},
    {"llama mistral mixtral qwen2 qwen3 gemma2 gemma3_text",
     "is(rope_type,longrope) or is(rope_type,su)",
     "llama.cpp has long and short rotary factors for Phi-3 only"},
    {"phi3", "is(rope_type,linear) or is(rope_type,yarn)",
     "llama.cpp's metadata for Phi-3 have no rotary scaling of this kind"},
    {"gemma2", "is(rope_type,linear) or is(rope_type,yarn)",
     "llama.cpp's metadata for Gemma 2 have no rotary scaling"},
    {"", "is(rope_type,yarn) and (has(mscale) or has(mscale_all_dim))",
     "llama.cpp has no mscale for these architectures"},
    {"llama mistral mixtral qwen2 qwen3 gemma2 gemma3_text", "has(partial_rotary_factor)",
     "llama.cpp rotates all of a head for this architecture"},
    {"gemma2", "not has(attn_logit_softcapping) or not has(final_logit_softcapping)",
     "llama.cpp always caps the logits of Gemma 2; the config does not"},
    {"gemma3_text", "has(attn_logit_softcapping)",
     "llama.cpp does not cap the attention logits of Gemma 3"},
    {"gemma2",
     "query_pre_attn_scalar!=head_dim and not "
     "(num_hidden_layers==46 and query_pre_attn_scalar*num_attention_heads==hidden_size)",
     "llama.cpp scales the attention of Gemma by head_dim, the config by another number"},
    {"gemma3_text",
     "query_pre_attn_scalar!=head_dim and not "
     "(num_hidden_layers==62 and query_pre_attn_scalar*num_attention_heads==hidden_size)",
     "llama.cpp scales the attention of Gemma by head_dim, the config by another number"},
    {"gemma3_text gemma2", "has(use_bidirectional_attention) and use_bidirectional_attention",
     "llama.cpp computes causal attention for this architecture"},
    {"gpt2", "has(scale_attn_by_inverse_layer_idx) and scale_attn_by_inverse_layer_idx",
     "llama.cpp does not scale GPT-2's attention by the layer"},
    {"gpt2", "has(scale_attn_weights) and not scale_attn_weights",
     "llama.cpp always scales GPT-2's attention"},
    {"gpt2", "has(add_cross_attention) and add_cross_attention",
     "llama.cpp has no cross-attention for GPT-2"},
    {"", "has(is_causal) and not is_causal", "llama.cpp computes causal attention for this class"},
    {"", "has(quantization_config.quant_method)",
     "The config records a quantisation; llama.cpp's blocks are others"},
});

/// What llama.cpp leaves out, with an effect on long texts only.
constexpr auto kWarned = std::to_array<RefusedSetting>({
    {"mistral mixtral", "has(sliding_window) and sliding_window<max_position_embeddings",
     "llama.cpp attends to the entire context for this architecture, the config to a sliding "
     "window: longer texts give other logits"},
    {"qwen2 qwen3", "has(use_sliding_window) and use_sliding_window",
     "llama.cpp attends to the entire context for this architecture, the config to a sliding "
     "window: longer texts give other logits"},
});

/// Keys below the architecture. Of several rows for a key, the first that can be computed. Numbers:
/// names of fields, or a number.
constexpr std::string_view kLlamaTypes = "llama mistral mixtral";
constexpr std::string_view kPlainTypes = "llama mistral mixtral qwen2 qwen3 gemma3_text";
constexpr std::string_view kSmallEps = "llama mistral qwen2 qwen3 gemma2 gemma3_text";
constexpr auto kKeys = std::to_array<ConfigRow>({
    {"", "block_count", SettingKind::Integer, "num_hidden_layers"},
    {"", "context_length", SettingKind::Integer, "max_position_embeddings"},
    {"", "embedding_length", SettingKind::Integer, "hidden_size"},
    {"", "feed_forward_length", SettingKind::Integer, "intermediate_size"},
    {"", "attention.head_count", SettingKind::Integer, "num_attention_heads"},
    {"llama mistral mixtral qwen2 qwen3 gemma2 gemma3_text phi3", "attention.head_count_kv",
     SettingKind::Integer, "num_key_value_heads"},
    {kSmallEps, "attention.layer_norm_rms_epsilon", SettingKind::Number, "rms_norm_eps 1e-6"},
    {"mixtral phi3", "attention.layer_norm_rms_epsilon", SettingKind::Number, "rms_norm_eps 1e-5"},
    {"gpt2", "attention.layer_norm_epsilon", SettingKind::Number, "layer_norm_epsilon 1e-5"},
    {"llama mistral qwen2 qwen3 phi3", "rope.freq_base", SettingKind::Number, "rope_theta 10000"},
    {"mixtral gemma3_text", "rope.freq_base", SettingKind::Number, "rope_theta 1000000"},
    {"gemma3_text", "rope.freq_base_swa", SettingKind::Number,
     "sliding_attention.rope_theta rope_local_base_freq 10000"},
    {"llama mistral mixtral qwen3 gemma2 gemma3_text", "attention.key_length", SettingKind::Integer,
     "head_dim"},
    {"llama mistral mixtral qwen3 gemma2 gemma3_text", "attention.value_length",
     SettingKind::Integer, "head_dim"},
    {"qwen2", "attention.key_length", SettingKind::Integer, "head_dim"},
    {"qwen2", "attention.value_length", SettingKind::Integer, "head_dim"},
    {kLlamaTypes, "vocab_size", SettingKind::Integer, "vocab_size"},
    {kLlamaTypes, "rope.dimension_count", SettingKind::Integer, "head_dim"},
    {kLlamaTypes, "rope.dimension_count", SettingKind::Integer, "hidden_size/num_attention_heads"},
    {"mixtral", "expert_count", SettingKind::Integer, "num_local_experts"},
    {"mixtral", "expert_used_count", SettingKind::Integer, "num_experts_per_tok"},
    {"gemma2", "attn_logit_softcapping", SettingKind::Number, "attn_logit_softcapping"},
    {"gemma2", "final_logit_softcapping", SettingKind::Number, "final_logit_softcapping"},
    {"gemma3_text", "final_logit_softcapping", SettingKind::Number, "final_logit_softcapping"},
    {"gemma2 gemma3_text phi3", "attention.sliding_window", SettingKind::Integer, "sliding_window"},
    {"phi3", "attention.sliding_window", SettingKind::Integer, "0"},
    {"phi3", "rope.scaling.original_context_length", SettingKind::Integer,
     "original_max_position_embeddings"},
});

/// Keys of a kind of rotary scaling.
constexpr auto kScaling = std::to_array<ConfigRow>({
    {"linear", "rope.scaling.type", SettingKind::Text, "linear"},
    {"yarn", "rope.scaling.type", SettingKind::Text, "yarn"},
    {"linear yarn", "rope.scaling.factor", SettingKind::Number, "factor"},
    {"yarn", "rope.scaling.original_context_length", SettingKind::Integer,
     "original_max_position_embeddings"},
    {"yarn", "rope.scaling.yarn_ext_factor", SettingKind::Number, "extrapolation_factor"},
    {"yarn", "rope.scaling.yarn_attn_factor", SettingKind::Number, "attention_factor attn_factor"},
    {"yarn", "rope.scaling.yarn_beta_fast", SettingKind::Number, "beta_fast"},
    {"yarn", "rope.scaling.yarn_beta_slow", SettingKind::Number, "beta_slow"},
});

std::optional<Value> valueOf(const ConfigRow& row, const ModelConfig& config) {
    if (row.kind == SettingKind::Text) {
        return Value(row.value);
    }
    if (row.kind == SettingKind::Number) {
        const auto number = ggufNumber(row.value, config);
        return number ? std::optional(Value(static_cast<double>(static_cast<float>(*number))))
                      : std::nullopt;
    }
    const auto expression = Expression::parse(row.value);
    const auto integer =
        expression ? expression->evaluate(config) : Result<std::int64_t>(expression.error());
    return integer ? std::optional(Value(*integer)) : std::nullopt;
}

void addRows(std::span<const ConfigRow> rows, std::string_view chosen, const GgufFamily& family,
             const ModelConfig& config, std::vector<ValueItem>& out) {
    for (const ConfigRow& row : rows) {
        const std::string key = std::string(family.architecture) + "." + std::string(row.field);
        const bool known = std::ranges::any_of(
            out, [&](const ValueItem& item) { return *item.key.asString() == key; });
        auto value = known || !isFor(row.families, chosen) ? std::nullopt : valueOf(row, config);
        if (value) {
            out.push_back({Value(key), std::move(*value)});
        }
    }
}

/// Layers alternate in the order that llama.cpp has for the architecture.
Result<void> checkLayerTypes(const GgufFamily& family, const ModelConfig& config) {
    const std::int64_t period = family.type == "gemma2" ? 2 : family.type == "gemma3_text" ? 6 : 0;
    const std::vector<std::string> types = config.texts("layer_types");
    for (std::size_t i = 0; period > 0 && i < types.size(); ++i) {
        const bool isFull = (i + 1) % static_cast<std::size_t>(period) == 0;
        if (types[i] != (isFull ? "full_attention" : "sliding_attention")) {
            return fail(ErrorCode::Unsupported,
                        "llama.cpp has a different order of sliding and full attention")
                .inFile("config.json")
                .inField("layer_types")
                .butFound(sentence("%1 in layer %2", types[i], i))
                .expecting(sentence("full attention in every layer number %1", period));
        }
    }
    const auto pattern = config.integer("sliding_window_pattern");
    if (period > 0 && types.empty() && pattern && *pattern != period) {
        return fail(ErrorCode::Unsupported,
                    "llama.cpp has a different order of sliding and full attention")
            .inFile("config.json")
            .inField("sliding_window_pattern")
            .butFound(verbatim(std::to_string(*pattern)))
            .expecting(verbatim(std::to_string(period)));
    }
    return {};
}

Result<void> checkActivation(const GgufFamily& family, const ModelConfig& config) {
    // Gemma's hidden_act is a remnant that its class ignores.
    const std::string field = family.shiftsNorms      ? "hidden_activation"
                              : family.type == "gpt2" ? "activation_function"
                                                      : "hidden_act";
    const auto activation = config.text(field);
    if (!activation || isWordOf(family.activations, *activation)) {
        return {};
    }
    return fail(ErrorCode::Unsupported,
                "llama.cpp has a different activation function for this architecture")
        .inFile("config.json")
        .inField(field)
        .butFound(verbatim(*activation))
        .expecting(verbatim(std::string(family.activations)));
}

/// Fields of the config that are whole numbers, but may be written as others.
Result<void> makeWhole(ModelConfig& config, const std::string& field) {
    const auto number = config.number(field);
    if (!number || config.integer(field)) {
        return {};
    }
    if (*number != std::floor(*number) || std::abs(*number) > 1e9) {
        return fail(ErrorCode::Unsupported, "llama.cpp needs an integer")
            .inFile("config.json")
            .inField(field);
    }
    config.set(field, static_cast<std::int64_t>(*number));
    return {};
}

/// Applies rows to a family's config; the message of the first whose condition is met.
std::string_view firstMet(std::span<const RefusedSetting> rows, std::string_view family,
                          const ModelConfig& config) {
    for (const RefusedSetting& row : rows) {
        const auto condition = Expression::parse(row.condition);
        const auto met =
            condition ? condition->evaluate(config) : Result<std::int64_t>(condition.error());
        if (isFor(row.families, family) && met && *met != 0) {
            return row.message;
        }
    }
    return {};
}

} // namespace

Result<ModelConfig> ggufSettings(const ModelConfig& config, const GgufFamily& family) {
    ModelConfig settings =
        config.part("rope_scaling").part("rope_parameters").part("full_attention");
    settings.set("model_type", std::string(family.type));
    settings.set("rope_type", ggufRopeType(settings));
    for (const DefaultRow& row : kDefaults) {
        if (!isFor(row.families, family.type) || settings.has(row.field)) {
            continue;
        }
        CAIRN_TRY(const Expression value, Expression::parse(row.value));
        if (const auto number = value.evaluate(settings)) {
            settings.set(row.field, *number);
        }
    }
    for (const std::string_view field : wordsOf(kSizes)) {
        if (settings.integer(field).value_or(0) <= 0) {
            return fail(ErrorCode::NotFound, "The config lacks a size that llama.cpp needs")
                .inFile("config.json")
                .inField(std::string(field));
        }
    }
    CAIRN_CHECK(makeWhole(settings, "query_pre_attn_scalar"));
    if (const auto message = firstMet(kUnlikeLlamaCpp, family.type, settings); !message.empty()) {
        return fail(ErrorCode::Unsupported, fixedText(message)).inFile("config.json");
    }
    CAIRN_CHECK(checkActivation(family, settings));
    CAIRN_CHECK(checkLayerTypes(family, settings));
    return settings;
}

Result<void> describeGgufSettings(const GgufFamily& family, const ModelConfig& settings,
                                  GgufDescription& description) {
    addRows(kKeys, family.type, family, settings, description.metadata);
    const std::string rope = ggufRopeType(settings);
    if (isWordOf(kPlainTypes, family.type)) {
        addRows(kScaling, rope, family, settings, description.metadata);
    }
    CAIRN_CHECK(describeGgufRope(family, settings, description));
    if (const auto message = firstMet(kWarned, family.type, settings); !message.empty()) {
        description.warnings.push_back(fixedText(message));
    }
    return {};
}

} // namespace cairn
