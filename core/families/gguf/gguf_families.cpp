// SPDX-License-Identifier: Apache-2.0
//
// Names of Hugging Face and of llama.cpp. The rows q and k of Llama's attention are regrouped from
// halves (i, i + d/2) to pairs (2i, 2i + 1), which its graph rotates; the other architectures
// rotate halves.
#include "core/families/config/words.h"
#include "core/families/gguf/gguf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace cairn {
namespace {

constexpr std::string_view kLlamaTensors = R"(
let H = num_attention_heads
let G = num_key_value_heads
drop *rotary_emb.inv_freq
when tie_word_embeddings
drop lm_head.weight
always
lm_head.weight -> output.weight
model.embed_tokens.weight -> token_embd.weight
model.norm.weight -> output_norm.weight
model.layers.{i}.(input_layernorm|post_attention_layernorm).weight -> blk.{i}.(attn_norm|ffn_norm).weight
model.layers.{i}.self_attn.q_proj.(weight|bias) | split 0 H 2 d0/H/2; swap 1 2; merge 0 3 -> blk.{i}.attn_q.(weight|bias)
model.layers.{i}.self_attn.k_proj.(weight|bias) | split 0 G 2 d0/G/2; swap 1 2; merge 0 3 -> blk.{i}.attn_k.(weight|bias)
model.layers.{i}.self_attn.v_proj.(weight|bias) -> blk.{i}.attn_v.(weight|bias)
model.layers.{i}.self_attn.o_proj.(weight|bias) -> blk.{i}.attn_output.(weight|bias)
model.layers.{i}.mlp.(gate_proj|up_proj|down_proj).weight -> blk.{i}.(ffn_gate|ffn_up|ffn_down).weight
model.layers.{i}.mlp.(gate_proj|up_proj|down_proj).bias -> blk.{i}.(ffn_gate|ffn_up|ffn_down).bias
when is(model_type,mixtral)
model.layers.{i}.block_sparse_moe.gate.weight -> blk.{i}.ffn_gate_inp.weight
model.layers.{i}.block_sparse_moe.experts.{e}.(w1|w2|w3).weight | stack e -> blk.{i}.(ffn_gate_exps|ffn_down_exps|ffn_up_exps).weight
)";

constexpr std::string_view kQwenTensors = R"(
drop *rotary_emb.inv_freq
when tie_word_embeddings
drop lm_head.weight
always
lm_head.weight -> output.weight
model.embed_tokens.weight -> token_embd.weight
model.norm.weight -> output_norm.weight
model.layers.{i}.(input_layernorm|post_attention_layernorm).weight -> blk.{i}.(attn_norm|ffn_norm).weight
model.layers.{i}.self_attn.(q_proj|k_proj|v_proj|o_proj).weight -> blk.{i}.(attn_q|attn_k|attn_v|attn_output).weight
model.layers.{i}.mlp.(gate_proj|up_proj|down_proj).weight -> blk.{i}.(ffn_gate|ffn_up|ffn_down).weight
when is(model_type,qwen2)
model.layers.{i}.self_attn.(q_proj|k_proj|v_proj).bias -> blk.{i}.(attn_q|attn_k|attn_v).bias
when is(model_type,qwen3)
model.layers.{i}.self_attn.(q_norm|k_norm).weight -> blk.{i}.(attn_q_norm|attn_k_norm).weight
)";

constexpr std::string_view kGemmaTensors = R"(
drop lm_head.weight
model.embed_tokens.weight -> token_embd.weight
model.norm.weight -> output_norm.weight
model.layers.{i}.(input_layernorm|post_attention_layernorm).weight -> blk.{i}.(attn_norm|post_attention_norm).weight
model.layers.{i}.(pre_feedforward_layernorm|post_feedforward_layernorm).weight -> blk.{i}.(ffn_norm|post_ffw_norm).weight
model.layers.{i}.self_attn.(q_proj|k_proj|v_proj|o_proj).weight -> blk.{i}.(attn_q|attn_k|attn_v|attn_output).weight
model.layers.{i}.mlp.(gate_proj|up_proj|down_proj).weight -> blk.{i}.(ffn_gate|ffn_up|ffn_down).weight
when is(model_type,gemma3_text)
model.layers.{i}.self_attn.(q_norm|k_norm).weight -> blk.{i}.(attn_q_norm|attn_k_norm).weight
)";

/// Its matrices are stored as [in, out]; published with and without the prefix.
constexpr std::string_view kGpt2Tensors = R"(
drop (transformer.h.{i}.attn.bias|h.{i}.attn.bias)
drop (transformer.h.{i}.attn.masked_bias|h.{i}.attn.masked_bias)
when tie_word_embeddings
drop lm_head.weight
always
lm_head.weight -> output.weight
(transformer.wte|wte).weight -> (token_embd|token_embd).weight
(transformer.wpe|wpe).weight -> (position_embd|position_embd).weight
(transformer.ln_f|ln_f).weight -> (output_norm|output_norm).weight
(transformer.ln_f|ln_f).bias -> (output_norm|output_norm).bias
(transformer.h|h).{i}.ln_1.weight -> (blk|blk).{i}.attn_norm.weight
(transformer.h|h).{i}.ln_1.bias -> (blk|blk).{i}.attn_norm.bias
(transformer.h|h).{i}.ln_2.weight -> (blk|blk).{i}.ffn_norm.weight
(transformer.h|h).{i}.ln_2.bias -> (blk|blk).{i}.ffn_norm.bias
(transformer.h|h).{i}.attn.c_attn.weight | swap 0 1 -> (blk|blk).{i}.attn_qkv.weight
(transformer.h|h).{i}.attn.c_attn.bias -> (blk|blk).{i}.attn_qkv.bias
(transformer.h|h).{i}.attn.c_proj.weight | swap 0 1 -> (blk|blk).{i}.attn_output.weight
(transformer.h|h).{i}.attn.c_proj.bias -> (blk|blk).{i}.attn_output.bias
(transformer.h|h).{i}.mlp.c_fc.weight | swap 0 1 -> (blk|blk).{i}.ffn_up.weight
(transformer.h|h).{i}.mlp.c_fc.bias -> (blk|blk).{i}.ffn_up.bias
(transformer.h|h).{i}.mlp.c_proj.weight | swap 0 1 -> (blk|blk).{i}.ffn_down.weight
(transformer.h|h).{i}.mlp.c_proj.bias -> (blk|blk).{i}.ffn_down.bias
)";

constexpr std::string_view kPhi3Tensors = R"(
drop *rotary_emb.inv_freq
when tie_word_embeddings
drop lm_head.weight
always
lm_head.weight -> output.weight
model.embed_tokens.weight -> token_embd.weight
model.norm.weight -> output_norm.weight
model.layers.{i}.(input_layernorm|post_attention_layernorm).weight -> blk.{i}.(attn_norm|ffn_norm).weight
model.layers.{i}.self_attn.(qkv_proj|o_proj).weight -> blk.{i}.(attn_qkv|attn_output).weight
model.layers.{i}.mlp.(gate_up_proj|down_proj).weight -> blk.{i}.(ffn_up|ffn_down).weight
)";

using enum GgufVocabulary;
constexpr auto kFamilies = std::to_array<GgufFamily>({
    {"llama", "LlamaForCausalLM", "llama", PiecesFirst, "silu", kLlamaTensors},
    {"mistral", "MistralForCausalLM", "llama", PiecesFirst, "silu", kLlamaTensors},
    {"mixtral", "MixtralForCausalLM", "llama", PiecesFirst, "silu", kLlamaTensors},
    {"qwen2", "Qwen2ForCausalLM", "qwen2", PiecesFirst, "silu", kQwenTensors},
    {"qwen3", "Qwen3ForCausalLM", "qwen3", PiecesFirst, "silu", kQwenTensors},
    {"gemma2", "Gemma2ForCausalLM", "gemma2", Pieces, "gelu_pytorch_tanh", kGemmaTensors, true,
     false},
    {"gemma3_text", "Gemma3ForCausalLM", "gemma3", Pieces, "gelu_pytorch_tanh", kGemmaTensors, true,
     false},
    {"gpt2", "GPT2LMHeadModel", "gpt2", BytePairs, "gelu_new gelu_pytorch_tanh", kGpt2Tensors},
    {"phi3", "Phi3ForCausalLM", "phi3", PiecesOrGpt2, "silu", kPhi3Tensors},
});

/// A count with a unit, with at least two digits.
std::string rounded(double count) {
    constexpr std::array<std::pair<double, char>, 3> kUnits = {
        {{1e12, 'T'}, {1e9, 'B'}, {1e6, 'M'}}};
    const auto unit =
        std::ranges::find_if(kUnits, [count](const auto& each) { return count > each.first; });
    const bool isLarge = unit != kUnits.end();
    const double scaled = count * (isLarge ? 1 / unit->first : 1e-3);
    const double whole = std::nearbyint(scaled);
    const int digits = whole < 1 ? 2 : whole < 10 ? 1 : 0;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, scaled);
    return std::string(text.data()) + (isLarge ? unit->second : 'K');
}

} // namespace

Result<const GgufFamily*> ggufFamilyOf(const ModelConfig& config) {
    const std::vector<std::string> classes = config.texts("architectures");
    const std::string type = config.text("model_type").value_or("");
    const auto found = std::ranges::find_if(kFamilies, [&](const GgufFamily& family) {
        return classes.empty() ? family.type == type : family.modelClass == classes.front();
    });
    if (found != kFamilies.end()) {
        return &*found;
    }
    std::string known;
    for (const GgufFamily& family : kFamilies) {
        known += (known.empty() ? "" : ", ") + std::string(family.modelClass);
    }
    return fail(ErrorCode::Unsupported, "Models of this class are not converted to llama.cpp's")
        .inFile("config.json")
        .butFound(!classes.empty() ? verbatim(classes.front())
                  : type.empty()   ? Sentence("no model_type")
                                   : verbatim(type))
        .expecting(verbatim(known));
}

KnownRecipe ggufRecipe(const GgufFamily& family) {
    return {"hf", "gguf", family.modelClass, family.type, family.rules, true};
}

bool isGgufFloat32(std::string_view name, std::size_t dimensions) {
    static constexpr std::array<std::string_view, 3> kAlways = {
        "_norm.weight", "ffn_gate_inp.weight", "position_embd.weight"};
    return dimensions <= 1 || !name.ends_with(".weight") ||
           std::ranges::any_of(kAlways,
                               [name](std::string_view end) { return name.ends_with(end); });
}

std::string ggufSizeLabel(std::span<const GgufTensorSize> tensors) {
    double shared = 0;
    double expert = 0;
    std::uint64_t experts = 0;
    std::uint64_t joined = 0;
    for (const GgufTensorSize& tensor : tensors) {
        const bool isJoined = tensor.name.find("_exps.") != tensor.name.npos;
        const std::uint64_t count = isJoined ? std::max<std::uint64_t>(tensor.experts, 1) : 1;
        (isJoined ? expert : shared) += static_cast<double>(tensor.elements / count);
        experts += isJoined ? count : 0;
        joined += isJoined ? 1 : 0;
    }
    const std::string size = rounded(shared + expert);
    return joined > 0 ? std::to_string(experts / joined) + "x" + size : size;
}

} // namespace cairn
