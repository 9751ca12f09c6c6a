// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cairn::ui {

/// A dotted name split into module path and tensor name: "model.layers.14.self_attn.q_proj.weight"
/// is q_proj.weight in model.layers.14.self_attn. Views into the name.
struct NameParts {
    std::string_view path; ///< without its last dot; may be empty
    std::string_view leaf; ///< empty only if the name is
};

/// The leaf is the last component, with its parent if it is generic (weight, bias, exp_avg, a
/// number).
NameParts splitName(std::string_view name);

/// The separators of a name's parts: '.' for torch, '/' for names of other frameworks.
constexpr bool isSeparator(char c) {
    return c == '.' || c == '/';
}

} // namespace cairn::ui
