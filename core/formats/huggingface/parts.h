// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/io/folder.h"

#include <span>
#include <string>
#include <vector>

/// Composite models, with each part in a separate folder: reads the document that lists the parts.
/// Pure.
namespace cairn::formats::huggingface {

struct ModelPart {
    std::string folder;
    std::string className;
    bool hasWeights =
        true; ///< of the class itself; schedulers, tokenizers and processors have none
};

/// diffusers' `model_index.json`: {"unet": ["diffusers", "UNet2DConditionModel"], …}. Parts that
/// are absent on purpose ([null, null]) and entries other than parts (`_class_name`, settings) are
/// skipped.
std::vector<ModelPart> partsOfPipeline(const JsonValue& modelIndex);

/// sentence-transformers' `modules.json`: [{"path": "2_Dense", "type": "….Dense"}, …]. Only parts
/// with weights in a folder; the folder of a `Normalize` is empty and therefore not part of a
/// repository.
std::vector<ModelPart> partsOfModules(const JsonValue& modules);

/// True if a folder without weights is not a model, whatever its class is called: it has other
/// settings, but none of a model.
bool isWithoutWeights(std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface
