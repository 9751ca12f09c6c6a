// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn {

/// Sums and extremes of elements, mergeable. All figures except the counts are over the finite
/// elements; for complex elements over their modulus. A plain value.
struct ElementStatistics {
    std::uint64_t count = 0;
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zeros = 0; ///< positive and negative
    double min = 0;          ///< zero if finite() is zero, like the following
    double max = 0;
    double mean = 0;
    double m2 = 0;         ///< sum of squared distances from the mean
    double l1 = 0;         ///< sum of magnitudes
    double sumSquares = 0; ///< the square of the L2 norm

    [[nodiscard]] std::uint64_t finite() const { return count - nan - inf; }
    friend bool operator==(const ElementStatistics&, const ElementStatistics&) = default;
};

/// Elements of one block, whose order of addition is fixed (lanes.h).
inline constexpr std::size_t kBlockElements = std::size_t{64} << 10U;

/// Blocks of one segment, the unit of work of a thread. Merging blocks into segments and segments
/// into tensors in order makes the result independent of the number of threads.
inline constexpr std::size_t kSegmentBlocks = 64;
inline constexpr std::size_t kSegmentElements = kSegmentBlocks * kBlockElements;

/// Dtypes that the kernels measure: real and complex numbers of complete bytes.
bool canMeasure(Dtype dtype);

/// Statistics of one block: dense, little-endian, complete elements. Uses the widest vectors of the
/// processor, with the same bits on each (lanes.h). The error of a sum is at most 4096·2^-53 of the
/// sum of its terms' magnitudes, usually far less. The summed terms are distances from the mean of
/// the first elements, so that a mean that is large compared with the deviation costs no precision
/// (the shifted-data form; Chan, Golub and LeVeque 1983).
///
/// For bfloat16, float16 and float32 the terms are the elements themselves, whose squares are exact
/// in a double; a block with a large mean (above 8 times the deviation for float32, 1.7 times for
/// the others) gets a second pass, over distances from its mean. For bfloat16 and float16 eight
/// terms at a time are first added as floats, unless the block has fewer than 4096 elements, or has
/// elements that are not finite or, for bfloat16, outside 2^-64 … 2^60. The errors of the mean
/// (relative to the mean magnitude), l1 and sumSquares are then at most 3·2^-24 and that of the
/// deviation at most a millionth, usually a thousandth of that, because errors cancel over many
/// elements. Extremes and counts are exact.
///
/// Never fails; any thread. If squares exceed the range of a double, m2 and sumSquares are
/// infinite. REQUIRES: canMeasure(dtype); at most kBlockElements elements.
ElementStatistics blockStatistics(Dtype dtype, std::span<const std::byte> bytes);

/// Adds `next`, which follows `sums` (Chan's formula). Not associative in the last bits: the order
/// matters.
void merge(ElementStatistics& sums, const ElementStatistics& next);

} // namespace cairn
