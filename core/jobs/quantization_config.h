// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>

namespace cairn {

/// `quantization_config` of a config.json for weights that a plan quantises with separate scales:
/// by rows or tensors as compressed-tensors 0.20 stores them ("float-quantized"), in squares as
/// DeepSeek's models and transformers do ("fp8"). Activations are quantised while the model runs.
/// Modules that are not quantised are listed. Pure. REQUIRES: plan.precision with separate scales
/// that are written.
nlohmann::ordered_json quantizationConfig(const CopyPlan& plan);

} // namespace cairn
