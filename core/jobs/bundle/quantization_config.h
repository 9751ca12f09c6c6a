// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>

namespace cairn {

/// `quantization_config` of a config.json for weights that a plan quantises with separate scales:
/// by rows or tensors as compressed-tensors 0.20 stores them ("float-quantized"), in squares as
/// DeepSeek's models and transformers do ("fp8"). Activations are quantised while the model runs.
/// Modules that are not quantised are listed. Pure. REQUIRES: plan.precision with separate scales
/// that are written.
nlohmann::ordered_json quantizationConfig(const CopyPlan& plan);

/// Whether the class of this config has modules whose matrices are stored with a row for each
/// input (Conv1D of transformers' pytorch_utils.py), which the layouts above cannot describe.
bool storesTransposed(const ModelConfig& config);

} // namespace cairn
