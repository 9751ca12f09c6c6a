// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which files of a folder are the weights that are read. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// Where the weights are.
struct WeightSource {
    std::string index;              ///< the index file; empty: there is none
    std::vector<std::string> files; ///< without an index: the files (or one folder) themselves
    std::string expectedIndex;      ///< shards without their index: what it should be called
};

/// The model's weights, in the order in which transformers looks for them; without a model an
/// adapter's.
std::optional<WeightSource> chooseWeights(std::span<const FolderEntry> entries);

/// True if the chosen weights are an adapter's: what is beside them may be the model.
bool isAdapterSource(const WeightSource& weights);

/// PEFT's adapter beside the weights of a model.
std::optional<WeightSource> adapterBeside(const WeightSource& weights,
                                          std::span<const FolderEntry> entries);

} // namespace cairn::formats::huggingface
