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

/// A two-dimensional slice of a tensor, in at most a few thousand cells: each the mean of the
/// finite elements of its block (of complex ones: of their modulus).
struct HeatMap {
    std::size_t rows = 0; ///< of cells
    std::size_t columns = 0;
    std::vector<double> cells;  ///< rows * columns, C order; NaN: no finite element was seen
    std::vector<bool> broken;   ///< the cell has a NaN or an infinity
    std::int64_t blockRows = 0; ///< elements in a cell; the last ones may be smaller
    std::int64_t blockColumns = 0;
    bool sampled = false; ///< of each block only some elements were read
};

struct HeatMapOptions {
    std::size_t maxRows = 32;
    std::size_t maxColumns = 64;
    /// Which slice: indices into the leading dimensions, all but the last two; missing ones are 0.
    std::span<const std::int64_t> leading = {};
    std::uint64_t maxBytes = std::uint64_t{64} << 20U; ///< read at most about this many
    CancelToken cancel = {};
};

/// A vector is one row; a scalar has no map. Reads complete blocks where that is not more than
/// maxBytes, else some rows of each, spread evenly. Any thread. Fails: Unsupported for elements
/// that are not numbers of whole bytes and for tensors of no or of one element, the errors of
/// reading, Cancelled.
Result<HeatMap> heatMap(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        const HeatMapOptions& options = {});

/// The same of two tensors of one shape: each cell is the mean of |right - left| over the pairs of
/// its block in which both are finite; broken where one of them is not. `options.leading` and
/// `options.maxBytes` hold for each side. Fails as heatMap(), and with InvalidArgument for other
/// shapes.
Result<HeatMap> differenceMap(const Checkpoint& left, const TensorEntry& leftTensor,
                              const Checkpoint& right, const TensorEntry& rightTensor,
                              const HeatMapOptions& options = {});

} // namespace cairn
