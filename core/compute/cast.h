// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn {

/// What a cast did to the values. Mergeable; the same whatever the processor and the order.
struct CastTally {
    std::uint64_t elements = 0;
    double maxAbs = 0; ///< largest |source - output| where both are finite
    double maxUlp = 0; ///< the same in units of the last place of the output; at most 0.5
    /// Finite values that became infinite; in 8-bit floats without infinities also those, and what
    /// became NaN or the largest number because it is beyond it. They count in no error.
    std::uint64_t overflowed = 0;
    std::uint64_t becameZero = 0;      ///< other values that became zero
    std::uint64_t becameSubnormal = 0; ///< normal values whose output is subnormal
    void merge(const CastTally& other);
};

/// Float elements at another dtype, as torch 2.13's `tensor.to(dtype)` makes them on an x86
/// processor with AVX2: rounded to nearest, ties to even, infinite beyond the range; subnormal
/// numbers are kept; float64 to 16 bits goes through float32. NaN stays NaN: quiet, with its sign
/// and the upper bits of its payload, except in bfloat16, where it is 0xFFFF (from float32 and
/// float64) or 0x7FC0. (torch itself gives other NaNs for the last elements of a tensor and on
/// other processors.) float8_e4m3fn has no infinities: what is beyond 448, they too, becomes 448;
/// in the two "fnuz" it becomes NaN, and there is no negative zero. Pure; any thread; the same bits
/// on every processor. REQUIRES: canCast(from, to); `in` and `out` hold the same number of elements
/// and do not overlap.
void castElements(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out);

/// Adds to `tally` what became of `in`, given the output that castElements() makes of it. Same
/// requirements.
void tallyCast(Dtype from, std::span<const std::byte> in, Dtype to, std::span<const std::byte> out,
               CastTally& tally);

/// Elements as float32, exactly. REQUIRES: a float dtype of at most 32 bits.
void widenElements(Dtype from, std::span<const std::byte> in, std::span<float> out);

} // namespace cairn
