// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn {

/// How a cast changed the values. Mergeable; independent of processor and order.
struct CastTally {
    std::uint64_t elements = 0;
    double maxAbs = 0; ///< largest |source - output| where both are finite
    double maxUlp = 0; ///< the same in units of the last place of the output; at most 0.5
    /// Finite values that became infinite. For 8-bit floats without infinities: all values beyond
    /// the range, infinities included, which become NaN or the largest number. Not counted in
    /// maxAbs and maxUlp.
    std::uint64_t overflowed = 0;
    std::uint64_t becameZero = 0;      ///< other values that became zero
    std::uint64_t becameSubnormal = 0; ///< normal values whose output is subnormal
    void merge(const CastTally& other);
};

/// Casts float elements as torch 2.13's `tensor.to(dtype)` does on an x86 processor with AVX2:
/// rounded to nearest, ties to even, infinite beyond the range; subnormal numbers are kept; float64
/// to 16 bits goes through float32. NaN stays NaN: quiet, with its sign and the upper bits of its
/// payload, except in bfloat16, where it is 0xFFFF (from float32 and float64) or 0x7FC0. (torch
/// itself gives other NaNs for the last elements of a tensor and on other processors.)
/// float8_e4m3fn has no infinities: magnitudes beyond 448, infinity included, become 448; in the
/// two "fnuz" formats they become NaN, and there is no negative zero. Pure; any thread; the same
/// bits on every processor. REQUIRES: canCast(from, to); `in` and `out` have the same number of
/// elements and do not overlap.
void castElements(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out);

/// Adds the changes from `in` to `out` to `tally`; `out` is the output of castElements(). Same
/// requirements.
void tallyCast(Dtype from, std::span<const std::byte> in, Dtype to, std::span<const std::byte> out,
               CastTally& tally);

/// Converts elements to float32, exactly. REQUIRES: a float dtype of at most 32 bits.
void widenElements(Dtype from, std::span<const std::byte> in, std::span<float> out);

} // namespace cairn
