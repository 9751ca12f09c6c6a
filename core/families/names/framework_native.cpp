// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework.h"

#include <array>

/// Names after Meta's own files. Sources: Meta's llama/model.py, torchtitan 0.3
/// (state_dict_adapter.py of llama3, qwen3 and deepseek_v3), torchtune 0.6.1
/// (models/convert_weights.py, models/qwen2/_convert_weights.py), LitGPT 0.5.13
/// (scripts/convert_lit_checkpoint.py). Llama's rotary pairs are neighbours there, and the two
/// halves of a head in transformers. Checked against these conversions.
namespace cairn {
namespace {

using NativeKind = ConfigRow::Kind;

constexpr std::string_view kNativeRules = R"(
let h = hidden_size
let H = num_attention_heads
let G = num_key_value_heads
let G = num_attention_heads
let d = head_dim
let d = hidden_size/num_attention_heads
let V = vocab_size
let f = intermediate_size
let E = num_local_experts
let E = num_experts
let E = n_routed_experts
drop rope.freqs
drop freqs_cis
drop *rope.cache
drop *tokens_per_expert
tok_embeddings.weight -> model.embed_tokens.weight | size 0 V; size 1 h
(output|lm_head).weight -> (lm_head|lm_head).weight | size 0 V; size 1 h
norm.weight -> model.norm.weight
layers.{i}.(attention_norm|ffn_norm).weight -> model.layers.{i}.(input_layernorm|post_attention_layernorm).weight
layers.{i}.feed_forward.(w1|w3).weight -> model.layers.{i}.mlp.(gate_proj|up_proj).weight | size 0 f; size 1 h
layers.{i}.feed_forward.w2.weight -> model.layers.{i}.mlp.down_proj.weight | size 0 h; size 1 f

when is(model_type,llama) or is(model_type,mistral)
layers.{i}.attention.(wq|qkv_linear.wq).weight | split 0 H d/2 2; swap 1 2; merge 0 3 -> model.layers.{i}.self_attn.(q_proj|q_proj).weight
layers.{i}.attention.(wk|qkv_linear.wk).weight | split 0 G d/2 2; swap 1 2; merge 0 3 -> model.layers.{i}.self_attn.(k_proj|k_proj).weight
layers.{i}.attention.(wv|qkv_linear.wv|wo).weight -> model.layers.{i}.self_attn.(v_proj|v_proj|o_proj).weight

when is(model_type,qwen3) or is(model_type,qwen3_moe)
layers.{i}.attention.(wq|wo|q_norm|k_norm).weight -> model.layers.{i}.self_attn.(q_proj|o_proj|q_norm|k_norm).weight
layers.{i}.attention.(wk|wv).weight -> model.layers.{i}.self_attn.(k_proj|v_proj).weight | size 0 G*d
layers.{i}.attention.qkv_linear.(wq|wk|wv).weight -> model.layers.{i}.self_attn.(q_proj|k_proj|v_proj).weight

when is(model_type,deepseek_v3)
layers.{i}.attention.(wq|wq_a|wq_b|wkv_a|wkv_b|wo).weight -> model.layers.{i}.self_attn.(q_proj|q_a_proj|q_b_proj|kv_a_proj_with_mqa|kv_b_proj|o_proj).weight
layers.{i}.attention.(q_norm|kv_norm).weight -> model.layers.{i}.self_attn.(q_a_layernorm|kv_a_layernorm).weight
layers.{i}.moe.shared_experts.(w1|w3|w2).weight -> model.layers.{i}.mlp.shared_experts.(gate_proj|up_proj|down_proj).weight
layers.{i}.moe.(expert_bias|expert_bias_E) -> model.layers.{i}.mlp.gate.(e_score_correction_bias|e_score_correction_bias)

when is(model_type,deepseek_v3) or is(model_type,qwen3_moe)
layers.{i}.moe.router.gate.weight -> model.layers.{i}.mlp.gate.weight | size 0 E
layers.{i}.moe.routed_experts.inner_experts.(w1_EFD|w3_EFD|w2_EDF) | size 0 E -> model.layers.{i}.mlp.experts.{e}.(gate_proj|up_proj|down_proj).weight | each 0 e
layers.{i}.moe.experts.(w1|w3|w2) | size 0 E -> model.layers.{i}.mlp.experts.{e}.(gate_proj|up_proj|down_proj).weight | each 0 e
)";

constexpr auto kNativeFamilies = std::to_array<FamilyRow>({
    {"deepseek_v3", "layers.{i}.attention.wkv_a.weight", "DeepseekV3ForCausalLM"},
    {"qwen3_moe", "layers.{i}.attention.q_norm.weight layers.{i}.moe.router.gate.weight",
     "Qwen3MoeForCausalLM"},
    {"qwen3", "layers.{i}.attention.q_norm.weight", "Qwen3ForCausalLM"},
    {"llama", "", "LlamaForCausalLM"},
    {"mistral", "-", "MistralForCausalLM"},
});

constexpr std::string_view kLlamaLike = "llama mistral";
constexpr auto kNativeConfig = std::to_array<ConfigRow>({
    {kLlamaLike, "hidden_size", NativeKind::Integer, "dim"},
    {kLlamaLike, "num_hidden_layers", NativeKind::Integer, "n_layers"},
    {kLlamaLike, "num_attention_heads", NativeKind::Integer, "n_heads"},
    {kLlamaLike, "num_key_value_heads", NativeKind::Integer, "n_kv_heads"},
    {kLlamaLike, "num_key_value_heads", NativeKind::Integer, "n_heads"},
    {kLlamaLike, "head_dim", NativeKind::Integer, "head_dim"},
    {kLlamaLike, "head_dim", NativeKind::Integer, "dim/n_heads"},
    {kLlamaLike, "intermediate_size", NativeKind::Integer, "ffn_rows"},
    {kLlamaLike, "vocab_size", NativeKind::Integer, "embedding_rows"},
    {kLlamaLike, "rms_norm_eps", NativeKind::Number, "norm_eps"},
    {kLlamaLike, "rope_theta", NativeKind::Number, "rope_theta"},
    {kLlamaLike, "hidden_act", NativeKind::Text, "silu"},
    {kLlamaLike, "tie_word_embeddings", NativeKind::Flag, "0"},
});

constexpr auto kNativeFacts = std::to_array<FactRow>({
    {"embedding_rows", "tok_embeddings.weight", 0},
    {"ffn_rows", "layers.{i}.feed_forward.w1.weight", 0},
});

constexpr auto kNativeRefused = std::to_array<RefusedSetting>({
    {"", "has(use_scaled_rope) and use_scaled_rope",
     "Scaled rotary embeddings (use_scaled_rope) are in no setting of the output", true},
    {"", "has(sliding_window) and sliding_window > 0",
     "The attention has a window (sliding_window), which is in no setting of the output", true},
    {"", "has(moe) or has(moe.num_experts)", "Experts in Mistral's own files are not converted"},
});

constexpr std::string_view kTorchtuneRules = R"(
let H = num_attention_heads
let G = num_key_value_heads
let G = num_attention_heads
let d = head_dim
let d = hidden_size/num_attention_heads
tok_embeddings.weight -> model.embed_tokens.weight | size 0 vocab_size; size 1 hidden_size
output.weight -> lm_head.weight
norm.scale -> model.norm.weight
layers.{i}.(sa_norm|mlp_norm).scale -> model.layers.{i}.(input_layernorm|post_attention_layernorm).weight
layers.{i}.mlp.(w1|w3).weight -> model.layers.{i}.mlp.(gate_proj|up_proj).weight | size 0 intermediate_size
layers.{i}.mlp.w2.weight -> model.layers.{i}.mlp.down_proj.weight | size 1 intermediate_size
layers.{i}.attn.(v_proj|output_proj).weight -> model.layers.{i}.self_attn.(v_proj|o_proj).weight

when is(model_type,llama) or is(model_type,mistral)
layers.{i}.attn.q_proj.weight | split 0 H d/2 2; swap 1 2; merge 0 3 -> model.layers.{i}.self_attn.q_proj.weight
layers.{i}.attn.k_proj.weight | split 0 G d/2 2; swap 1 2; merge 0 3 -> model.layers.{i}.self_attn.k_proj.weight

when is(model_type,qwen2)
layers.{i}.attn.(q_proj|k_proj).weight -> model.layers.{i}.self_attn.(q_proj|k_proj).weight
layers.{i}.attn.(q_proj|k_proj|v_proj).bias -> model.layers.{i}.self_attn.(q_proj|k_proj|v_proj).bias
)";

constexpr auto kTorchtuneFamilies = std::to_array<FamilyRow>({
    {"qwen2", "layers.{i}.attn.q_proj.bias", "Qwen2ForCausalLM"},
    {"llama", "", "LlamaForCausalLM"},
    {"mistral", "-", "MistralForCausalLM"},
});

constexpr std::string_view kLitRules = R"(
let H = num_attention_heads
let G = num_key_value_heads
let G = num_attention_heads
let d = head_dim
let d = hidden_size/num_attention_heads

when is(model_type,gpt_neox)
transformer.wte.weight -> gpt_neox.embed_in.weight | slice 0 0 vocab_size; size 1 hidden_size
transformer.ln_f.(weight|bias) -> gpt_neox.final_layer_norm.(weight|bias)
lm_head.weight -> embed_out.weight | slice 0 0 vocab_size
transformer.h.{i}.(norm_1.weight|norm_1.bias|norm_2.weight|norm_2.bias) -> gpt_neox.layers.{i}.(input_layernorm.weight|input_layernorm.bias|post_attention_layernorm.weight|post_attention_layernorm.bias)
transformer.h.{i}.attn.qkv.(weight|bias) | split 0 3 H d; swap 0 1; merge 0 3 -> gpt_neox.layers.{i}.attention.query_key_value.(weight|bias)
transformer.h.{i}.attn.proj.(weight|bias) -> gpt_neox.layers.{i}.attention.dense.(weight|bias)
transformer.h.{i}.mlp.fc.(weight|bias) | size 0 intermediate_size -> gpt_neox.layers.{i}.mlp.dense_h_to_4h.(weight|bias)
transformer.h.{i}.mlp.proj.(weight|bias) -> gpt_neox.layers.{i}.mlp.dense_4h_to_h.(weight|bias)

when not is(model_type,gpt_neox)
transformer.wte.weight -> model.embed_tokens.weight | slice 0 0 vocab_size; size 1 hidden_size
transformer.ln_f.weight -> model.norm.weight
lm_head.weight -> lm_head.weight | slice 0 0 vocab_size
transformer.h.{i}.(norm_1|norm_2).weight -> model.layers.{i}.(input_layernorm|post_attention_layernorm).weight
transformer.h.{i}.attn.qkv.(weight|bias)
  -> model.layers.{i}.self_attn.q_proj.(weight|bias) | slice 0 0 H*d
  -> model.layers.{i}.self_attn.k_proj.(weight|bias) | slice 0 H*d G*d
  -> model.layers.{i}.self_attn.v_proj.(weight|bias) | slice 0 (H+G)*d G*d
transformer.h.{i}.attn.proj.weight -> model.layers.{i}.self_attn.o_proj.weight

when not is(model_type,gpt_neox) and not is(model_type,mixtral)
transformer.h.{i}.mlp.(fc_1|fc_2).weight -> model.layers.{i}.mlp.(gate_proj|up_proj).weight | size 0 intermediate_size
transformer.h.{i}.mlp.proj.weight -> model.layers.{i}.mlp.down_proj.weight | size 1 intermediate_size

when is(model_type,qwen3)
transformer.h.{i}.attn.(norm_q|norm_k).weight -> model.layers.{i}.self_attn.(q_norm|k_norm).weight

when is(model_type,mixtral)
transformer.h.{i}.mlp.gate.weight -> model.layers.{i}.block_sparse_moe.gate.weight
transformer.h.{i}.mlp.experts.{e}.(fc_1|fc_2).weight -> model.layers.{i}.block_sparse_moe.experts.{e}.(w1|w3).weight | size 0 intermediate_size
transformer.h.{i}.mlp.experts.{e}.proj.weight -> model.layers.{i}.block_sparse_moe.experts.{e}.w2.weight | size 1 intermediate_size
)";

constexpr auto kLitFamilies = std::to_array<FamilyRow>({
    {"gpt_neox", "transformer.h.{i}.mlp.fc.weight transformer.h.{i}.norm_2.bias",
     "GPTNeoXForCausalLM"},
    {"mixtral", "transformer.h.{i}.mlp.experts.{e}.fc_1.weight", "MixtralForCausalLM"},
    {"qwen3", "transformer.h.{i}.attn.norm_q.weight", "Qwen3ForCausalLM"},
    {"qwen2", "transformer.h.{i}.attn.qkv.bias", "Qwen2ForCausalLM"},
    {"llama", "", "LlamaForCausalLM"},
    {"mistral", "-", "MistralForCausalLM"},
});

constexpr Framework kNative = {"native",
                               "Meta's and torchtitan's names",
                               "tok_embeddings.weight layers.{i}.attention_norm.weight "
                               "layers.{i}.attention.wo.weight",
                               "params.json",
                               kNativeFacts,
                               kNativeFamilies,
                               kNativeConfig,
                               kNativeRefused,
                               "",
                               kNativeRules,
                               ""};
constexpr Framework kTorchtune = {
    "torchtune",
    "torchtune",
    "tok_embeddings.weight layers.{i}.sa_norm.scale layers.{i}.attn.output_proj.weight",
    "",
    {},
    kTorchtuneFamilies,
    {},
    {},
    "",
    kTorchtuneRules,
    ""};
constexpr Framework kLitGpt = {
    "litgpt",
    "LitGPT",
    "transformer.wte.weight transformer.h.{i}.attn.qkv.weight transformer.ln_f.weight",
    "",
    {},
    kLitFamilies,
    {},
    {},
    "",
    kLitRules,
    ""};

} // namespace

const Framework& nativeNames() {
    return kNative;
}

const Framework& torchtune() {
    return kTorchtune;
}

const Framework& litGpt() {
    return kLitGpt;
}

} // namespace cairn
