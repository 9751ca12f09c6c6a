// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/quantised/quantised_weights.h"
#include "core/plan/draft.h"

/// Quantised weights that become numbers. multiplyScales() is internal to core/plan.
namespace cairn {

/// Whether --dequantize carries it out: code x scale, and no zero points.
bool canMultiply(const Checkpoint& source, const QuantisedWeight& weight);

/// Recipes for every selected weight that canMultiply(); its scales, and
/// what else belongs to it, are removed from draft.chosen. Each other quantised weight is a problem
/// of severity Error that names its layout and what unpacks it.
void multiplyScales(Draft& draft, const QuantisedWeights& quantised);

} // namespace cairn
