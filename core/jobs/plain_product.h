// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace cairn {

/// One row of a product of matrices, as compute/low_rank.h specifies it, in simple code that is
/// independent of that kernel, for verification: out[j] = scale × the sum over k of left[k] ×
/// wide[k × stride + j], added in chains of `block`. Any thread.
void multiplyPlainly(std::span<const float> left, std::span<const float> wide, std::size_t stride,
                     std::size_t block, bool fused, float scale, std::span<float> out);

} // namespace cairn
