// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <span>
#include <string_view>

/// Where logs of a training are, by the names of files and folders. Pure.
namespace cairn {

/// "logs", "tb", "wandb", "mlruns", …: what several runs may have logged into.
bool isLogFolder(std::string_view name);

/// The logs of one training: event files, a ".wandb" log, MLflow's store of one run, a logger's
/// metrics.csv.
bool hasLogs(std::span<const FolderEntry> entries);

/// "mlflow.db": several runs in one file.
bool isLogDatabase(std::string_view name);

/// The folder holds files of weights, and no name in it is that of a position or of a folder for
/// checkpoints: nothing states that what is below is of the same training.
bool hasBareFilesOnly(std::span<const FolderEntry> entries);

} // namespace cairn
