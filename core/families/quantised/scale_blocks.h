// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/model/dims.h"

#include <optional>

namespace cairn {

/// Whether scales of that shape can be those of a weight: one for all, one for each row ([m, 1] or
/// [m]), or a grid of blocks: square ones, the last ones clipped (DeepSeek: 128 x 128), or others
/// that divide the weight.
bool scalesFit(const Shape& weight, const Shape& scales);

/// The elements of each dimension of a weight that share one scale, from the shapes of both; empty
/// if they do not match, or if several sizes of square blocks would: 128, a power of two, or a
/// multiple of 16 that divides a dimension. `recorded`: the size that the config states
/// (recordedBlock()).
std::optional<Shape> scaleBlock(const Shape& weight, const Shape& scales,
                                const std::optional<Shape>& recorded = {});

/// `quantization_config.weight_block_size`, rows and columns of a block.
std::optional<Shape> recordedBlock(const ModelConfig& config);

} // namespace cairn
