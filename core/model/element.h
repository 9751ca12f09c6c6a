// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>
#include <string>

/// One stored element as a number or as text, for previews and `show`. Bytes are dense and
/// little-endian, as TensorReader returns them. Pure functions; statistics over complete tensors
/// use the kernels in compute/.
namespace cairn {

/// True if elements are numbers that fit into a double: bool, integers, floats, quantised integers
/// of complete bytes (their stored integer). Complex elements are pairs of such numbers; packed and
/// opaque ones are not.
bool hasNumericElements(Dtype dtype);

/// The element's value; for a complex element its real part. 64-bit integers are rounded to the
/// nearest double. NaN for dtypes without numeric elements. REQUIRES: bytes.size() is the size of
/// one element.
double elementAsDouble(Dtype dtype, std::span<const std::byte> bytes);

/// Imaginary part; 0 for all other dtypes.
double elementImaginary(Dtype dtype, std::span<const std::byte> bytes);

/// Bulk form of elementAsDouble. REQUIRES: bytes.size() == out.size() times the size of one
/// element.
void elementsAsDoubles(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out);

/// The element as Python would print it: "True", "-3", "0.02", "nan", "inf", "1+2j"; packed and
/// opaque elements as the hexadecimal digits of their bytes ("0x3f"). digits == 0: integers
/// completely, and floats with as few digits as distinguish the value from its neighbours in its
/// dtype; otherwise floats with at most that many significant digits. REQUIRES: bytes.size() is the
/// size of one element (one byte for sub-byte dtypes).
std::string elementText(Dtype dtype, std::span<const std::byte> bytes, int digits = 0);

} // namespace cairn
