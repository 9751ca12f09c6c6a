// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/typed_index.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Which tensors of a checkpoint a job takes. A value type.
struct Selection {
    enum class Kind : std::uint8_t { Weights, All, Glob };
    Kind kind = Kind::Weights;
    std::string glob;    ///< Kind::Glob: matched against full names
    std::string subtree; ///< "" or a dotted prefix without its last dot: PATH#subtree

    /// "weights", "all", or anything else as a glob.
    static Selection parse(std::string_view text);
    [[nodiscard]] std::string text() const; ///< what parse() takes
};

/// `*` any run of characters, `?` one character, `{a,b}` either (may nest). Everything else stands
/// for itself. Bytes, not letters. Time is bounded by pattern x name for each of at most 1000 brace
/// expansions; beyond them nothing matches.
bool globMatches(std::string_view pattern, std::string_view name);

/// The chosen tensors in the checkpoint's order. Weights: roles Weight and Buffer. Pure.
std::vector<TensorIndex> selectTensors(const Checkpoint& checkpoint, const Selection& selection);

} // namespace cairn
