// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Whether dequantize() knows the dtype: every block dtype.
bool canDequantize(Dtype dtype);

/// The numbers that quantised blocks stand for, as ggml and its Python package
/// (gguf.quants.dequantize) compute them: the same operations in the same order in single
/// precision, so that every bit is theirs. Pure; any thread. REQUIRES: canDequantize(dtype), whole
/// little-endian blocks, and out.size() == dtypeElements(dtype, blocks.size()).
void dequantize(Dtype dtype, std::span<const std::byte> blocks, std::span<float> out);

} // namespace cairn
