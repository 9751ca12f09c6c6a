// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/io/folder.h"

#include <span>
#include <string>
#include <vector>

/// A model that is several, each in a folder of its own: what its own document states about them.
/// Pure.
namespace cairn::formats::huggingface {

struct ModelPart {
    std::string folder;
    std::string className;
    bool hasWeights = true; ///< the class's own; schedulers, tokenizers and processors have none
};

/// diffusers' `model_index.json`: {"unet": ["diffusers", "UNet2DConditionModel"], …}. What is not
/// there on purpose ([null, null]) and what is not a part (`_class_name`, settings) is left out.
std::vector<ModelPart> partsOfPipeline(const JsonValue& modelIndex);

/// sentence-transformers' `modules.json`: [{"path": "2_Dense", "type": "….Dense"}, …]. Only those
/// with weights in a folder of their own: that of a `Normalize` is empty, and so not in a
/// repository.
std::vector<ModelPart> partsOfModules(const JsonValue& modules);

/// True if a folder without weights is not a model, whatever its class is called: it has the
/// settings of something else and no model's.
bool isWithoutWeights(std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface
