// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Compares a pair of tensors element by element, for a grid of values with the changed ones
/// marked.
namespace cairn {

/// The elements of one box of two tensors, in C order.
struct SliceDiff {
    Box box;
    std::vector<std::byte> left;       ///< dense and little-endian in each side's dtype: for
    std::vector<std::byte> right;      ///< elementText() (core/model/element.h)
    std::vector<double> leftValues;    ///< as numbers (the real part of complex elements); NaN if
    std::vector<double> rightValues;   ///< the dtype is not numeric
    std::vector<std::uint8_t> changed; ///< 1 where the values differ (ElementComparison::changed)
};

/// A tensor and the checkpoint that it belongs to. Borrowed.
struct StoredTensor {
    const Checkpoint& checkpoint;
    const TensorEntry& entry;
};

/// Reads one box of both sides. Fails with InvalidArgument for different shapes, dtypes that cannot
/// be compared, elements smaller than a byte, or a box outside the shape; LimitExceeded above
/// kMaxSliceElements; ChangedOnDisk; and the errors of reading. Memory: O(box). Any thread.
Result<SliceDiff> diffSlice(const StoredTensor& left, const StoredTensor& right, const Box& box);
inline constexpr std::uint64_t kMaxSliceElements = std::uint64_t{1} << 20U;

/// Positions of changed elements in C order (divide by the strides for indices): at most `limit`,
/// starting at `from`. Reads both sides from there until enough are found. Fails as diffSlice(),
/// and with Cancelled. Memory: 2 MiB and the result. Any thread.
Result<std::vector<std::uint64_t>> changedPositions(const StoredTensor& left,
                                                    const StoredTensor& right, std::uint64_t from,
                                                    std::size_t limit,
                                                    const CancelToken& cancel = {});

} // namespace cairn
