// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/cast.h"

#include <cstddef>
#include <cstdint>

/// The vector loops of casts; internal to core/compute. Pointers need no alignment; any number of
/// elements. A remainder that does not fill a vector is processed as a padded copy.
namespace cairn::lanes {

void bfloatFromFloat(const std::byte* in, std::byte* out, std::size_t count, std::uint32_t nan);
void halfFromFloat(const std::byte* in, std::byte* out, std::size_t count);
/// Parameters of the conversion from float32 to an 8-bit float.
struct EightBitForm {
    int drop = 0;             ///< mantissa bits that are dropped
    std::uint32_t rebias = 0; ///< 127 minus the bias, in float32's exponent field
    std::uint32_t normal = 0; ///< bits of the smallest normal number
    std::uint32_t bound = 0;  ///< magnitudes with larger bits are replaced by this
    float magic = 0; ///< a float whose last bit has the value of the smallest subnormal number
    std::uint32_t most = 0; ///< largest code
    std::uint32_t nan = 0;
    bool hasSign =
        false; ///< zero and NaN have a sign; false: infinity and values beyond the range become NaN
};
void eightFromFloat(const std::byte* in, std::byte* out, std::size_t count,
                    const EightBitForm& form);
void floatFromBfloat(const std::byte* in, std::byte* out, std::size_t count);
void floatFromHalf(const std::byte* in, std::byte* out, std::size_t count);

/// Properties of a cast's source and target, for its error.
struct CastForm {
    float sourceNormal = 0; ///< smallest normal number of the source
    float targetNormal = 0; ///< smallest normal number of the target
    float digits = 0;       ///< 2 to the number of stored mantissa bits of the target
    float limit = 0;        ///< larger magnitudes count as overflow, even if the result is finite
};

/// Compares sources with their results, both converted to float32.
void tallyFloats(const float* source, const float* result, std::size_t count, const CastForm& form,
                 CastTally& tally);

} // namespace cairn::lanes
