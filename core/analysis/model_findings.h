// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"

#include <vector>

/// Whether the library of a model would load its weights, by names and shapes: for `check`, where
/// bundles ask the same tables (families/expected) before they are written.
namespace cairn {

/// The model that the weights belong to.
struct CheckedModel {
    const ModelConfig* config = nullptr; ///< null: unknown
    /// The files are those that from_pretrained reads beside this config, so that it would refuse
    /// them or initialise at random what is missing; otherwise another program may read them.
    bool isItsFolder = false;
};

/// Weights without elements, an adapter inside a model, tensors that the config's class has and
/// the checkpoint lacks, or has with other shapes. Errors if the folder's own loader would fail or
/// initialise weights at random, else warnings. Nothing if the class is not known, or if the names
/// are not the published ones. No element is read. Linear in tensors.
std::vector<Notice> modelFindings(const Checkpoint& checkpoint, const CheckedModel& model);

} // namespace cairn
