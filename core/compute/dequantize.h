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
/// precision, so that every bit is theirs. `bigEndian`: scales and other numbers of two or four
/// bytes inside a block are stored big-endian. Pure; any thread. REQUIRES: canDequantize(dtype),
/// whole blocks, and out.size() == dtypeElements(dtype, blocks.size()).
void dequantize(Dtype dtype, std::span<const std::byte> blocks, std::span<float> out,
                bool bigEndian = false);

/// Whether the blocks of a big-endian file have big-endian scales. Those of ggml on such a machine
/// have; gguf's Python writer swaps arrays item by item, and quantised ones are arrays of bytes.
/// Told by which order makes the scales' sizes more alike; true when that does not tell. REQUIRES:
/// canDequantize(dtype), whole blocks.
bool scalesAreBigEndian(Dtype dtype, std::span<const std::byte> blocks);

} // namespace cairn
