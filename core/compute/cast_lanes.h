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
void floatFromBfloat(const std::byte* in, std::byte* out, std::size_t count);
void floatFromHalf(const std::byte* in, std::byte* out, std::size_t count);

/// How a target's numbers lie, for the error of a cast.
struct CastForm {
    float sourceNormal = 0; ///< smallest normal number of the source
    float targetNormal = 0; ///< and of the target
    float digits = 0;       ///< 2 to the number of stored mantissa bits of the target
};

/// Compares sources with what became of them, both widened to float32.
void tallyFloats(const float* source, const float* result, std::size_t count, const CastForm& form,
                 CastTally& tally);

} // namespace cairn::lanes
