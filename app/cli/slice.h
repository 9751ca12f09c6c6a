// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dims.h"

#include <string_view>

namespace cairn::cli {

/// Part of a tensor in Python notation.
struct Slice {
    Box box;
    Dims shape; ///< of the result: without dimensions given by a single index
};

/// "0:4,:8", "3", "-2:,...,0": comma-separated ranges `a:b`, single indices, one `...`; negative
/// numbers count from the end; ranges are clipped to the shape as in Python. Steps are refused.
/// Omitted dimensions are complete. Fails: BadSlice.
Result<Slice> parseSlice(std::string_view text, const Shape& shape);

} // namespace cairn::cli
