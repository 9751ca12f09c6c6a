// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

/// The order in which the kernels add, so that a result is one number whatever did the sum.
///
/// Sums of doubles depend on their order. Here the order is part of the definition:
///   1. a tensor's elements, in C order, are cut into blocks of kBlockElements;
///   2. within a block, element i goes to lane i % kLanes; a lane adds its elements in order;
///   3. a block's lanes are added as a tree: lane j and lane j + 8, then j + 4, j + 2, j + 1;
///   4. blocks are merged one after the other into segments of kSegmentBlocks, segments one after
///      the other into the tensor.
/// Products are rounded before they are added (never fused), except where a product is exact
/// anyway. So AVX-512, AVX2 and plain C++ give equal bits, and threads that take whole segments do
/// not show in the result.
/// Of float32 there are further kernels, which are faster where every element is finite and add in
/// the same order.
///
/// bfloat16 and float16 are added by trees of floats where that gives little away; then 2. reads:
///   a. a block is cut into runs of kRun elements; what is left goes to the lanes as in 2., after
///      all runs;
///   b. a run is four rows of 32 elements, a row is a pair for each of 16 lanes: of bfloat16 the
///      lane's pair are elements 2·lane and 2·lane + 1 of the row, of float16 lane and lane + 16;
///   c. the terms (x, x², |x| …) are floats, as are term(first) + term(second), the pair's; and
///      (row 0 + row 1) + (row 2 + row 3), the run's eight terms of a lane; each operation is
///      rounded to nearest;
///   d. that float is added to the lane, a double, run after run.
/// So of eight terms at most 3·2^-24 of the sum of their magnitudes is lost, and nothing at all
/// when their exponents are about the same: a float has room for sixteen digits more than bfloat16.
/// It is done for statistics of blocks of at least kLeastTreeElements, in smaller ones the errors
/// of so few trees would not cancel and nothing is gained; and for the squares of a comparison when
/// both sides are the same bits, where all elements of a block's runs are tame: finite, and of
/// bfloat16 zero or of a magnitude from 2^-64 to below 2^60, so that squares neither overflow nor
/// lose their last digits. A block with another element goes by 2., and so do measures of what
/// differs, of which every digit is kept. Internal to core/compute and its tests.
namespace cairn::lanes {

inline constexpr std::size_t kLanes = 16;
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline constexpr std::size_t kRun = 128; ///< elements that are added by trees at a time
inline constexpr std::size_t kLeastTreeElements = 32 * kRun; ///< of a block, for statistics

using Lanes = std::array<double, kLanes>;

inline double treeSum(Lanes lanes) {
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t j = 0; j < half; ++j) {
            lanes[j] += lanes[j + half];
        }
    }
    return lanes[0];
}

/// Those that may be added by trees of floats.
inline bool isTreeFloat(Dtype dtype) {
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

/// Floats of at most 24 digits: the square of one is exact in a double.
inline bool isPlainFloat(Dtype dtype) {
    return isTreeFloat(dtype) || dtype == Dtype::Float32;
}

/// Sums of one block for statistics. The pivot is a value near the mean: what is summed are
/// distances from it, so that a large mean costs the deviation no digits.
struct alignas(64) StatisticsLanes {
    Lanes sum{};     ///< x - pivot
    Lanes squares{}; ///< (x - pivot)²
    Lanes abs{};     ///< |x|
    double pivot = 0;
    double low = kInf;
    double high = -kInf;
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zeros = 0;

    void add(std::size_t lane, double x) {
        if (!std::isfinite(x)) {
            ++(std::isnan(x) ? nan : inf);
            return;
        }
        const double distance = x - pivot;
        sum[lane] += distance;
        squares[lane] += distance * distance;
        abs[lane] += std::abs(x);
        low = x < low ? x : low;
        high = x > high ? x : high;
        zeros += x == 0 ? 1U : 0U;
    }
};

/// Sums of one block for a comparison, over the pairs of which both sides are finite.
struct alignas(64) CompareLanes {
    Lanes abs{};     ///< |l - r|
    Lanes squares{}; ///< (l - r)²
    Lanes left{};    ///< l²
    Lanes right{};   ///< r²
    Lanes dot{};     ///< l·r
    double rtol = 0;
    double atol = 0;
    double maxAbs = 0;
    std::uint64_t changed = 0; ///< values differ; two NaN do not
    std::uint64_t beyond = 0;  ///< |l - r| > atol + rtol·|r|, or they differ and one is not finite
    std::uint64_t nonfinite = 0; ///< pairs of which a side is not finite

    void add(std::size_t lane, double l, double r) {
        if (!std::isfinite(l) || !std::isfinite(r)) {
            const bool differ = !(l == r || (std::isnan(l) && std::isnan(r)));
            ++nonfinite;
            changed += differ ? 1U : 0U;
            beyond += differ ? 1U : 0U;
            return;
        }
        const double distance = std::abs(l - r);
        abs[lane] += distance;
        squares[lane] += distance * distance;
        left[lane] += l * l;
        right[lane] += r * r;
        dot[lane] += l * r;
        maxAbs = distance > maxAbs ? distance : maxAbs;
        changed += l != r ? 1U : 0U;
        beyond += distance > atol + rtol * std::abs(r) ? 1U : 0U;
    }
};

/// Add `groups` times kLanes elements to lanes 0 … 15 in turn, on the widest vectors that the
/// processor has. False: there is no such kernel for the dtypes; nothing was added.
bool addGroups(Dtype dtype, const std::byte* bytes, std::size_t groups, StatisticsLanes& lanes);
bool addGroups(Dtype leftType, const std::byte* left, Dtype rightType, const std::byte* right,
               std::size_t groups, CompareLanes& lanes);

/// Add `runs` times kRun elements by trees. False, and nothing was added, when some are not tame or
/// the dtype is not a tree float. REQUIRES: no pivot; at most a block, like all that follow.
bool addTameRuns(Dtype dtype, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes);

/// Adds distances from the pivot and their squares, and nothing else, by trees of x - pivot.
/// REQUIRES: runs that addTameRuns() takes; a pivot that is a float.
void addTameDistances(Dtype dtype, const std::byte* bytes, std::size_t runs,
                      StatisticsLanes& lanes);

/// The same sums, faster, of plain floats that are all finite. Return how many groups were added,
/// from the first: about all of them, or none when there are NaN or infinities or there is no such
/// kernel. REQUIRES: no pivot; no tolerances.
std::size_t addFiniteGroups(Dtype dtype, const std::byte* bytes, std::size_t groups,
                            StatisticsLanes& lanes);
std::size_t addFiniteGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                            std::size_t groups, CompareLanes& lanes);

enum class Equality {
    Equal,     ///< to the bit; the squares were added
    Different, ///< nothing was added, like the next
    Unknown,   ///< there are NaN or infinities, or there is no such kernel
};
/// Whether both sides are the same plain floats, found in the pass that adds up their squares: what
/// is all that there is to know of equal sides. REQUIRES: a multiple of 2·kLanes elements.
Equality addEqualGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                        std::size_t elements, Lanes& squares);
/// The same by trees; Unknown of what is not tame, too. REQUIRES: a multiple of kRun elements.
Equality addEqualRuns(Dtype dtype, const std::byte* left, const std::byte* right,
                      std::size_t elements, Lanes& squares);

} // namespace cairn::lanes
