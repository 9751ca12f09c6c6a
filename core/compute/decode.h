// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace cairn {

/// Elements as doubles in bulk: the same values as elementsAsDoubles() (core/model/element.h), by
/// loops and tables of the dtype. NaN for dtypes without numeric elements. Pure; any thread.
/// REQUIRES: bytes.size() == out.size() times the size of one element.
void decodeElements(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out);

/// A binary float format with a sign.
struct FloatForm {
    int digits = 0; ///< of precision, with the leading one
    int lowest = 0; ///< exponent of the smallest normal number
    double largest = 0;
    double beyond = std::numeric_limits<double>::infinity(); ///< what is larger becomes
};

/// Of the dtypes that canRoundTo() takes; nothing for others.
std::optional<FloatForm> floatForm(Dtype dtype);

/// What a value becomes when torch 2.13 casts it to a float dtype: rounded to nearest, ties to
/// even; beyond the range infinite, of float8_e4m3fn the largest number (older torch made NaN of
/// it), of the fnuz dtypes NaN. REQUIRES: canRoundTo(dtype).
double roundTo(Dtype dtype, double value);

/// True for the float dtypes with a sign, mantissa and exponent (not float8_e8m0fnu).
bool canRoundTo(Dtype dtype);

} // namespace cairn
