// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework.h"

#include <array>

/// GPT-NeoX, the trainer. Source: EleutherAI/gpt-neox, tools/ckpts/convert_neox_to_hf.py (names,
/// layers, config, how slices are joined), megatron/neox_arguments/neox_args.py (defaults of
/// settings) and megatron/model/transformer.py (the order of rows: three for each head, or queries,
/// keys and values of each slice if heads share keys; the linear part of a gated layer before its
/// gate). The parts of a pipeline have numbers: 0 is the embedding, layer i is i + 2, then the last
/// norm and the head. A tied head is a function of the embedding and has no file
/// (megatron/model/gpt2_model.py); where it is a layer of its own, DeepSpeed writes the embedding
/// again under the number of the head (deepspeed/runtime/pipe/module.py), which is then a head that
/// the config ties.
///
/// Where keys are not shared, convert_neox_to_hf.py takes the rows of a Llama's queries, keys and
/// values as those of three matrices, which is not what the trainer computes: here they are those
/// of heads.
namespace cairn {
namespace {

using NeoxKind = ConfigRow::Kind;

constexpr std::string_view kNeoxCommon = R"(
drop *rotary_emb.inv_freq
drop *attention.masked_bias
)";

/// Columns of what is summed over the slices, rows of the rest. Norms may differ between slices;
/// each slice adds its own bias to its part of a sum.
constexpr std::string_view kNeoxSlices = R"(
let H = num_attention_heads
let G = num_key_value_heads
let G = num_kv_heads
let G = num_attention_heads
let d = hidden_size/num_attention_heads
slice.{r}.(0|tied_modules.embed).word_embeddings.weight | stack r; merge 0 2 -> 0.word_embeddings.(weight|weight)
slice.{r}.{n}.(final_linear|word_embeddings).weight | stack r; merge 0 2 -> {n}.(final_linear|word_embeddings).weight
slice.{r}.{n}.norm.(weight|bias|scale) | mean r -> {n}.norm.(weight|bias|scale)
slice.{r}.{n}.(input_layernorm|post_attention_layernorm).weight | mean r -> {n}.(input_layernorm|post_attention_layernorm).weight
slice.{r}.{n}.(input_layernorm|post_attention_layernorm).bias | mean r -> {n}.(input_layernorm|post_attention_layernorm).bias
slice.{r}.{n}.(input_layernorm|post_attention_layernorm).scale | mean r -> {n}.(input_layernorm|post_attention_layernorm).scale
slice.{r}.{n}.attention.dense.weight | stack r; swap 0 1; merge 1 2 -> {n}.attention.dense.weight
slice.{r}.{n}.attention.dense.bias | sum r -> {n}.attention.dense.bias

when not is(model_type,llama)
slice.{r}.{n}.attention.query_key_value.(weight|bias) | stack r; merge 0 2 -> {n}.attention.query_key_value.(weight|bias)
slice.{r}.{n}.mlp.(dense_h_to_4h|linear1).weight | stack r; merge 0 2 -> {n}.mlp.dense_h_to_4h.(weight|weight)
slice.{r}.{n}.mlp.(dense_h_to_4h|linear1).bias | stack r; merge 0 2 -> {n}.mlp.dense_h_to_4h.(bias|bias)
slice.{r}.{n}.mlp.(dense_4h_to_h|linear2).weight | stack r; swap 0 1; merge 1 2 -> {n}.mlp.dense_4h_to_h.(weight|weight)
slice.{r}.{n}.mlp.(dense_4h_to_h|linear2).bias | sum r -> {n}.mlp.dense_4h_to_h.(bias|bias)

when is(model_type,llama)
slice.{r}.{n}.mlp.(w1|w3).weight | stack r; merge 0 2 -> {n}.mlp.(w1|w3).weight
slice.{r}.{n}.mlp.(w2|linear2).weight | stack r; swap 0 1; merge 1 2 -> {n}.mlp.w2.(weight|weight)
slice.{r}.{n}.mlp.linear1.weight | stack r; split 1 2 d1/2
  -> {n}.mlp.w3.weight | select 1 0; merge 0 2
  -> {n}.mlp.w1.weight | select 1 1; merge 0 2
when is(model_type,llama) and G == H
slice.{r}.{n}.attention.query_key_value.weight | stack r; merge 0 2 -> {n}.attention.query_key_value.weight
when is(model_type,llama) and G != H
slice.{r}.{n}.attention.query_key_value.weight | stack r; size 1 (H+2*G)*d/d0
  -> {n}.attention.query.weight | slice 1 0 H*d/d0; merge 0 2
  -> {n}.attention.key.weight | slice 1 H*d/d0 G*d/d0; merge 0 2
  -> {n}.attention.value.weight | slice 1 (H+G)*d/d0 G*d/d0; merge 0 2
)";

/// A vocabulary is padded to a multiple of the slices.
constexpr std::string_view kNeoxRules = R"(
let H = num_attention_heads
let G = num_key_value_heads
let G = num_attention_heads
let d = hidden_size/num_attention_heads
let f = intermediate_size
let V = vocab_size

when is(model_type,gpt_neox)
0.word_embeddings.weight -> gpt_neox.embed_in.weight | slice 0 0 V; size 1 hidden_size
{n}.norm.(weight|bias) -> gpt_neox.final_layer_norm.(weight|bias)
{n}.final_linear.weight -> embed_out.weight | slice 0 0 V; size 1 hidden_size

when is(model_type,gpt_neox) and n >= 2
{n}.word_embeddings.weight -> embed_out.weight | slice 0 0 V; size 1 hidden_size
{n}.attention.query_key_value.weight -> gpt_neox.layers.{n-2}.attention.query_key_value.weight | size 0 3*H*d; size 1 hidden_size
{n}.attention.query_key_value.bias -> gpt_neox.layers.{n-2}.attention.query_key_value.bias
{n}.attention.dense.(weight|bias) -> gpt_neox.layers.{n-2}.attention.dense.(weight|bias)
{n}.mlp.dense_h_to_4h.(weight|bias) -> gpt_neox.layers.{n-2}.mlp.dense_h_to_4h.(weight|bias)
{n}.mlp.dense_4h_to_h.(weight|bias) -> gpt_neox.layers.{n-2}.mlp.dense_4h_to_h.(weight|bias)
{n}.(input_layernorm|post_attention_layernorm).weight -> gpt_neox.layers.{n-2}.(input_layernorm|post_attention_layernorm).weight
{n}.(input_layernorm|post_attention_layernorm).bias -> gpt_neox.layers.{n-2}.(input_layernorm|post_attention_layernorm).bias

when is(model_type,llama)
0.word_embeddings.weight -> model.embed_tokens.weight | slice 0 0 V; size 1 hidden_size
{n}.norm.scale -> model.norm.weight
{n}.final_linear.weight -> lm_head.weight | slice 0 0 V; size 1 hidden_size

when is(model_type,llama) and n >= 2
{n}.word_embeddings.weight -> lm_head.weight | slice 0 0 V; size 1 hidden_size
{n}.attention.dense.weight -> model.layers.{n-2}.self_attn.o_proj.weight | size 1 H*d
{n}.mlp.(w1|w2|w3).weight -> model.layers.{n-2}.mlp.(gate_proj|down_proj|up_proj).weight
{n}.(input_layernorm|post_attention_layernorm).scale -> model.layers.{n-2}.(input_layernorm|post_attention_layernorm).weight

when is(model_type,llama) and n >= 2 and G == H
{n}.attention.query_key_value.weight | split 0 H 3 d
  -> model.layers.{n-2}.self_attn.q_proj.weight | select 1 0; merge 0 2
  -> model.layers.{n-2}.self_attn.k_proj.weight | select 1 1; merge 0 2
  -> model.layers.{n-2}.self_attn.v_proj.weight | select 1 2; merge 0 2

when is(model_type,llama) and n >= 2 and G != H
{n}.attention.query_key_value.weight | size 0 (H+2*G)*d
  -> model.layers.{n-2}.self_attn.q_proj.weight | slice 0 0 H*d
  -> model.layers.{n-2}.self_attn.k_proj.weight | slice 0 H*d G*d
  -> model.layers.{n-2}.self_attn.v_proj.weight | slice 0 (H+G)*d G*d
{n}.attention.(query|key|value).weight -> model.layers.{n-2}.self_attn.(q_proj|k_proj|v_proj).weight
)";

constexpr auto kNeoxFamilies = std::to_array<FamilyRow>({
    {"gpt_neox", "{n}.attention.query_key_value.weight {n}.input_layernorm.bias",
     "GPTNeoXForCausalLM"},
    {"llama", "{n}.attention.dense.weight {n}.input_layernorm.scale", "LlamaForCausalLM"},
});
constexpr std::string_view kNeoxOwn = "gpt_neox";
constexpr std::string_view kNeoxLlama = "llama";

constexpr auto kNeoxConfig = std::to_array<ConfigRow>({
    {"", "hidden_size", NeoxKind::Integer, "hidden_size"},
    {"", "num_hidden_layers", NeoxKind::Integer, "num_layers"},
    {"", "num_attention_heads", NeoxKind::Integer, "num_attention_heads"},
    {"", "intermediate_size", NeoxKind::Integer, "ffn_rows"},
    {"", "max_position_embeddings", NeoxKind::Integer, "max_position_embeddings"},
    {"", "vocab_size", NeoxKind::Integer, "embedding_rows"},
    {kNeoxOwn, "rotary_pct", NeoxKind::Number, "rotary_pct"},
    {kNeoxOwn, "rotary_pct", NeoxKind::Integer, "1"},
    {kNeoxOwn, "rotary_emb_base", NeoxKind::Number, "rotary_emb_base"},
    {kNeoxOwn, "rotary_emb_base", NeoxKind::Integer, "10000"},
    {kNeoxOwn, "layer_norm_eps", NeoxKind::Number, "layernorm_epsilon"},
    {kNeoxOwn, "use_parallel_residual", NeoxKind::Flag, "gpt_j_residual"},
    {kNeoxOwn, "use_parallel_residual", NeoxKind::Flag, "0"},
    {kNeoxOwn, "hidden_act", NeoxKind::Text, "gelu"},
    {kNeoxLlama, "num_key_value_heads", NeoxKind::Integer, "num_kv_heads"},
    {kNeoxLlama, "num_key_value_heads", NeoxKind::Integer, "num_attention_heads"},
    {kNeoxLlama, "rope_theta", NeoxKind::Number, "rotary_emb_base"},
    {kNeoxLlama, "rope_theta", NeoxKind::Integer, "10000"},
    {kNeoxLlama, "rms_norm_eps", NeoxKind::Number, "rms_norm_epsilon"},
    {kNeoxLlama, "attention_bias", NeoxKind::Flag, "0"},
    {kNeoxLlama, "hidden_act", NeoxKind::Text, "silu"},
    {"", "tie_word_embeddings", NeoxKind::Flag, "1-no_weight_tying"},
    {"", "tie_word_embeddings", NeoxKind::Flag, "1"},
});

constexpr auto kNeoxRefused = std::to_array<RefusedSetting>({
    {"", "has(gpt_j_tied) and gpt_j_tied",
     "A layer has one norm for both of its parts (gpt_j_tied), which GPT-NeoX of transformers "
     "does not support"},
    {"", "not is(pos_emb,rotary)",
     "The positions are not encoded by rotary embeddings (pos_emb), as this family requires", true},
    {kNeoxOwn, "has(norm) and not is(norm,layernorm)",
     "The norms are not layer norms (norm), which this family requires"},
    {kNeoxOwn, "has(activation) and not is(activation,gelu)",
     "The activation is not GELU (activation), which this family requires", true},
    {kNeoxOwn, "has(num_kv_heads) and num_kv_heads != num_attention_heads",
     "Heads share keys and values (num_kv_heads), which this family does not support"},
    {kNeoxLlama, "has(norm) and not is(norm,rmsnorm)",
     "The norms are not RMS norms (norm), which this family requires"},
    {kNeoxLlama, "not is(activation,swiglu) and not is(activation,silu)",
     "The activation is not SiLU (activation), which this family requires", true},
    {kNeoxLlama, "not has(rms_norm_epsilon)",
     "The settings do not contain rms_norm_epsilon, whose default differs between the trainer and "
     "the family",
     true},
    {kNeoxLlama, "has(gpt_j_residual) and gpt_j_residual",
     "Both parts of a layer have the same input (gpt_j_residual), which this family does not "
     "support"},
    {kNeoxLlama, "",
     "Rotary embeddings of a part of each head (rotary_pct) are in no setting of the output", true,
     "rotary_pct"},
    {kNeoxLlama, "has(sliding_window_width)",
     "The window of the attention (sliding_window_width) is in no setting of the output", true},
    {"", "has(use_qk_layernorm) and use_qk_layernorm",
     "Queries and keys are normalised (use_qk_layernorm), which this family does not support"},
    {"", "has(use_mup) and use_mup", "Scaled outputs (use_mup) are in no setting of the output",
     true},
});

constexpr auto kNeoxFacts = std::to_array<FactRow>({
    {"embedding_rows", "0.word_embeddings.weight", 0},
    {"ffn_rows", "{n}.mlp.dense_h_to_4h.weight", 0},
    {"ffn_rows", "{n}.mlp.w1.weight", 0},
});

constexpr Framework kNeox = {"gpt-neox",
                             "GPT-NeoX",
                             "0.word_embeddings.weight|tied_modules.embed.word_embeddings.weight "
                             "{n}.attention.query_key_value.weight",
                             "configs",
                             kNeoxFacts,
                             kNeoxFamilies,
                             kNeoxConfig,
                             kNeoxRefused,
                             kNeoxCommon,
                             kNeoxRules,
                             "",
                             {},
                             kNeoxSlices,
                             "model_parallel_size"};

} // namespace

const Framework& gptNeox() {
    return kNeox;
}

} // namespace cairn
