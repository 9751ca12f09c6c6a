// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/cast.h"

#include <cstddef>
#include <cstdint>

/// The vector loops of casts; internal to core/compute. Pointers need no alignment; counts are
/// elements, any number. Ends that fill no vector are done by the same code on a padded copy.
namespace cairn::lanes {

void bfloatFromFloat(const std::byte* in, std::byte* out, std::size_t count, std::uint32_t nan);
void halfFromFloat(const std::byte* in, std::byte* out, std::size_t count);
/// How a float of 8 bits is made of a float32's bits.
struct EightBitForm {
    int drop = 0;             ///< bits of the mantissa that go
    std::uint32_t rebias = 0; ///< 127 less the bias, in float32's exponent
    std::uint32_t normal = 0; ///< bits of the smallest normal number
    std::uint32_t bound = 0;  ///< magnitudes above these bits are taken for these
    float magic = 0;          ///< whose last place is that of the subnormal numbers
    std::uint32_t most = 0;   ///< the largest code
    std::uint32_t nan = 0;
    bool hasSign = false; ///< of zero and NaN; without: NaN for infinities and what is beyond, too
};
void eightFromFloat(const std::byte* in, std::byte* out, std::size_t count,
                    const EightBitForm& form);
void floatFromBfloat(const std::byte* in, std::byte* out, std::size_t count);
void floatFromHalf(const std::byte* in, std::byte* out, std::size_t count);

/// How a target's numbers are, for the error of a cast.
struct CastForm {
    float sourceNormal = 0; ///< smallest normal number of the source
    float targetNormal = 0; ///< and of the target
    float digits = 0;       ///< 2 to the number of stored mantissa bits of the target
    float limit = 0;        ///< magnitudes above it overflow, though the target may be finite
};

/// Compares sources with what became of them, both widened to float32.
void tallyFloats(const float* source, const float* result, std::size_t count, const CastForm& form,
                 CastTally& tally);

} // namespace cairn::lanes
