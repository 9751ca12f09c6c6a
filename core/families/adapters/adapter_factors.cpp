// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_factors.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr auto kWords = std::to_array<std::string_view>(
    {"lora_A", "lora_B", "lora_embedding_A", "lora_embedding_B", "lora_magnitude_vector",
     "lora_down", "lora_mid", "lora_up", "dora_scale", "hra_u", "road_theta", "road_alpha",
     "poly_lora_A", "poly_lora_B", "supertuning_lora_A", "supertuning_lora_B"});
constexpr auto kBeginnings = std::to_array<std::string_view>(
    {"hada_w",        "hada_t",    "lokr_w",  "lokr_t",  "glora_", "gralora_", "hira_",
     "lily_",         "adamss_",   "peanut_", "psoft_",  "oft_",   "boft_",    "vera_lambda_",
     "pvera_lambda_", "randlora_", "vblora_", "delora_", "deft_",  "unilora_", "osf_svd_params"});
/// Files that name whole modules with underscores have further words after the module.
constexpr auto kFlatBeginnings = std::to_array<std::string_view>({"lora_", "lycoris_"});
constexpr auto kFlatWords =
    std::to_array<std::string_view>({"a1", "a2", "b1", "b2", "bm", "rescale"});

bool beginsWithOne(std::string_view text, const auto& beginnings) {
    return std::ranges::any_of(beginnings,
                               [&](std::string_view each) { return text.starts_with(each); });
}

/// "lora", "qkv_lora1", "lora_linear_layer", before "down" or "up".
bool namesLora(std::string_view part) {
    while (!part.empty() && isDigit(part.back())) {
        part.remove_suffix(1);
    }
    return part == "lora" || part.ends_with("_lora") || part == "lora_linear_layer";
}

} // namespace

bool isAdapterFactor(std::string_view name) {
    const std::size_t dot = name.find('.');
    if (dot != name.npos && beginsWithOne(name, kFlatBeginnings)) {
        const std::string_view rest = name.substr(dot + 1);
        const std::string_view word = rest.substr(0, rest.find('.'));
        if (std::ranges::find(kFlatWords, word) != kFlatWords.end()) {
            return true;
        }
    }
    std::string_view before;
    while (!name.empty()) {
        const std::string_view part = name.substr(0, name.find('.'));
        const bool half = (part == "down" || part == "up") && namesLora(before);
        if (half || std::ranges::find(kWords, part) != kWords.end() ||
            beginsWithOne(part, kBeginnings)) {
            return true;
        }
        before = part;
        name.remove_prefix(std::min(part.size() + 1, name.size()));
    }
    return false;
}

} // namespace cairn
