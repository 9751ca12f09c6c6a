// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// Runs with logs but without checkpoints: W&B, TensorBoard, MLflow. Used by the experiment scan.
namespace cairn {

/// A folder with the logs of one training, or a database of several.
struct FoundLog {
    std::string id; ///< path relative to the experiment, "." for the experiment itself
    std::filesystem::path path;
};

/// Adds the logs in a folder. `id`: its path below the experiment.
void collectLogs(std::vector<FoundLog>& logs, const std::filesystem::path& path,
                 const std::string& id, const std::vector<FolderEntry>& entries);
inline constexpr std::size_t kMaxLogs = 100'000;

/// Adds a run for each log that does not belong to a run with checkpoints (findHistories()). The
/// run gets its writer's name (HistoryReader::runName). Fails only with Cancelled.
Result<void> addLogRuns(Experiment& experiment, std::vector<FoundLog> logs,
                        const CancelToken& cancel);

} // namespace cairn
