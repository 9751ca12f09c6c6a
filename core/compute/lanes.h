// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

/// The order in which the kernels add, which makes results independent of processor and threads.
///
/// Sums of doubles depend on their order, so the order is part of the definition:
///   1. a tensor's elements, in C order, are split into blocks of kBlockElements;
///   2. within a block, element i goes to lane i % kLanes; a lane adds its elements in order;
///   3. a block's lanes are added as a tree: lane j and lane j + 8, then j + 4, j + 2, j + 1;
///   4. blocks are merged in order into segments of kSegmentBlocks, and segments into the tensor.
/// Products are rounded before they are added (never fused), except where a product is exact
/// anyway. So AVX-512, AVX2 and plain C++ give equal bits, and so does any number of threads, each
/// of which processes complete segments. For float32 there are additional kernels that are faster
/// if every element is finite; they add in the same order.
///
/// bfloat16 and float16 are added by trees of floats where that loses little; step 2 is then:
///   a. a block is split into runs of kRun elements; the remainder goes to the lanes as in 2, after
///      all runs;
///   b. a run is four rows of 32 elements, a row has a pair for each of the 16 lanes: elements
///      2·lane and 2·lane + 1 of the row for bfloat16, lane and lane + 16 for float16;
///   c. the terms (x, x², |x| …) are floats, and so are the sum of a pair, term(first) +
///      term(second), and the sum of a lane's eight terms, (row 0 + row 1) + (row 2 + row 3); each
///      operation is rounded to nearest;
///   d. that float is added to the lane, a double, run after run.
/// So the sum of eight terms loses at most 3·2^-24 of the sum of their magnitudes, and nothing if
/// their exponents are similar: a float has sixteen bits more precision than bfloat16.
///
/// Trees are used for the statistics of blocks of at least kLeastTreeElements (in smaller blocks
/// the errors of so few trees would not cancel), and for the squares of a comparison whose sides
/// have identical bits. All elements of a block's runs must be tame: finite, and for bfloat16 zero
/// or of a magnitude from 2^-64 to below 2^60, so that squares neither overflow nor lose bits. All
/// other blocks use step 2, and so do measures of differences, which need full precision. Internal
/// to core/compute and its tests.
namespace cairn::lanes {

inline constexpr std::size_t kLanes = 16;
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline constexpr std::size_t kRun = 128; ///< elements that are added by trees at a time
inline constexpr std::size_t kLeastTreeElements =
    32 * kRun; ///< least size of a block, for statistics

using Lanes = std::array<double, kLanes>;

inline double treeSum(Lanes lanes) {
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t j = 0; j < half; ++j) {
            lanes[j] += lanes[j + half];
        }
    }
    return lanes[0];
}

/// Dtypes that may be added by trees of floats.
inline bool isTreeFloat(Dtype dtype) {
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

/// Floats of at most 24 bits of precision: their squares are exact in a double.
inline bool isPlainFloat(Dtype dtype) {
    return isTreeFloat(dtype) || dtype == Dtype::Float32;
}

/// Sums of one block for statistics. The pivot is a value near the mean; summing distances from it
/// avoids a loss of precision when the mean is large.
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

/// Sums of one block for a comparison, over the pairs with two finite sides.
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
    std::uint64_t beyond = 0;  ///< |l - r| > atol + rtol·|r|, or changed and a side is not finite
    std::uint64_t nonfinite = 0; ///< pairs with a non-finite side

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

/// Add `groups` times kLanes elements to lanes 0 … 15 in turn, using the widest vectors of the
/// processor. False: there is no kernel for the dtypes, and nothing was added.
bool addGroups(Dtype dtype, const std::byte* bytes, std::size_t groups, StatisticsLanes& lanes);
bool addGroups(Dtype leftType, const std::byte* left, Dtype rightType, const std::byte* right,
               std::size_t groups, CompareLanes& lanes);

/// Add `runs` times kRun elements by trees. False (and nothing was added) if an element is not tame
/// or the dtype is not a tree float. REQUIRES: no pivot; at most one block, as for the following
/// functions.
bool addTameRuns(Dtype dtype, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes);

/// Adds only distances from the pivot and their squares, by trees of x - pivot. REQUIRES: runs that
/// addTameRuns() accepts; a pivot that is exact in float32.
void addTameDistances(Dtype dtype, const std::byte* bytes, std::size_t runs,
                      StatisticsLanes& lanes);

/// The same sums, faster, for plain floats that are all finite. Returns how many groups were added,
/// from the first: about all of them, or none if there are NaN or infinities or there is no kernel.
/// REQUIRES: no pivot; no tolerances.
std::size_t addFiniteGroups(Dtype dtype, const std::byte* bytes, std::size_t groups,
                            StatisticsLanes& lanes);
std::size_t addFiniteGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                            std::size_t groups, CompareLanes& lanes);

enum class Equality {
    Equal,     ///< identical bits; the squares were added
    Different, ///< nothing was added
    Unknown,   ///< nothing was added: NaN, infinities, or no kernel
};
/// Whether both sides are the same plain floats, found while adding up their squares, which are all
/// the sums that equal sides need. REQUIRES: a multiple of 2·kLanes elements.
Equality addEqualGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                        std::size_t elements, Lanes& squares);
/// The same by trees; Unknown also if elements are not tame. REQUIRES: a multiple of kRun elements.
Equality addEqualRuns(Dtype dtype, const std::byte* left, const std::byte* right,
                      std::size_t elements, Lanes& squares);

} // namespace cairn::lanes
