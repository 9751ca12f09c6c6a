// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Whether dequantize() supports the dtype: every block dtype.
bool canDequantize(Dtype dtype);

/// Decodes quantised blocks as ggml and its Python package (gguf.quants.dequantize) do: the same
/// operations in the same order in single precision, so that every bit is equal. Pure; any thread.
/// REQUIRES: canDequantize(dtype), complete little-endian blocks, and out.size() ==
/// dtypeElements(dtype, blocks.size()).
void dequantize(Dtype dtype, std::span<const std::byte> blocks, std::span<float> out);

} // namespace cairn
