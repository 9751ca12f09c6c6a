// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/weight_values.h"

namespace cairn {

/// The weights of a checkpoint as numbers, with the config.json that is found for it
/// (findModelConfig()), which is searched only if some weight is quantised. Fails with Cancelled.
Result<WeightValues> findWeightValues(const CheckpointPtr& checkpoint, const CancelToken& cancel);

} // namespace cairn
