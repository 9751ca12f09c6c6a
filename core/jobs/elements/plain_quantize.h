// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/cast.h"
#include "core/model/dtype.h"
#include "core/model/precision.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// Quantised blocks as specified in compute/quantize.h, in simple code that is independent of its
/// kernels, for verification. Any thread.
namespace cairn {

/// Raises the largest finite magnitude of each group by some elements of a matrix: those of one
/// row, from `column` on. `largest` has the extent of scaleGrid(), as the bits of floats.
void raiseLargest(ScaleGroup scales, const Shape& matrix, std::int64_t row, std::int64_t column,
                  std::span<const float> values, std::span<std::uint32_t> largest);

/// The scale of a group by its definition: the largest magnitude becomes the precision's largest
/// element; a normal number; 1 for zeros.
float plainScale(double largestElement, std::uint32_t largest);

/// REQUIRES: complete blocks of q8_0 or q4_0.
void quantizePlainly(Dtype dtype, std::span<const float> values, std::span<std::byte> blocks);

/// Adds the changes from `values` to the numbers of `blocks` to `tally`: elements, the largest
/// error, finite values that are not finite any more, and values that became zero.
void tallyBlocks(Dtype dtype, std::span<const float> values, std::span<const std::byte> blocks,
                 CastTally& tally);

/// The same for the numbers after a change, in units of `unit`. Values that are not finite and
/// become so count like those that are not any more.
void tallyNumbers(std::span<const float> before, std::span<const float> after, double unit,
                  CastTally& tally);

} // namespace cairn
