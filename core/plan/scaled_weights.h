// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/draft.h"

#include <vector>

/// 8-bit weights and the tensors that hold their scales. multiplyScales() is internal to core/plan.
namespace cairn {

/// Recipes for every chosen 8-bit weight that has scales: `<name>_scale_inv` (DeepSeek: one for
/// each block of 128 x 128) or `<name>_scale` (one for all, or one for each row, or for each
/// block). In both the value is weight x scale. The scales, and `input_scale` of the same module,
/// leave draft.chosen. Scales whose shape fits nothing are a problem of severity Error.
void multiplyScales(Draft& draft);

/// The chosen 8-bit weights that have scales, and the scales: what a plain cast must not touch.
std::vector<TensorIndex> quantisedTensors(const Checkpoint& source,
                                          const std::vector<TensorIndex>& chosen);

} // namespace cairn
