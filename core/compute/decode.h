// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Elements as doubles in bulk: the same values as elementsAsDoubles() (core/model/element.h), by
/// loops and tables of the dtype. NaN for dtypes without numeric elements. Pure; any thread.
/// REQUIRES: bytes.size() == out.size() times the size of one element.
void decodeElements(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out);

/// What a value becomes when torch 2.13 casts it to a float dtype: rounded to nearest, ties to
/// even; beyond the range infinite, of float8_e4m3fn the largest number (older torch made NaN of
/// it), of the fnuz dtypes NaN. REQUIRES: canRoundTo(dtype).
double roundTo(Dtype dtype, double value);

/// True for the float dtypes with a sign, mantissa and exponent (not float8_e8m0fnu).
bool canRoundTo(Dtype dtype);

} // namespace cairn
