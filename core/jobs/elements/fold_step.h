// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter_operation.h"
#include "core/model/dims.h"

#include <algorithm>
#include <cstdint>

namespace cairn {

/// A box of a tensor as one of the matrix that asMatrix() makes of it, with the same elements in
/// the same order. Fails with Unsupported if it has only parts of kernels.
inline Result<Box> asMatrix(const Shape& shape, const Box& box) {
    if (shape.size() < 4) {
        return box;
    }
    std::int64_t first = 0;
    std::int64_t count = 1;
    bool whole = true; // all dimensions so far, from the last one on
    for (std::size_t d = shape.size() - 1; d > 0; --d) {
        if (!whole && box.extent[d] != 1) {
            return fail(ErrorCode::Unsupported,
                        "An adapter cannot be folded into parts of a convolution's kernels")
                .withHint("Write the model unsharded, or cut in its first dimension");
        }
        whole = whole && box.extent[d] == shape[d];
    }
    for (std::size_t d = 1; d < shape.size(); ++d) {
        first = first * shape[d] + box.origin[d];
        count *= box.extent[d];
    }
    return Box{{box.origin[0], first}, {box.extent[0], count}};
}

/// How many of the `most` elements from `first` on, in the C order of a box, are folded together:
/// up to the end of a row, and a multiple of four rows if there are so many, since products take
/// four rows at a time and complete ones. At least one, at most `most`. REQUIRES: a box with
/// elements.
inline std::uint64_t foldStep(const Box& box, std::uint64_t first, std::uint64_t most) {
    if (box.extent.size() < 2) {
        return most;
    }
    const Shape rowsOnly = asMatrix(box.extent);
    const auto width = static_cast<std::uint64_t>(rowsOnly[rowsOnly.size() - 1]);
    const std::uint64_t begun = first % width;
    if (begun != 0) {
        return std::min(most, width - begun);
    }
    const std::uint64_t rows = most / width;
    return rows == 0 ? most : (rows >= 4 ? rows / 4 * 4 : rows) * width;
}

} // namespace cairn
