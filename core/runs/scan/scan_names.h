// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Facts from the names of files and folders while an experiment is listed. Pure, except
/// lastName().
namespace cairn {

/// The target of a pointer file: the last component of a path, or a number; empty if the text is
/// something else. `text`: at most the first 4 KiB.
std::string pointerTarget(std::string_view text);

/// Folders without checkpoints of the user: package caches.
bool isSkippedFolder(std::string_view name);

/// The files of a model in the cache of Hugging Face's hub, by their hashes; its snapshots link to
/// them. `siblings`: the folder beside it and itself.
bool isBlobFolder(std::string_view name, const std::vector<FolderEntry>& siblings);

/// Whether a file may be a checkpoint, judged by its name; files without an extension may be, too.
bool mayBeCheckpoint(std::string_view name);

/// "ckpt_100.pt": one position of a run by its complete name.
bool isPositionFile(const FolderEntry& entry);

/// The same, or a folder "checkpoint-100" that is one.
bool isPosition(const FolderEntry& entry);

/// The file that PEFT's save_pretrained() writes beside the weights of an adapter.
bool isAdapterConfig(const FolderEntry& entry);
inline constexpr std::string_view kAdapterConfig = "adapter_config.json";

/// The last component of a path; if it has none ("."), the name of the folder it refers to.
std::string lastName(const std::filesystem::path& path);

/// The run to which an entry at `id` below the experiment belongs, and its prefix there.
struct RunPlace {
    std::string runId;  ///< "." for the experiment itself
    std::string prefix; ///< "step_100/" if it is in the folder of a position; else empty
};
RunPlace runPlaceOf(std::string_view id);

} // namespace cairn
