// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn {

/// Products of a tall and a wide matrix, in the order of additions of an AdapterOperation.
struct LowRankProduct {
    std::span<const float> left;  ///< rows × rank, in C order
    std::span<const float> right; ///< rank rows of which `columns` are used
    std::size_t stride = 0;       ///< elements from one row of `right` to the next
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t rank = 0;
    std::size_t block = 1; ///< products that are added in one chain
    bool fused = true;     ///< each product and its addition are rounded once, not twice
    float scale = 1;
};

/// The product, times `scale`, in C order. The same bits on every processor; one without fused
/// multiplication is slow. Pure; any thread. REQUIRES: sizes that fit; rank and block at least 1.
void multiplyLowRank(const LowRankProduct& product, std::span<float> out);

/// values += the product times `scale`, which is rounded first: the bits of multiplyLowRank() and
/// an addition, in one pass over memory. As above.
void addLowRank(const LowRankProduct& product, std::span<float> values);

/// values += scale × vector, the product rounded. REQUIRES: equal sizes.
void addScaled(std::span<float> values, std::span<const float> vector, float scale);

} // namespace cairn
