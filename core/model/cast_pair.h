// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <optional>
#include <string_view>

/// Supported casts, for the planner; the kernels (compute/cast.h) implement them. Pure.
namespace cairn {

/// From floats of 8 to 64 bits to those of 16, 32 and 64 bits, and from those to the four 8-bit
/// floats that torch supports. Not from 8 bits to 8 bits; never integers, bool, complex, quantised,
/// packed.
bool canCast(Dtype from, Dtype to);

/// True if every value of `from` is a value of `to`. REQUIRES: canCast(from, to) or from == to.
bool castIsExact(Dtype from, Dtype to);

/// The names of cast targets: "bf16", "bfloat16", "fp16", "float16", "half", "fp32", "float32",
/// "float", "fp64", "float64", "double", and torch's names of the 8-bit floats.
std::optional<Dtype> castTarget(std::string_view name);

/// Properties of an 8-bit float that is a cast target.
struct EightBitFloat {
    unsigned digits = 0;     ///< stored bits of the mantissa
    int bias = 0;            ///< of the exponent
    float normal = 0;        ///< the smallest normal number
    float largest = 0;       ///< the largest number
    float limit = 0;         ///< larger magnitudes are not representable: they become `beyond`
    std::string_view beyond; ///< "448", "infinity", "NaN"
};
/// Null: not one of the four.
const EightBitFloat* eightBitFloat(Dtype dtype);

} // namespace cairn
