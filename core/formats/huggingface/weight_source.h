// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Chooses the files of a folder from which the weights are read. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// Location of the weights.
struct WeightSource {
    std::string index;              ///< the index file; empty: none
    std::vector<std::string> files; ///< without an index: the files, or one folder
    std::string expectedIndex;      ///< for shards without an index: the index's expected name
};

/// The model's weights, in the order of transformers; if there is no model, an adapter's.
std::optional<WeightSource> chooseWeights(std::span<const FolderEntry> entries);

/// True if the chosen weights are an adapter's: other files in the folder may then be the model.
bool isAdapterSource(const WeightSource& weights);

/// PEFT's adapter next to the weights of a model.
std::optional<WeightSource> adapterBeside(const WeightSource& weights,
                                          std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface
