// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dims.h"

#include <string_view>

namespace cairn::cli {

/// Part of a tensor as Python writes it.
struct Slice {
    Box box;
    Dims shape; ///< of the result: dimensions given by a single index are gone
};

/// "0:4,:8", "3", "-2:,...,0": comma-separated ranges `a:b`, single indices, one `...`; negative
/// numbers count from the end; ranges are cut to the shape as in Python. Steps are refused. Missing
/// dimensions are complete. Fails: BadSlice.
Result<Slice> parseSlice(std::string_view text, const Shape& shape);

} // namespace cairn::cli
