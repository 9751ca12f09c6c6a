// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <optional>
#include <string_view>

/// Which dtypes a job can turn into which: what the planner promises and the kernels
/// (compute/cast.h) keep. Pure.
namespace cairn {

/// From floats of 8 to 64 bits to those of 16, 32 and 64 bits, and from those to the four of 8 bits
/// that torch casts to. Not from 8 bits to 8 bits; never integers, bool, complex, quantised,
/// packed.
bool canCast(Dtype from, Dtype to);

/// True if every value of `from` is one of `to`. REQUIRES: canCast(from, to) or from == to.
bool castIsExact(Dtype from, Dtype to);

/// "bf16", "bfloat16", "fp16", "float16", "half", "fp32", "float32", "float", "fp64", "float64",
/// "double", and the 8-bit floats by torch's names: what can be cast to.
std::optional<Dtype> castTarget(std::string_view name);

/// What a float of 8 bits holds: those that can be cast to.
struct EightBitFloat {
    unsigned digits = 0;     ///< stored bits of the mantissa
    int bias = 0;            ///< of the exponent
    float normal = 0;        ///< the smallest normal number
    float largest = 0;       ///< the largest number
    float limit = 0;         ///< magnitudes above it are not held: they round beyond `largest`
    std::string_view beyond; ///< what those become: "448", "infinity", "NaN"
};
/// Null: not one of the four.
const EightBitFloat* eightBitFloat(Dtype dtype);

} // namespace cairn
