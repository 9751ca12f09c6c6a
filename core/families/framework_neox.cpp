// SPDX-License-Identifier: Apache-2.0
#include "core/families/framework.h"

#include <array>

/// GPT-NeoX, the trainer. Source: EleutherAI/gpt-neox, tools/ckpts/convert_neox_to_hf.py (names,
/// layers, config) and megatron/neox_arguments/neox_args.py (defaults of settings). The parts of a
/// pipeline have numbers: 0 is the embedding, layer i is i + 2, then the last norm and the head.
/// One slice of tensor parallelism only: the norms of several are averaged and their biases added
/// up.
namespace cairn {
namespace {

using NeoxKind = ConfigRow::Kind;

constexpr std::string_view kNeoxCommon = R"(
drop *rotary_emb.inv_freq
drop *attention.masked_bias
)";

constexpr std::string_view kNeoxRules = R"(
let H = num_attention_heads
let d = hidden_size/num_attention_heads
0.word_embeddings.weight -> gpt_neox.embed_in.weight | size 0 vocab_size; size 1 hidden_size

when is(model_type,gpt_neox)
{n}.norm.(weight|bias) -> gpt_neox.final_layer_norm.(weight|bias)
{n}.final_linear.weight -> embed_out.weight | size 0 vocab_size; size 1 hidden_size

when is(model_type,gpt_neox) and n >= 2
{n}.attention.query_key_value.weight -> gpt_neox.layers.{n-2}.attention.query_key_value.weight | size 0 3*H*d; size 1 hidden_size
{n}.attention.query_key_value.bias -> gpt_neox.layers.{n-2}.attention.query_key_value.bias
{n}.attention.dense.(weight|bias) -> gpt_neox.layers.{n-2}.attention.dense.(weight|bias)
{n}.mlp.dense_h_to_4h.(weight|bias) -> gpt_neox.layers.{n-2}.mlp.dense_h_to_4h.(weight|bias)
{n}.mlp.dense_4h_to_h.(weight|bias) -> gpt_neox.layers.{n-2}.mlp.dense_4h_to_h.(weight|bias)
{n}.(input_layernorm|post_attention_layernorm).weight -> gpt_neox.layers.{n-2}.(input_layernorm|post_attention_layernorm).weight
{n}.(input_layernorm|post_attention_layernorm).bias -> gpt_neox.layers.{n-2}.(input_layernorm|post_attention_layernorm).bias
)";

constexpr auto kNeoxFamilies = std::to_array<FamilyRow>({
    {"gpt_neox", "{n}.mlp.dense_h_to_4h.weight {n}.input_layernorm.bias", "GPTNeoXForCausalLM"},
});

constexpr auto kNeoxConfig = std::to_array<ConfigRow>({
    {"", "hidden_size", NeoxKind::Integer, "hidden_size"},
    {"", "num_hidden_layers", NeoxKind::Integer, "num_layers"},
    {"", "num_attention_heads", NeoxKind::Integer, "num_attention_heads"},
    {"", "intermediate_size", NeoxKind::Integer, "ffn_rows"},
    {"", "max_position_embeddings", NeoxKind::Integer, "max_position_embeddings"},
    {"", "vocab_size", NeoxKind::Integer, "embedding_rows"},
    {"", "rotary_pct", NeoxKind::Number, "rotary_pct"},
    {"", "rotary_pct", NeoxKind::Integer, "1"},
    {"", "rotary_emb_base", NeoxKind::Number, "rotary_emb_base"},
    {"", "rotary_emb_base", NeoxKind::Integer, "10000"},
    {"", "layer_norm_eps", NeoxKind::Number, "layernorm_epsilon"},
    {"", "use_parallel_residual", NeoxKind::Flag, "gpt_j_residual"},
    {"", "use_parallel_residual", NeoxKind::Flag, "0"},
    {"", "tie_word_embeddings", NeoxKind::Flag, "1-no_weight_tying"},
    {"", "tie_word_embeddings", NeoxKind::Flag, "1"},
    {"", "hidden_act", NeoxKind::Text, "gelu"},
});

constexpr auto kNeoxRefused = std::to_array<RefusedSetting>({
    {"", "has(gpt_j_tied) and gpt_j_tied",
     "A layer has one norm for both of its parts (gpt_j_tied), which GPT-NeoX of transformers "
     "does not support"},
    {"", "not is(pos_emb,rotary)",
     "The positions are not encoded by rotary embeddings (pos_emb), as this family requires", true},
    {"", "has(norm) and not is(norm,layernorm)",
     "The norms are not layer norms (norm), which this family requires"},
    {"", "has(activation) and not is(activation,gelu)",
     "The activation is not GELU (activation), which this family requires", true},
    {"", "has(num_kv_heads) and num_kv_heads != num_attention_heads",
     "Heads share keys and values (num_kv_heads), which this family does not support"},
    {"", "has(use_mup) and use_mup", "Scaled outputs (use_mup) are in no setting of the output",
     true},
});

constexpr auto kNeoxFacts = std::to_array<FactRow>({
    {"embedding_rows", "0.word_embeddings.weight", 0},
    {"ffn_rows", "{n}.mlp.dense_h_to_4h.weight", 0},
});

constexpr Framework kNeox = {"gpt-neox",
                             "GPT-NeoX",
                             "0.word_embeddings.weight {n}.attention.query_key_value.weight",
                             "configs",
                             kNeoxFacts,
                             kNeoxFamilies,
                             kNeoxConfig,
                             kNeoxRefused,
                             kNeoxCommon,
                             kNeoxRules,
                             ""};

} // namespace

const Framework& gptNeox() {
    return kNeox;
}

} // namespace cairn
