// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/names/name_conversion.h"

#include <optional>
#include <span>

/// Internal to name_conversion: models of TensorFlow (tf_model.h5), which transformers up to 4
/// wrote, under the published names and in the published layout of the config's class.
namespace cairn {

/// Nothing if the names are others, or if the result is not exactly what the class has. No element
/// is read. Fails with the errors of convertTensors().
Result<std::optional<ConvertedSource>> fromKeras(const CheckpointPtr& source,
                                                 std::span<const NamedTensor> named,
                                                 const ModelConfig& config);

} // namespace cairn
