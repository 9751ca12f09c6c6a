// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/expected/model_fit.h"
#include "core/model/dtype.h"
#include "core/plan/copy_plan.h"

#include <optional>
#include <span>
#include <vector>

/// The tensors of a planned output, as its config describes them. Pure; linear in segments.
namespace cairn {

/// The tensors that will be written, each once.
std::vector<OutputTensor> outputTensors(const CopyPlan& plan);

/// The floating-point dtype of most of the bytes, without scales and code books; nothing for
/// quantised blocks, which no config describes.
std::optional<Dtype> mainDtype(std::span<const OutputTensor> tensors);

/// Whether some are codes of a quantised weight (families/quantised/quantised_weights.h).
bool hasQuantisedWeights(std::span<const OutputTensor> tensors);

} // namespace cairn
