// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/slice_naming.h"

#include "core/families/config/name_pattern.h"
#include "core/families/slices/slice_names.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

using Program = SliceNaming::Program;

struct NamingRow {
    std::string_view own;
    std::array<std::string_view, 3>
        published; ///< in the order of their rows; the last may be empty
};

// clang-format off
constexpr auto kDeepSeek = std::to_array<NamingRow>({
    {"embed.{*}", {"model.embed_tokens.{*}"}},
    {"head.{*}", {"lm_head.{*}"}},
    {"norm.{*}", {"model.norm.{*}"}},
    {"layers.{i}.attn_norm.{*}", {"model.layers.{i}.input_layernorm.{*}"}},
    {"layers.{i}.ffn_norm.{*}", {"model.layers.{i}.post_attention_layernorm.{*}"}},
    {"layers.{i}.attn.wq.{*}", {"model.layers.{i}.self_attn.q_proj.{*}"}},
    {"layers.{i}.attn.wq_a.{*}", {"model.layers.{i}.self_attn.q_a_proj.{*}"}},
    {"layers.{i}.attn.q_norm.{*}", {"model.layers.{i}.self_attn.q_a_layernorm.{*}"}},
    {"layers.{i}.attn.wq_b.{*}", {"model.layers.{i}.self_attn.q_b_proj.{*}"}},
    {"layers.{i}.attn.wkv_a.{*}", {"model.layers.{i}.self_attn.kv_a_proj_with_mqa.{*}"}},
    {"layers.{i}.attn.kv_norm.{*}", {"model.layers.{i}.self_attn.kv_a_layernorm.{*}"}},
    {"layers.{i}.attn.wkv_b.{*}", {"model.layers.{i}.self_attn.kv_b_proj.{*}"}},
    {"layers.{i}.attn.wo.{*}", {"model.layers.{i}.self_attn.o_proj.{*}"}},
    {"layers.{i}.ffn.gate.bias", {"model.layers.{i}.mlp.gate.e_score_correction_bias"}},
    {"layers.{i}.ffn.gate.{*}", {"model.layers.{i}.mlp.gate.{*}"}},
    {"layers.{i}.ffn.w1.{*}", {"model.layers.{i}.mlp.gate_proj.{*}"}},
    {"layers.{i}.ffn.w2.{*}", {"model.layers.{i}.mlp.down_proj.{*}"}},
    {"layers.{i}.ffn.w3.{*}", {"model.layers.{i}.mlp.up_proj.{*}"}},
    {"layers.{i}.ffn.shared_experts.w1.{*}", {"model.layers.{i}.mlp.shared_experts.gate_proj.{*}"}},
    {"layers.{i}.ffn.shared_experts.w2.{*}", {"model.layers.{i}.mlp.shared_experts.down_proj.{*}"}},
    {"layers.{i}.ffn.shared_experts.w3.{*}", {"model.layers.{i}.mlp.shared_experts.up_proj.{*}"}},
    {"layers.{i}.ffn.experts.{e}.w1.{*}", {"model.layers.{i}.mlp.experts.{e}.gate_proj.{*}"}},
    {"layers.{i}.ffn.experts.{e}.w2.{*}", {"model.layers.{i}.mlp.experts.{e}.down_proj.{*}"}},
    {"layers.{i}.ffn.experts.{e}.w3.{*}", {"model.layers.{i}.mlp.experts.{e}.up_proj.{*}"}},
});

/// `fc` is what the activation is applied to, which transformers calls gate_proj.
constexpr auto kTensorRtLlm = std::to_array<NamingRow>({
    {"transformer.vocab_embedding.{*}", {"model.embed_tokens.{*}"}},
    {"transformer.ln_f.{*}", {"model.norm.{*}"}},
    {"transformer.layers.{i}.input_layernorm.{*}", {"model.layers.{i}.input_layernorm.{*}"}},
    {"transformer.layers.{i}.post_layernorm.{*}", {"model.layers.{i}.post_attention_layernorm.{*}"}},
    {"transformer.layers.{i}.attention.qkv.{*}", {"model.layers.{i}.self_attn.q_proj.{*}",
        "model.layers.{i}.self_attn.k_proj.{*}", "model.layers.{i}.self_attn.v_proj.{*}"}},
    {"transformer.layers.{i}.attention.dense.{*}", {"model.layers.{i}.self_attn.o_proj.{*}"}},
    {"transformer.layers.{i}.mlp.fc.{*}", {"model.layers.{i}.mlp.gate_proj.{*}"}},
    {"transformer.layers.{i}.mlp.gate.{*}", {"model.layers.{i}.mlp.up_proj.{*}"}},
    {"transformer.layers.{i}.mlp.proj.{*}", {"model.layers.{i}.mlp.down_proj.{*}"}},
});
// clang-format on

/// What only the program's names have among those of all slices.
constexpr std::string_view kDeepSeekSign = "layers.0.attn.wkv_a.weight";
constexpr std::string_view kTensorRtLlmSign = "transformer.layers.0.attention.qkv.weight";

struct NamingRule {
    NamePattern own;
    std::vector<NamePattern> published;
};

std::vector<NamingRule> parsed(std::span<const NamingRow> rows) {
    std::vector<NamingRule> rules;
    for (const NamingRow& row : rows) {
        NamingRule rule{NamePattern(row.own), {}};
        for (const std::string_view name : row.published) {
            if (!name.empty()) {
                rule.published.emplace_back(name);
            }
        }
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::span<const NamingRule> rulesOf(Program program) {
    static const std::vector<NamingRule> deepSeek = parsed(kDeepSeek);
    static const std::vector<NamingRule> tensorRtLlm = parsed(kTensorRtLlm);
    switch (program) {
    case Program::DeepSeek:
        return deepSeek;
    case Program::TensorRtLlm:
        return tensorRtLlm;
    case Program::Vllm:
    case Program::None:
        break;
    }
    return {};
}

/// The layers of which vLLM makes one.
std::vector<std::string> fusedParts(std::string_view name) {
    const FusedLayer* fused = fusedLayer(name);
    const std::string_view module = moduleOf(name);
    std::vector<std::string> made;
    for (std::size_t i = 0; fused != nullptr && i < fused->parts.size(); ++i) {
        if (!fused->parts[i].empty()) {
            made.push_back(std::string(module.substr(0, module.size() - fused->name.size())) +
                           std::string(fused->parts[i]) + std::string(name.substr(module.size())));
        }
    }
    return made;
}

} // namespace

SliceNaming SliceNaming::of(std::span<const std::string_view> names, bool shardedState) {
    const auto has = [&](std::string_view sign) {
        return std::ranges::find(names, sign) != names.end();
    };
    SliceNaming made;
    made.m_program = has(kDeepSeekSign)      ? Program::DeepSeek
                     : has(kTensorRtLlmSign) ? Program::TensorRtLlm
                     : shardedState          ? Program::Vllm
                                             : Program::None;
    return made;
}

bool SliceNaming::keeps(std::string_view modelType) const {
    constexpr auto kDeepSeekTypes = std::to_array<std::string_view>({"deepseek_v2", "deepseek_v3"});
    constexpr auto kTensorRtLlmTypes =
        std::to_array<std::string_view>({"llama", "mistral", "qwen2"});
    const auto in = [&](std::span<const std::string_view> types) {
        return std::ranges::find(types, modelType) != types.end();
    };
    switch (m_program) {
    case Program::DeepSeek:
        return in(kDeepSeekTypes);
    case Program::TensorRtLlm:
        return in(kTensorRtLlmTypes);
    case Program::Vllm:
    case Program::None:
        break;
    }
    return true;
}

std::vector<std::string> SliceNaming::published(std::string_view name) const {
    for (const NamingRule& rule : rulesOf(m_program)) {
        const auto numbers = rule.own.match(name);
        if (!numbers) {
            continue;
        }
        std::string_view rest = rule.own.rest(name);
        rest = m_program == Program::DeepSeek && rest == "scale" ? "weight_scale_inv" : rest;
        std::vector<std::string> made;
        for (const NamePattern& pattern : rule.published) {
            made.push_back(pattern.name(*numbers, rest));
        }
        return made;
    }
    std::vector<std::string> parts =
        m_program == Program::Vllm ? fusedParts(name) : std::vector<std::string>();
    return parts.empty() ? std::vector{std::string(name)} : parts;
}

} // namespace cairn
