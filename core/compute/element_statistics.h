// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn {

/// Sums and extremes of elements, mergeable. Everything but the counts speaks of the finite
/// elements; of complex ones, of their modulus. A plain value.
struct ElementStatistics {
    std::uint64_t count = 0;
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zeros = 0; ///< of either sign
    double min = 0;          ///< zero when finite() is, like all that follows
    double max = 0;
    double mean = 0;
    double m2 = 0;         ///< sum of squared distances from the mean
    double l1 = 0;         ///< sum of magnitudes
    double sumSquares = 0; ///< the square of the L2 norm

    [[nodiscard]] std::uint64_t finite() const { return count - nan - inf; }
    friend bool operator==(const ElementStatistics&, const ElementStatistics&) = default;
};

/// The kernels' unit of work: elements of one block are summed in a fixed order (lanes.h).
inline constexpr std::size_t kBlockElements = std::size_t{64} << 10U;

/// Blocks of one segment: what one thread takes at a time. Merge blocks into segments and segments
/// into tensors in order, and the result does not depend on the number of threads.
inline constexpr std::size_t kSegmentBlocks = 64;
inline constexpr std::size_t kSegmentElements = kSegmentBlocks * kBlockElements;

/// True for dtypes that the kernels measure: numbers and complex numbers of whole bytes.
bool canMeasure(Dtype dtype);

/// One block: dense, little-endian, of whole elements. Runs on the widest vectors that the
/// processor has, with the same bits on each (the order of all sums: lanes.h). Sums are of doubles:
/// each is wrong by at most 4096·2^-53 of the sum of its terms' magnitudes, and by far less as a
/// rule. What is summed are distances from the mean of the first elements, so that a mean that is
/// large beside the deviation costs no digits (the shifted-data form; Chan, Golub and LeVeque
/// 1983).
///
/// Of bfloat16, float16 and float32 it is the elements themselves, of which a double holds every
/// square, and a block of which the mean is large (of float32 above 8 times the deviation, of the
/// others above 1.7 times) is gone over again, with its mean as the point from which is measured.
/// Of bfloat16 and float16 eight terms at a time are added as floats first, unless the block has
/// fewer than 4096 elements or some that are not finite or, of bfloat16, outside 2^-64 … 2^60: then
/// the mean, relative to the mean magnitude, l1 and sumSquares are wrong by at most 3·2^-24 and the
/// deviation by at most a millionth; as a rule by a thousandth of that, because errors cancel over
/// many elements. Extremes and counts are exact.
///
/// Never fails; any thread. Squares beyond the range of a double make m2 and sumSquares infinite.
/// REQUIRES: canMeasure(dtype); at most kBlockElements elements.
ElementStatistics blockStatistics(Dtype dtype, std::span<const std::byte> bytes);

/// `sums` followed by `next` (Chan's formula). Not associative to the last bit: mind the order.
void merge(ElementStatistics& sums, const ElementStatistics& next);

} // namespace cairn
