// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/compute_backend.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Encodes floats as quantised blocks: q8_0 and q4_0 bit by bit as ggml's Python package does
/// (gguf.quants.quantize), q4_k as ggml's quantize_row_q4_K_ref with separately rounded products.
/// Where the package's result depends on the processor (codes beside a scale that is not finite, or
/// that is too small for its reciprocal), codes are 0 and a NaN scale is 0x7E00; the numbers that
/// such blocks decode to are the same. Pure; any thread. REQUIRES: canQuantize(Float32, dtype),
/// values.size() a multiple of the block, blocks.size() == dtypeBytes(dtype, values.size()).
void quantizeBlocks(Dtype dtype, std::span<const float> values, std::span<std::byte> blocks);

/// Divides elements [first, …) of the scales' box by their scales, before they are cast. Pure; any
/// thread.
void divideByScales(const BlockScales& scales, std::uint64_t first, std::span<float> values);

} // namespace cairn
