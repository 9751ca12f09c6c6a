// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// Runs with logs but without checkpoints: any file that a reader of histories recognises is a run,
/// and each run in a file of several. Used by the experiment scan.
namespace cairn {

/// A folder in which a file's name allows a log.
struct FoundLog {
    std::string id; ///< path relative to the experiment, "." for the experiment itself
    std::filesystem::path path;
};

/// Adds the folder if names in it allow a log; reads nothing. `id`: its path below the experiment.
void collectLogs(std::vector<FoundLog>& logs, const std::filesystem::path& path,
                 const std::string& id, const std::vector<FolderEntry>& entries);
inline constexpr std::size_t kMaxLogs = 100'000;

/// Sets ScannedRun::savesCountedBy for runs whose checkpoints may be numbered by saves.
void findSaveCounts(std::vector<ScannedRun>& runs);

/// Adds a run for each folder with logs, and each run in a file of several, that does not belong to
/// a run with checkpoints (findHistories()). The run gets its writer's name
/// (HistoryReader::runName). Fails only with Cancelled.
Result<void> addLogRuns(Experiment& experiment, std::vector<FoundLog> logs,
                        FolderListings& listings, const CancelToken& cancel);

} // namespace cairn
