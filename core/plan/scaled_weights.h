// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/quantised/quantised_weights.h"
#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

/// Quantised weights that become numbers. multiplyScales() is internal to core/plan.
namespace cairn {

/// Removes the parts of unpacked weights from draft.chosen.
void leaveOutParts(Draft& draft, const UnpackedWeights& unpacked);

/// Recipes for every selected weight that is code x scale without zero points; its scales, and
/// what else belongs to it, are removed from draft.chosen. Each other quantised weight is a problem
/// of severity Error that names its layout and what unpacks it. `unpacked`: are numbers already.
void multiplyScales(Draft& draft, const QuantisedWeights& quantised,
                    const UnpackedWeights& unpacked);

} // namespace cairn
