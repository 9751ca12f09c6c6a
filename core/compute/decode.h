// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace cairn {

/// Decodes many elements to double: the same values as elementsAsDoubles() (core/model/element.h),
/// with a loop or table for each dtype. NaN for dtypes without numeric elements. Pure; any thread.
/// REQUIRES: bytes.size() == out.size() times the size of one element.
void decodeElements(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out);

/// A binary float format with a sign.
struct FloatForm {
    int digits = 0; ///< bits of precision, including the leading one
    int lowest = 0; ///< exponent of the smallest normal number
    double largest = 0;
    double beyond = std::numeric_limits<double>::infinity(); ///< result for larger magnitudes
};

/// For dtypes that canRoundTo() accepts; empty for others.
std::optional<FloatForm> floatForm(Dtype dtype);

/// Rounds a value as torch 2.13's cast to a float dtype does: to nearest, ties to even; beyond the
/// range to infinity, for float8_e4m3fn to the largest number (older torch made it NaN), for the
/// fnuz dtypes to NaN. REQUIRES: canRoundTo(dtype).
double roundTo(Dtype dtype, double value);

/// Float dtypes with sign, exponent and mantissa (not float8_e8m0fnu).
bool canRoundTo(Dtype dtype);

} // namespace cairn
