// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dims.h"
#include "core/model/strided_read.h"

#include <string_view>
#include <vector>

namespace cairn::cli {

/// Part of a tensor in Python notation.
struct Slice {
    std::vector<StridedRange> ranges; ///< one for each dimension
    Dims shape;                       ///< of the result: without dimensions given by a single index
};

/// "0:4,:8", "3", "-2:,...,0", "::-2": comma-separated ranges `a:b` and `a:b:step`, single indices,
/// one `...`; negative numbers count from the end; ranges are clipped to the shape as in Python.
/// Omitted dimensions are complete. Fails: BadSlice.
Result<Slice> parseSlice(std::string_view text, const Shape& shape);

} // namespace cairn::cli
