// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <optional>
#include <string_view>

/// Which dtypes a job can turn into which: what the planner promises and the kernels
/// (compute/cast.h) keep. Pure.
namespace cairn {

/// From floats of 8 to 64 bits to those of 16, 32 and 64 bits. Not to 8 bits, which need scales of
/// their own; never integers, bool, complex, quantised, packed.
bool canCast(Dtype from, Dtype to);

/// True if every value of `from` is one of `to`. REQUIRES: canCast(from, to) or from == to.
bool castIsExact(Dtype from, Dtype to);

/// "bf16", "bfloat16", "fp16", "float16", "half", "fp32", "float32", "float", "fp64", "float64",
/// "double": what can be cast to.
std::optional<Dtype> castTarget(std::string_view name);

} // namespace cairn
