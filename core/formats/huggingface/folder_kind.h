// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What kind of folder this is. Pure: decides by names only.
namespace cairn::formats::huggingface {

/// True if the folder is one of this format's, by names alone.
bool isHuggingFaceFolder(std::span<const FolderEntry> entries);

/// The first of bare pickled shards that nothing but their names describes: they are a model's if
/// it is torch's file.
std::optional<std::string> pickledShard(std::span<const FolderEntry> entries);

/// True if the sub-folder is what PEFT leaves for an adapter that is not called "default":
/// adapter_config.json, the weights and nothing else. A folder with more is a checkpoint of its
/// own.
bool isAdapterFolder(std::span<const FolderEntry> entries);

/// True for a folder that has no file of its own but PEFT's model card: its sub-folders may all be
/// adapters. Not where their names record a position in training, or differ in a number alone:
/// those are checkpoints, one after another.
bool mayHoldAdaptersOnly(std::span<const FolderEntry> entries);

/// What accelerate's save_state leaves, also where a hook of the program saved the models by
/// itself. With DeepSpeed or Megatron after it, it is a folder of theirs.
bool isSavedState(std::span<const FolderEntry> entries);

/// "step_100", "checkpoint-5", "epoch3": the name of a checkpoint of a run, not of a part of one.
bool hasPositionInName(std::string_view name);

bool isFolderOfFsdpWeights(const FolderEntry& entry);
bool hasEntry(std::span<const FolderEntry> entries, std::string_view name);

} // namespace cairn::formats::huggingface
