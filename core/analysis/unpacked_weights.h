// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/quantised/weight_recipe.h"
#include "core/model/checkpoint.h"

#include <span>
#include <string_view>

namespace cairn {

/// The codec of a computed weight, whose elements do not follow from its piece alone.
inline constexpr std::string_view kUnpackCodec = "dequantize codes";

/// The checkpoint with weights in place of their codes, under the weights' names: dtype, shape and
/// elements as the recipes give them, computed while they are read, a few MiB at a time. The other
/// parts of a weight keep their places, so that indices stay valid. Keeps `checkpoint` alive.
/// Reading fails with Unsupported if groups are out of range, and with the errors of TensorReader.
/// Cost: a copy of the index.
CheckpointPtr unpackedView(const CheckpointPtr& checkpoint, std::span<const WeightRecipe> recipes);

} // namespace cairn
