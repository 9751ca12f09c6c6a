// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_config.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <map>
#include <string_view>
#include <vector>

/// Adapters for the components of a pipeline of diffusers, in one file with their scales: those
/// that diffusers saves ("unet.….lora_A.weight", "….lora.down.weight") and those of kohya's
/// trainers ("lora_unet_….lora_down.weight", with dots as underscores, and "….alpha").
/// Sources: diffusers 0.42, loaders/lora_pipeline.py, lora_base.py, lora_conversion_utils.py and
/// peft.py, utils/state_dict_utils.py and peft_utils.py; kohya's sd-scripts, networks/lora.py.
namespace cairn {

/// Where safetensors files of diffusers have the settings of their adapters.
inline constexpr std::string_view kPipelineSettings = "lora_adapter_metadata";

/// Whether a checkpoint has tensors of such names. Linear in tensors.
bool isPipelineAdapter(const Checkpoint& checkpoint);

/// Those of its tensors that are the alpha of a module: one element each.
std::vector<TensorIndex> alphaTensors(const Checkpoint& adapter);

/// What such an adapter records of its scales.
struct RecordedScales {
    std::map<TensorIndex, double> alphas; ///< the elements of alphaTensors()
    Value settings; ///< of kPipelineSettings: {"unet.lora_alpha": 8, …}; not a dict: none
};

/// An adapter as PEFT would have saved it.
struct PeftAdapter {
    CheckpointPtr checkpoint; ///< the same tensors at the same indices
    AdapterConfig config;
};

/// An adapter of isPipelineAdapter() with PEFT's names for the modules of a base: a pipeline, whose
/// components are in folders, or one component. No element is read. Fails, and names the tensor:
/// NotFound if the base lacks a component or module; Unsupported for other methods than LoRA, for
/// DoRA of kohya, for scales that are recorded of some modules only, for a base that is not
/// diffusers', and with the errors of AdapterConfig::of().
Result<PeftAdapter> asAdapterOfPeft(const Checkpoint& adapter, const RecordedScales& scales,
                                    const AdapterBase& base);

/// The same without a base, under the names of the adapter's own modules. Fails likewise.
Result<PeftAdapter> asAdapterOfPeft(const Checkpoint& adapter, const RecordedScales& scales);

/// The name that a matrix of the latter has in a file of diffusers or kohya.
std::string pipelineName(std::string_view peftName);

} // namespace cairn
