// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Recognises Hugging Face folders. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// True if the folder has this format, judged by names only.
bool isHuggingFaceFolder(std::span<const FolderEntry> entries);

/// The first of pickled shards without any index; they belong to a model if it is a torch file.
std::optional<std::string> pickledShard(std::span<const FolderEntry> entries);

/// True if the sub-folder is a PEFT adapter with a name other than "default": it contains only
/// adapter_config.json and the weights. A folder with more files is a separate checkpoint.
bool isAdapterFolder(std::span<const FolderEntry> entries);

/// True for a folder whose only file is PEFT's model card: its sub-folders may all be adapters.
/// False if their names contain a position in training, or differ only in a number: then they are
/// successive checkpoints.
bool mayHoldAdaptersOnly(std::span<const FolderEntry> entries);

/// True for folders of accelerate's save_state, including those whose models were saved by a hook
/// of the program. With DeepSpeed or Megatron the folder has their format.
bool isSavedState(std::span<const FolderEntry> entries);

/// "step_100", "checkpoint-5", "epoch3": the name of a checkpoint in a run, not of a part of a
/// checkpoint.
bool hasPositionInName(std::string_view name);

bool isFolderOfFsdpWeights(const FolderEntry& entry);
bool hasEntry(std::span<const FolderEntry> entries, std::string_view name);

} // namespace cairn::formats::huggingface
