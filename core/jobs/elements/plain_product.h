// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace cairn {

/// Where a product's factors are, and how it is added.
struct PlainProduct {
    std::span<const float> left; ///< rows × rank
    std::span<const float> wide; ///< rank rows, `stride` apart
    std::size_t stride = 0;
    std::size_t rank = 1;
    std::size_t block = 1;
    bool fused = true;
    float scale = 1;
};

/// A product of matrices, as compute/low_rank.h specifies it, in simple code that is independent of
/// that kernel, for verification: out[i, j] = scale × the sum over k of left[i, k] × wide[k, j],
/// added in chains of `block`. `out` has as many rows as `left`. Any thread.
void multiplyPlainly(const PlainProduct& product, std::span<float> out);

/// The same, rounded and then added to `values`.
void addPlainly(const PlainProduct& product, std::span<float> values);

} // namespace cairn
