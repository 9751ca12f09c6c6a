// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// A two-dimensional slice of a tensor in at most a few thousand cells: each is the mean of the
/// finite elements in its block (for complex ones, of their modulus).
struct HeatMap {
    std::size_t rows = 0; ///< number of cells
    std::size_t columns = 0;
    std::vector<double> cells;  ///< rows * columns, C order; NaN: no finite element was read
    std::vector<bool> broken;   ///< the cell contains a NaN or an infinity
    std::int64_t blockRows = 0; ///< elements per cell; the last ones may be smaller
    std::int64_t blockColumns = 0;
    bool sampled = false; ///< only some elements of each block were read
};

struct HeatMapOptions {
    std::size_t maxRows = 32;
    std::size_t maxColumns = 64;
    /// The slice: indices into all dimensions except the last two; missing ones are 0.
    std::span<const std::int64_t> leading = {};
    std::uint64_t maxBytes = std::uint64_t{64} << 20U; ///< approximate limit for reading
    CancelToken cancel = {};
};

/// A vector is one row; a scalar has no map. Reads complete blocks if that is at most maxBytes,
/// else some evenly distributed rows of each. Any thread. Fails: Unsupported for non-numeric or
/// sub-byte elements and for tensors with fewer than two elements, the errors of reading,
/// Cancelled.
Result<HeatMap> heatMap(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        const HeatMapOptions& options = {});

/// The same for two tensors of the same shape: each cell is the mean of |right - left| over the
/// pairs in its block with two finite sides; broken if a side is not finite. `options.leading` and
/// `options.maxBytes` apply to each side. Fails as heatMap(), and with InvalidArgument for
/// different shapes.
Result<HeatMap> differenceMap(const Checkpoint& left, const TensorEntry& leftTensor,
                              const Checkpoint& right, const TensorEntry& rightTensor,
                              const HeatMapOptions& options = {});

} // namespace cairn
