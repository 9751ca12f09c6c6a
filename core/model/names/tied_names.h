// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Tied weights in safetensors metadata. The library's save_model() stores one of the names and
/// records the others as text, {"lm_head.weight": "embed.weight"}, among the user's own entries.
namespace cairn::names {

/// Metadata with this key, with any value: every entry whose text is a tensor's name is a tie.
/// Written if the names alone would be ambiguous.
inline constexpr std::string_view kTiesMark = "cairn.ties";

/// Both have the form of parameter names, so that the entry is a tie, not a word that happens to be
/// a tensor's name ({"target": "weight"}).
inline bool areParameterNames(std::string_view name, std::string_view kept) {
    const auto isDotted = [](std::string_view text) {
        return text.find('.') != std::string_view::npos;
    };
    const auto leaf = [](std::string_view text) { return text.substr(text.rfind('.') + 1); };
    return !name.empty() && !kept.empty() &&
           ((isDotted(name) && isDotted(kept)) || leaf(name) == leaf(kept));
}

} // namespace cairn::names
