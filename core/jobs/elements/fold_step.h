// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <algorithm>
#include <cstdint>

namespace cairn {

/// How many of the `most` elements from `first` on, in the C order of a box, are folded together:
/// up to the end of a row, and a multiple of four rows if there are so many, since products take
/// four rows at a time and complete ones. At least one, at most `most`. REQUIRES: a box with
/// elements.
inline std::uint64_t foldStep(const Box& box, std::uint64_t first, std::uint64_t most) {
    if (box.extent.size() < 2) {
        return most;
    }
    const auto width = static_cast<std::uint64_t>(box.extent[box.extent.size() - 1]);
    const std::uint64_t begun = first % width;
    if (begun != 0) {
        return std::min(most, width - begun);
    }
    const std::uint64_t rows = most / width;
    return rows == 0 ? most : (rows >= 4 ? rows / 4 * 4 : rows) * width;
}

} // namespace cairn
