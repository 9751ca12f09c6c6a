// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/model_part.h"

#include "core/model/names/tokens.h"

#include <algorithm>
#include <span>
#include <string>

namespace cairn {
namespace {

// llama.cpp, Meta, Megatron; classifiers of transformers
constexpr auto kOtherHeads = std::to_array<std::string_view>(
    {"output.weight", "output_layer.weight", "score.weight", "classifier.weight"});
// transformers, Megatron, torchtitan, llama.cpp
constexpr auto kRouters = std::to_array<std::string_view>(
    {"gate.weight", "router.weight", "router.layer.weight", "router.classifier.weight",
     "gate.wg.weight", "shared_expert_gate.weight", "shared_experts.gate_weight",
     "ffn_gate_inp.weight", "ffn_gate_inp_shexp.weight"});
constexpr auto kTables =
    std::to_array<std::string_view>({"wte", "wpe", "shared", "relative_attention_bias"});

/// The name ends with complete components.
bool endsWithOne(std::string_view name, std::span<const std::string_view> endings) {
    return std::ranges::any_of(endings, [name](std::string_view each) {
        return name.ends_with(each) &&
               (name.size() == each.size() || name[name.size() - each.size() - 1] == '.');
    });
}

bool allOf(std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
}

} // namespace

ModelPart modelPart(std::string_view name) {
    const bool isTop = name.find_first_of("0123456789") == name.npos; // not in a layer
    if (endsWithOne(name, kHeadNames) || (isTop && endsWithOne(name, kOtherHeads))) {
        return ModelPart::Head;
    }
    if (endsWithOne(name, kRouters)) {
        return ModelPart::Router;
    }
    if (!name.ends_with(".weight")) {
        return ModelPart::Other;
    }
    name.remove_suffix(std::string_view(".weight").size());
    const std::string_view module = name.substr(name.rfind('.') + 1); // npos + 1 is 0
    const bool isTable = module.find("embed") != module.npos ||
                         module.find("embd") != module.npos ||
                         std::ranges::find(kTables, module) != kTables.end();
    return isTable ? ModelPart::Embedding : ModelPart::Other;
}

bool isNormName(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) {
        return false;
    }
    const std::string_view before = name.substr(0, dot);
    const std::string parent =
        names::lowered(before.substr(before.rfind('.') + 1)); // npos + 1 is 0
    if (parent.find("norm") != parent.npos) {
        return true;
    }
    for (const std::string_view shortName : {"ln", "bn", "gn"}) { // ln_f, ln_1, ln1, bn2
        if (parent.starts_with(shortName) &&
            (allOf(std::string_view(parent).substr(2), "0123456789_f") || parent[2] == '_')) {
            return true;
        }
    }
    return false;
}

} // namespace cairn
