// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework.h"

#include <array>

/// Megatron-core. Sources: its transformer_block.py, attention.py, mlp.py, experts.py and
/// multi_latent_attention.py (0.16.1), and the conversions of Megatron-Bridge 0.3.1
/// (conversion/param_mapping.py: QKVMapping, GatedMLPMapping). Settings: Megatron-LM's
/// arguments.py. Checked against the logits of megatron-core's own forward.
namespace cairn {
namespace {

using RowKind = ConfigRow::Kind;

constexpr std::string_view kMegatronCommon = R"(
drop *._extra_state
drop *rotary_pos_emb
drop *.core_attention.local_tokens
decoder.layers.{i}.{*} -> decoder.layers.{i}.{*}
decoder.layers.{*} -> decoder.layers.{i}.{*} | each 0 i
)";

constexpr std::string_view kMegatronRules = R"(
let h = hidden_size
let h = n_embd
let H = num_attention_heads
let G = num_key_value_heads
let G = num_attention_heads
let d = head_dim
let d = hidden_size/num_attention_heads
let g = H/G
let V = vocab_size
let f = intermediate_size
let fe = moe_intermediate_size
let fe = intermediate_size
let fs = shared_expert_intermediate_size
let fs = n_shared_experts*moe_intermediate_size
let E = num_local_experts
let E = num_experts
let E = n_routed_experts
let first_expert_layer = first_k_dense_replace
let first_expert_layer = 0
let every = decoder_sparse_step
let every = 1

# The norms that are not part of the next projection.
when is(model_type,deepseek_v3)
decoder.layers.{i}.input_layernorm.weight -> model.layers.{i}.input_layernorm.weight
when has(num_experts_per_tok) and i >= first_expert_layer and (i+1)%every == 0
decoder.layers.{i}.pre_mlp_layernorm.weight -> model.layers.{i}.post_attention_layernorm.weight

when is(model_type,gpt2)
let f = 4*n_embd
embedding.word_embeddings.weight -> transformer.wte.weight | slice 0 0 V; size 1 h
embedding.position_embeddings.weight -> transformer.wpe.weight
output_layer.weight -> lm_head.weight | slice 0 0 V
decoder.layers.{i}.(self_attention.linear_qkv.layer_norm_weight|self_attention.linear_qkv.layer_norm_bias|input_layernorm.weight|input_layernorm.bias)
  -> transformer.h.{i}.ln_1.(weight|bias|weight|bias)
decoder.layers.{i}.(mlp.linear_fc1.layer_norm_weight|mlp.linear_fc1.layer_norm_bias|pre_mlp_layernorm.weight|pre_mlp_layernorm.bias)
  -> transformer.h.{i}.ln_2.(weight|bias|weight|bias)
decoder.layers.{i}.self_attention.linear_qkv.weight | split 0 n_head 3 n_embd/n_head
  -> transformer.h.{i}.attn.c_attn.weight | swap 0 1; merge 0 3; swap 0 1
decoder.layers.{i}.self_attention.linear_qkv.bias | split 0 n_head 3 n_embd/n_head
  -> transformer.h.{i}.attn.c_attn.bias | swap 0 1; merge 0 3
decoder.layers.{i}.self_attention.linear_proj.weight -> transformer.h.{i}.attn.c_proj.weight | swap 0 1
decoder.layers.{i}.self_attention.linear_proj.bias -> transformer.h.{i}.attn.c_proj.bias
decoder.layers.{i}.mlp.linear_fc1.weight -> transformer.h.{i}.mlp.c_fc.weight | swap 0 1
decoder.layers.{i}.mlp.linear_fc1.bias -> transformer.h.{i}.mlp.c_fc.bias
decoder.layers.{i}.mlp.linear_fc2.weight -> transformer.h.{i}.mlp.c_proj.weight | swap 0 1
decoder.layers.{i}.mlp.linear_fc2.bias -> transformer.h.{i}.mlp.c_proj.bias
decoder.final_layernorm.(weight|bias) -> transformer.ln_f.(weight|bias)

when not is(model_type,gpt2)
embedding.word_embeddings.weight -> model.embed_tokens.weight | slice 0 0 V; size 1 h
output_layer.weight -> lm_head.weight | slice 0 0 V; size 1 h
decoder.final_layernorm.weight -> model.norm.weight
decoder.layers.{i}.(self_attention.linear_qkv.layer_norm_weight|input_layernorm.weight) -> model.layers.{i}.input_layernorm.(weight|weight)
decoder.layers.{i}.(mlp.linear_fc1.layer_norm_weight|pre_mlp_layernorm.weight) -> model.layers.{i}.post_attention_layernorm.(weight|weight)
decoder.layers.{i}.self_attention.linear_qkv.weight | split 0 G g+2 d
  -> model.layers.{i}.self_attn.q_proj.weight | slice 1 0 g; merge 0 3
  -> model.layers.{i}.self_attn.k_proj.weight | slice 1 g 1; merge 0 3
  -> model.layers.{i}.self_attn.v_proj.weight | slice 1 g+1 1; merge 0 3
decoder.layers.{i}.self_attention.linear_proj.weight -> model.layers.{i}.self_attn.o_proj.weight

when is(model_type,qwen2) or is(model_type,qwen2_moe) or has(attention_bias) and attention_bias
decoder.layers.{i}.self_attention.linear_qkv.bias | split 0 G g+2 d
  -> model.layers.{i}.self_attn.q_proj.bias | slice 1 0 g; merge 0 3
  -> model.layers.{i}.self_attn.k_proj.bias | slice 1 g 1; merge 0 3
  -> model.layers.{i}.self_attn.v_proj.bias | slice 1 g+1 1; merge 0 3

when has(attention_bias) and attention_bias
decoder.layers.{i}.self_attention.linear_proj.bias -> model.layers.{i}.self_attn.o_proj.bias

when is(model_type,qwen3) or is(model_type,qwen3_moe)
decoder.layers.{i}.self_attention.(q|k)_layernorm.weight -> model.layers.{i}.self_attn.(q|k)_norm.weight

when is(model_type,deepseek_v3)
decoder.layers.{i}.self_attention.linear_q_proj.weight -> model.layers.{i}.self_attn.q_proj.weight
decoder.layers.{i}.self_attention.linear_q_down_proj.weight -> model.layers.{i}.self_attn.q_a_proj.weight
decoder.layers.{i}.self_attention.linear_q_up_proj.weight -> model.layers.{i}.self_attn.q_b_proj.weight
decoder.layers.{i}.self_attention.linear_kv_down_proj.weight -> model.layers.{i}.self_attn.kv_a_proj_with_mqa.weight
decoder.layers.{i}.self_attention.linear_kv_up_proj.weight -> model.layers.{i}.self_attn.kv_b_proj.weight
decoder.layers.{i}.self_attention.(linear_q_up_proj.layer_norm_weight|q_layernorm.weight) -> model.layers.{i}.self_attn.q_a_layernorm.(weight|weight)
decoder.layers.{i}.self_attention.(linear_kv_up_proj.layer_norm_weight|kv_layernorm.weight) -> model.layers.{i}.self_attn.kv_a_layernorm.(weight|weight)

when not is(model_type,gpt2)
decoder.layers.{i}.mlp.linear_fc1.weight | split 0 2 f
  -> model.layers.{i}.mlp.gate_proj.weight | select 0 0
  -> model.layers.{i}.mlp.up_proj.weight | select 0 1
decoder.layers.{i}.mlp.linear_fc1.(weight_w|weight_v) | split 0 1 f
  -> model.layers.{i}.mlp.(gate_proj|up_proj).weight | select 0 0
decoder.layers.{i}.mlp.linear_fc2.weight -> model.layers.{i}.mlp.down_proj.weight | size 1 f

when has(mlp_bias) and mlp_bias
decoder.layers.{i}.mlp.linear_fc1.bias | split 0 2 f
  -> model.layers.{i}.mlp.gate_proj.bias | select 0 0
  -> model.layers.{i}.mlp.up_proj.bias | select 0 1
decoder.layers.{i}.mlp.linear_fc1.(bias_w|bias_v) | split 0 1 f
  -> model.layers.{i}.mlp.(gate_proj|up_proj).bias | select 0 0
decoder.layers.{i}.mlp.linear_fc2.bias -> model.layers.{i}.mlp.down_proj.bias

when has(num_experts_per_tok)
decoder.layers.{i}.mlp.router.weight -> model.layers.{i}.mlp.gate.weight | size 0 E
decoder.layers.{i}.mlp.router.expert_bias -> model.layers.{i}.mlp.gate.e_score_correction_bias
decoder.layers.{i}.mlp.experts.experts.linear_fc1.weight | size 0 E; split 1 2 fe
  -> model.layers.{i}.mlp.experts.{e}.gate_proj.weight | each 0 e; select 0 0
  -> model.layers.{i}.mlp.experts.{e}.up_proj.weight | each 0 e; select 0 1
decoder.layers.{i}.mlp.experts.experts.linear_fc2.weight | size 0 E -> model.layers.{i}.mlp.experts.{e}.down_proj.weight | each 0 e
decoder.layers.{i}.mlp.experts.(experts|local_experts).{e}.linear_fc1.weight | split 0 2 fe
  -> model.layers.{i}.mlp.experts.{e}.(gate_proj|gate_proj).weight | select 0 0
  -> model.layers.{i}.mlp.experts.{e}.(up_proj|up_proj).weight | select 0 1
decoder.layers.{i}.mlp.experts.experts.{e}.linear_fc1.(weight_w|weight_v) | split 0 1 fe
  -> model.layers.{i}.mlp.experts.{e}.(gate_proj|up_proj).weight | select 0 0
decoder.layers.{i}.mlp.experts.(experts|local_experts).{e}.linear_fc2.weight -> model.layers.{i}.mlp.experts.{e}.(down_proj|down_proj).weight
decoder.layers.{i}.mlp.experts.linear_fc1.weight{e} | split 0 2 fe
  -> model.layers.{i}.mlp.experts.{e}.gate_proj.weight | select 0 0
  -> model.layers.{i}.mlp.experts.{e}.up_proj.weight | select 0 1
decoder.layers.{i}.mlp.experts.linear_fc2.weight{e} -> model.layers.{i}.mlp.experts.{e}.down_proj.weight

when is(model_type,qwen2_moe) or is(model_type,deepseek_v3)
decoder.layers.{i}.mlp.shared_experts.linear_fc1.weight | split 0 2 fs
  -> model.layers.{i}.mlp.shared_experts.gate_proj.weight | select 0 0
  -> model.layers.{i}.mlp.shared_experts.up_proj.weight | select 0 1
decoder.layers.{i}.mlp.shared_experts.linear_fc1.(weight_w|weight_v) | split 0 1 fs
  -> model.layers.{i}.mlp.shared_experts.(gate_proj|up_proj).weight | select 0 0
decoder.layers.{i}.mlp.shared_experts.linear_fc2.weight -> model.layers.{i}.mlp.shared_experts.down_proj.weight

when is(model_type,qwen2_moe)
decoder.layers.{i}.mlp.shared_experts.gate_weight -> model.layers.{i}.mlp.shared_expert_gate.weight
)";

constexpr std::string_view kMegatronVariants = R"(
when is(model_type,mixtral)
model.layers.{i}.mlp.gate.weight -> model.layers.{i}.block_sparse_moe.gate.weight
model.layers.{i}.mlp.experts.{e}.(gate_proj|down_proj|up_proj).weight -> model.layers.{i}.block_sparse_moe.experts.{e}.(w1|w2|w3).weight
when is(model_type,qwen2_moe)
model.layers.{i}.mlp.shared_experts.{*} -> model.layers.{i}.mlp.shared_expert.{*}
)";

/// transformer_block.py, sharded_state_dict(): layers of one kind are one tensor, with the layer as
/// its first dimension.
constexpr std::string_view kMegatronStored = R"(
decoder.layers.{i}.{*} | stack i -> decoder.layers.{*}
)";
constexpr std::string_view kMegatronTrained =
    "gpt2 llama mistral qwen2 qwen3"; ///< one kind of layer

constexpr auto kMegatronFamilies = std::to_array<FamilyRow>({
    {"deepseek_v3", "decoder.layers.{i}.self_attention.linear_kv_down_proj.weight",
     "DeepseekV3ForCausalLM"},
    {"gpt2", "embedding.position_embeddings.weight decoder.final_layernorm.bias",
     "GPT2LMHeadModel"},
    {"qwen2_moe", "decoder.layers.{i}.mlp.shared_experts.gate_weight", "Qwen2MoeForCausalLM"},
    {"qwen3_moe",
     "decoder.layers.{i}.mlp.router.weight decoder.layers.{i}.self_attention.q_layernorm.weight",
     "Qwen3MoeForCausalLM"},
    {"mixtral", "decoder.layers.{i}.mlp.router.weight", "MixtralForCausalLM"},
    {"qwen3", "decoder.layers.{i}.self_attention.q_layernorm.weight", "Qwen3ForCausalLM"},
    {"qwen2", "decoder.layers.{i}.self_attention.linear_qkv.bias", "Qwen2ForCausalLM"},
    {"llama", "", "LlamaForCausalLM"},
    {"mistral", "-", "MistralForCausalLM"},
});

constexpr std::string_view kGpt2 = "gpt2";
constexpr std::string_view kNotGpt2 =
    "llama mistral qwen2 qwen3 mixtral qwen2_moe qwen3_moe deepseek_v3";
constexpr std::string_view kLatent = "deepseek_v3";
/// Llama 3.1's scaled positions: NeMo 2, llm/gpt/model/llama.py (Llama31Config), has all four
/// numbers; megatron-core, rotary_pos_embedding.py (_apply_scaling), has three of them as
/// constants.
constexpr std::string_view kLlama = "llama";
static_assert(kNotGpt2.starts_with("llama "));
constexpr std::string_view kNotLlama = kNotGpt2.substr(kLlama.size() + 1);
constexpr std::string_view kNemoScaling = "has(scale_factor)";
constexpr std::string_view kMegatronScaling = "has(use_rope_scaling) and use_rope_scaling";
constexpr std::string_view kQwenExperts = "qwen2_moe qwen3_moe";

constexpr auto kMegatronConfig = std::to_array<ConfigRow>({
    {kGpt2, "n_embd", RowKind::Integer, "hidden_size"},
    {kGpt2, "n_layer", RowKind::Integer, "num_layers"},
    {kGpt2, "n_head", RowKind::Integer, "num_attention_heads"},
    {kGpt2, "n_positions", RowKind::Integer, "max_position_embeddings"},
    {kGpt2, "n_positions", RowKind::Integer, "seq_length"},
    {kGpt2, "n_inner", RowKind::Integer, "ffn_hidden_size"},
    {kGpt2, "layer_norm_epsilon", RowKind::Number, "norm_epsilon layernorm_epsilon"},
    {kGpt2, "activation_function", RowKind::Text, "gelu"},
    {kNotGpt2, "hidden_size", RowKind::Integer, "hidden_size"},
    {kNotGpt2, "num_hidden_layers", RowKind::Integer, "num_layers"},
    {kNotGpt2, "num_attention_heads", RowKind::Integer, "num_attention_heads"},
    {kLatent, "num_key_value_heads", RowKind::Integer, "num_attention_heads"},
    {kNotGpt2, "num_key_value_heads", RowKind::Integer,
     "group_query_attention*num_query_groups + (1-group_query_attention)*num_attention_heads"},
    {kNotGpt2, "num_key_value_heads", RowKind::Integer, "num_query_groups"},
    {kNotGpt2, "num_key_value_heads", RowKind::Integer, "num_attention_heads"},
    {kLatent, "head_dim", RowKind::Integer, "qk_pos_emb_head_dim"},
    {kNotGpt2, "head_dim", RowKind::Integer, "kv_channels"},
    {"mixtral", "intermediate_size", RowKind::Integer, "moe_ffn_hidden_size"},
    {kNotGpt2, "intermediate_size", RowKind::Integer, "ffn_hidden_size"},
    {kNotGpt2, "max_position_embeddings", RowKind::Integer, "max_position_embeddings"},
    {kNotGpt2, "max_position_embeddings", RowKind::Integer, "seq_length"},
    {kNotGpt2, "rms_norm_eps", RowKind::Number, "norm_epsilon layernorm_epsilon"},
    {kNotGpt2, "rope_theta", RowKind::Number, "rotary_base"},
    {kNotGpt2, "hidden_act", RowKind::Text, "silu"},
    {kLlama, "rope_scaling.rope_type", RowKind::Text, "llama3", kNemoScaling},
    {kLlama, "rope_scaling.factor", RowKind::Number, "scale_factor", kNemoScaling},
    {kLlama, "rope_scaling.low_freq_factor", RowKind::Number, "low_freq_factor", kNemoScaling},
    {kLlama, "rope_scaling.high_freq_factor", RowKind::Number, "high_freq_factor", kNemoScaling},
    {kLlama, "rope_scaling.original_max_position_embeddings", RowKind::Integer, "old_context_len",
     kNemoScaling},
    {kLlama, "rope_scaling.rope_type", RowKind::Text, "llama3", kMegatronScaling},
    {kLlama, "rope_scaling.factor", RowKind::Number, "rope_scaling_factor", kMegatronScaling},
    {kLlama, "rope_scaling.low_freq_factor", RowKind::Integer, "1", kMegatronScaling},
    {kLlama, "rope_scaling.high_freq_factor", RowKind::Integer, "4", kMegatronScaling},
    {kLlama, "rope_scaling.original_max_position_embeddings", RowKind::Integer, "8192",
     kMegatronScaling},
    {"", "vocab_size", RowKind::Integer, "vocab_size"},
    {"", "vocab_size", RowKind::Integer, "embedding_rows"},
    {"", "tie_word_embeddings", RowKind::Flag, "1-untie_embeddings_and_output_weights"},
    {"", "tie_word_embeddings", RowKind::Flag, "share_embeddings_and_output_weights"},
    {"llama", "attention_bias", RowKind::Flag, "add_bias_linear"},
    {"llama", "mlp_bias", RowKind::Flag, "add_bias_linear"},
    {"mixtral", "num_local_experts", RowKind::Integer, "num_experts"},
    {"mixtral", "num_local_experts", RowKind::Integer, "num_moe_experts"},
    {kQwenExperts, "num_experts", RowKind::Integer, "num_experts"},
    {kQwenExperts, "num_experts", RowKind::Integer, "num_moe_experts"},
    {kQwenExperts, "moe_intermediate_size", RowKind::Integer, "moe_ffn_hidden_size"},
    {kQwenExperts, "moe_intermediate_size", RowKind::Integer, "ffn_hidden_size"},
    {kQwenExperts, "decoder_sparse_step", RowKind::Integer, "moe_layer_freq"},
    {kQwenExperts, "decoder_sparse_step", RowKind::Integer, "1"},
    {kQwenExperts, "norm_topk_prob", RowKind::Flag, "1-moe_router_pre_softmax"},
    {kQwenExperts, "norm_topk_prob", RowKind::Flag, "1"},
    {"qwen2_moe", "shared_expert_intermediate_size", RowKind::Integer,
     "moe_shared_expert_intermediate_size"},
    {"mixtral qwen2_moe qwen3_moe deepseek_v3", "num_experts_per_tok", RowKind::Integer,
     "moe_router_topk"},
    {kLatent, "n_routed_experts", RowKind::Integer, "num_experts"},
    {kLatent, "n_routed_experts", RowKind::Integer, "num_moe_experts"},
    {kLatent, "moe_intermediate_size", RowKind::Integer, "moe_ffn_hidden_size"},
    {kLatent, "n_shared_experts", RowKind::Integer,
     "moe_shared_expert_intermediate_size/moe_ffn_hidden_size"},
    {kLatent, "n_shared_experts", RowKind::Integer, "0"},
    {kLatent, "first_k_dense_replace", RowKind::Integer, "first_expert_layer"},
    {kLatent, "q_lora_rank", RowKind::Integer, "q_lora_rank"},
    {kLatent, "kv_lora_rank", RowKind::Integer, "kv_lora_rank"},
    {kLatent, "qk_nope_head_dim", RowKind::Integer, "qk_head_dim"},
    {kLatent, "qk_rope_head_dim", RowKind::Integer, "qk_pos_emb_head_dim"},
    {kLatent, "v_head_dim", RowKind::Integer, "v_head_dim"},
    {kLatent, "n_group", RowKind::Integer, "moe_router_num_groups"},
    {kLatent, "n_group", RowKind::Integer, "1"},
    {kLatent, "topk_group", RowKind::Integer, "moe_router_group_topk"},
    {kLatent, "topk_group", RowKind::Integer, "1"},
    {kLatent, "routed_scaling_factor", RowKind::Number, "moe_router_topk_scaling_factor"},
    {kLatent, "routed_scaling_factor", RowKind::Integer, "1"},
    {kLatent, "norm_topk_prob", RowKind::Flag, "1"},
    {kLatent, "scoring_func", RowKind::Text, "sigmoid"},
    {kLatent, "topk_method", RowKind::Text, "noaux_tc"},
});

constexpr auto kMegatronRefused = std::to_array<RefusedSetting>({
    {"", "has(apply_layernorm_1p) and apply_layernorm_1p",
     "The norms are stored less 1 (apply_layernorm_1p), which is not converted"},
    {kNotGpt2, "has(rotary_interleaved) and rotary_interleaved",
     "Rotary embeddings are interleaved (rotary_interleaved), which is not converted"},
    {kNotGpt2, "has(position_embedding_type) and not is(position_embedding_type,rope)",
     "The positions are not encoded by rotary embeddings, as this family requires"},
    {kGpt2, "has(position_embedding_type) and not is(position_embedding_type,learned_absolute)",
     "The positions are not encoded by learned embeddings, as this family requires"},
    {kNotGpt2, "has(swiglu) and not swiglu",
     "The feed-forward layers have no gate, which this family requires"},
    {kGpt2, "has(swiglu) and swiglu", "The feed-forward layers have a gate, which GPT-2 has not"},
    {kNotGpt2, "has(squared_relu) and squared_relu",
     "The activation is not SiLU, which this family requires"},
    {kNotGpt2, "",
     "Rotary embeddings of a part of each head (rotary_percent) are in no setting of the output",
     true, "rotary_percent"},
    {kNotGpt2, "",
     "Scaled positions (rotary_seq_len_interpolation_factor) are in no setting of the output", true,
     "rotary_seq_len_interpolation_factor"},
    {"", "has(window_size.#)",
     "The window of the attention (window_size) is in no setting of the output", true},
    {"", "has(rope_type) and not is(rope_type,rope)",
     "Scaled rotary embeddings (rope_type) are in no setting of the output", true},
    {kLatent, "not has(rope_type)",
     "The settings do not contain rope_type, which is yarn by default for this family", true},
    {kGpt2, "has(num_query_groups) and has(group_query_attention) and group_query_attention",
     "Heads share keys and values, which GPT-2 does not support"},
    {"mixtral", "has(moe_router_pre_softmax) and moe_router_pre_softmax",
     "The router's softmax is before the choice of experts, which Mixtral does not support"},
    {kLatent, "has(moe_router_score_function) and not is(moe_router_score_function,sigmoid)",
     "The router's scores are not those of a sigmoid, which DeepSeek-V3 requires"},
    {kLatent, "has(mtp_num_layers) and mtp_num_layers > 0",
     "Layers for predicting several tokens are not converted"},
    {"", "has(layernorm_zero_centered_gamma) and layernorm_zero_centered_gamma",
     "The norms are stored less 1 (layernorm_zero_centered_gamma), which is not converted"},
    {kNotGpt2, "is(normalization,LayerNorm)",
     "The norms are not RMS norms (normalization), which this family requires"},
    {kNotGpt2, "has(gated_linear_unit) and not gated_linear_unit",
     "The feed-forward layers have no gate, which this family requires"},
    {kGpt2, "has(gated_linear_unit) and gated_linear_unit",
     "The feed-forward layers have a gate, which GPT-2 has not"},
    {kNotGpt2,
     "has(activation_func._target_) and not "
     "is(activation_func._target_,torch.nn.functional.silu)",
     "The activation is not SiLU (activation_func), which this family requires"},
    {kNotGpt2, "",
     "Scaled positions (seq_len_interpolation_factor) are in no setting of the output", true,
     "seq_len_interpolation_factor"},
    {kNotLlama, kNemoScaling,
     "Scaled rotary embeddings (scale_factor) are in no setting of the output", true},
    {kNotLlama, kMegatronScaling,
     "Scaled rotary embeddings (use_rope_scaling) are in no setting of the output", true},
    {kLlama,
     "has(scale_factor) and not (has(low_freq_factor) and has(high_freq_factor) and "
     "has(old_context_len))",
     "The settings contain only a part of those of scaled rotary embeddings (scale_factor, "
     "low_freq_factor, high_freq_factor, old_context_len)",
     true},
    {kLlama, "has(use_rope_scaling) and use_rope_scaling and not has(rope_scaling_factor)",
     "The settings do not contain the factor of scaled rotary embeddings (rope_scaling_factor)",
     true},
});

/// NeMo 2, llm/gpt/model/*.py: each file has the model and the configs of a family. Its
/// context/model.yaml (lightning/io/mixin.py) contains the arguments of both, with defaults.
constexpr auto kNemoClasses = std::to_array<ClassRow>({
    {"nemo.collections.llm.gpt.model.llama", "llama"},
    {"nemo.collections.llm.gpt.model.mistral", "llama mistral"},
    {"nemo.collections.llm.gpt.model.mixtral", "mixtral"},
    {"nemo.collections.llm.gpt.model.qwen2", "qwen2"},
    {"nemo.collections.llm.gpt.model.qwen3", "qwen3 qwen3_moe"},
    {"nemo.collections.llm.gpt.model.deepseek", "deepseek_v3"},
    {"nemo.collections.llm.gpt.model.base", "gpt2"},
});
constexpr auto kMegatronForms = std::to_array<SettingsForm>(
    {{"model.yaml", "config", "_target_ config._target_", kNemoClasses}});

constexpr auto kMegatronFacts = std::to_array<FactRow>({
    {"embedding_rows", "embedding.word_embeddings.weight", 0},
    {"first_expert_layer", "decoder.layers.{i}.mlp.router.weight", FactRow::kSmallestNumber},
});

} // namespace

const Framework& megatron() {
    static const Framework kMegatron = {
        "megatron",
        "Megatron-core",
        "embedding.word_embeddings.weight decoder.final_layernorm.weight",
        "args",
        kMegatronFacts,
        kMegatronFamilies,
        kMegatronConfig,
        kMegatronRefused,
        kMegatronCommon,
        kMegatronRules,
        kMegatronVariants,
        kMegatronForms,
        {},
        {},
        kMegatronStored,
        kMegatronTrained,
        megatronArgs(),
        megatronUnstored()};
    return kMegatron;
}

} // namespace cairn
