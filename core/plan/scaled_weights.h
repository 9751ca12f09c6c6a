// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/draft.h"

#include <vector>

/// 8-bit weights and the tensors with their scales. multiplyScales() is internal to core/plan.
namespace cairn {

/// Recipes for every selected 8-bit weight with scales: `<name>_scale_inv` (DeepSeek: one for each
/// block of 128 x 128) or `<name>_scale` (one for all, for each row, or for each block). In both
/// cases the value is weight x scale. The scales, and `input_scale` of the same module, are removed
/// from draft.chosen. Scales with an unexpected shape are a problem of severity Error.
void multiplyScales(Draft& draft);

/// The selected 8-bit weights with scales, and the scales: tensors that a plain cast must not
/// change.
std::vector<TensorIndex> quantisedTensors(const Checkpoint& source,
                                          const std::vector<TensorIndex>& chosen);

} // namespace cairn
