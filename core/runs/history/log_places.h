// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <span>
#include <string_view>

/// Locations of training logs, by the names of files and folders. Pure.
namespace cairn {

/// "logs", "tb", "wandb", "mlruns", …: folders that several runs may share for logging.
bool isLogFolder(std::string_view name);

/// Begins with a dot, and is not a place of logs (".neptune").
bool isHidden(std::string_view folder);

/// True if the file's extension excludes a log: weights, pictures, code.
bool isNeverLog(std::string_view name);

/// "checkpoint-500", "step_300": the name of a checkpoint, complete or not. A bare number does not
/// suffice, because logs may be numbered, too.
bool namesCheckpoint(std::string_view name);

/// The folder contains checkpoints, so it is a run itself.
bool hasCheckpoints(std::span<const FolderEntry> entries);

/// The folder contains files of weights, and no name in it is a position or a checkpoint folder, so
/// nothing shows that its sub-folders belong to the same training.
bool hasBareFilesOnly(std::span<const FolderEntry> entries);

} // namespace cairn
