// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/cast.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <span>

/// Quantised blocks as specified in compute/quantize.h, in simple code that is independent of its
/// kernels, for verification. Any thread.
namespace cairn {

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
