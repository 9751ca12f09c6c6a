// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework.h"

#include <array>

/// The arguments of Megatron-LM (training/arguments.py) for a model of transformers, which
/// check_checkpoint_args() compares and --use-checkpoint-args takes.
namespace cairn {
namespace {

using ArgKind = ConfigRow::Kind;

constexpr std::string_view kOfGpt2 = "gpt2";
constexpr std::string_view kOfLlama = "llama mistral qwen2 qwen3";
constexpr std::string_view kScaledPositions = "is(rope_scaling.rope_type,llama3)";

constexpr auto kMegatronArgs = std::to_array<ConfigRow>({
    {kOfGpt2, "num_layers", ArgKind::Integer, "n_layer"},
    {kOfGpt2, "hidden_size", ArgKind::Integer, "n_embd"},
    {kOfGpt2, "ffn_hidden_size", ArgKind::Integer, "n_inner"},
    {kOfGpt2, "ffn_hidden_size", ArgKind::Integer, "4*n_embd"},
    {kOfGpt2, "num_attention_heads", ArgKind::Integer, "n_head"},
    {kOfGpt2, "kv_channels", ArgKind::Integer, "n_embd/n_head"},
    {kOfGpt2, "num_query_groups", ArgKind::Integer, "n_head"},
    {kOfGpt2, "group_query_attention", ArgKind::Flag, "0"},
    {kOfGpt2, "max_position_embeddings", ArgKind::Integer, "n_positions"},
    {kOfGpt2, "norm_epsilon", ArgKind::Number, "layer_norm_epsilon"},
    {kOfGpt2, "normalization", ArgKind::Text, "LayerNorm"},
    {kOfGpt2, "position_embedding_type", ArgKind::Text, "learned_absolute"},
    {kOfGpt2, "swiglu", ArgKind::Flag, "0"},
    {kOfGpt2, "add_bias_linear", ArgKind::Flag, "1"},
    {kOfLlama, "num_layers", ArgKind::Integer, "num_hidden_layers"},
    {kOfLlama, "hidden_size", ArgKind::Integer, "hidden_size"},
    {kOfLlama, "ffn_hidden_size", ArgKind::Integer, "intermediate_size"},
    {kOfLlama, "num_attention_heads", ArgKind::Integer, "num_attention_heads"},
    {kOfLlama, "kv_channels", ArgKind::Integer, "head_dim"},
    {kOfLlama, "kv_channels", ArgKind::Integer, "hidden_size/num_attention_heads"},
    {kOfLlama, "num_query_groups", ArgKind::Integer, "num_key_value_heads"},
    {kOfLlama, "num_query_groups", ArgKind::Integer, "num_attention_heads"},
    {kOfLlama, "group_query_attention", ArgKind::Flag,
     "not (num_key_value_heads == num_attention_heads)"},
    {kOfLlama, "group_query_attention", ArgKind::Flag, "0"},
    {kOfLlama, "max_position_embeddings", ArgKind::Integer, "max_position_embeddings"},
    {kOfLlama, "norm_epsilon", ArgKind::Number, "rms_norm_eps"},
    {kOfLlama, "normalization", ArgKind::Text, "RMSNorm"},
    {kOfLlama, "position_embedding_type", ArgKind::Text, "rope"},
    {kOfLlama, "rotary_base", ArgKind::Integer, "rope_theta"},
    {kOfLlama, "rotary_base", ArgKind::Integer, "rope_parameters.rope_theta"},
    {kOfLlama, "rotary_base", ArgKind::Number, "rope_theta rope_parameters.rope_theta"},
    {kOfLlama, "rotary_percent", ArgKind::Number, "partial_rotary_factor"},
    {kOfLlama, "use_rope_scaling", ArgKind::Flag, "1", kScaledPositions},
    {kOfLlama, "rope_scaling_factor", ArgKind::Number, "rope_scaling.factor", kScaledPositions},
    {kOfLlama, "swiglu", ArgKind::Flag, "1"},
    {"llama", "add_bias_linear", ArgKind::Flag, "mlp_bias"},
    {kOfLlama, "add_bias_linear", ArgKind::Flag, "0"},
    {"qwen2", "add_qkv_bias", ArgKind::Flag, "1"},
    {kOfLlama, "add_qkv_bias", ArgKind::Flag, "0"},
    {"qwen3", "qk_layernorm", ArgKind::Flag, "1"},
    {"", "vocab_size", ArgKind::Integer, "vocab_size"},
    {"", "padded_vocab_size", ArgKind::Integer, "vocab_size"},
    {"", "make_vocab_size_divisible_by", ArgKind::Integer, "1"},
    {"", "untie_embeddings_and_output_weights", ArgKind::Flag, "1-tie_word_embeddings"},
});

constexpr auto kMegatronUnstored = std::to_array<RefusedSetting>({
    {"llama", "has(attention_bias) and attention_bias and not (has(mlp_bias) and mlp_bias)",
     "The attention has biases and the feed-forward layers have none; Megatron-core has both or "
     "neither"},
    {"llama", "has(mlp_bias) and mlp_bias and not (has(attention_bias) and attention_bias)",
     "The feed-forward layers have biases and the attention has none; Megatron-core has both or "
     "neither"},
    {"qwen3", "has(attention_bias) and attention_bias",
     "The attention has biases and the feed-forward layers have none; Megatron-core has both or "
     "neither"},
});

} // namespace

std::span<const ConfigRow> megatronArgs() {
    return kMegatronArgs;
}

std::span<const RefusedSetting> megatronUnstored() {
    return kMegatronUnstored;
}

} // namespace cairn
