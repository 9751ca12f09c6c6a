// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cairn::ui {

/// A dotted name cut where people tell tensors apart: "model.layers.14.self_attn.q_proj.weight" is
/// q_proj.weight in model.layers.14.self_attn. Views into the name.
struct NameParts {
    std::string_view path; ///< without its last dot; may be empty
    std::string_view leaf; ///< never empty unless the name is
};

/// The leaf is the last part, with the one before it for as long as it says nothing by itself
/// (weight, bias, exp_avg, a number).
NameParts splitName(std::string_view name);

/// What parts of a name stand between: '.' for torch, '/' for names of other frameworks.
constexpr bool isSeparator(char c) {
    return c == '.' || c == '/';
}

} // namespace cairn::ui
