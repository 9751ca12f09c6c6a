// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

/// Runs that left logs and no checkpoints: W&B, TensorBoard, MLflow. Used by the experiment scan.
namespace cairn {

/// A folder that holds the logs of one training, or a database of several.
struct FoundLog {
    std::string id; ///< path below the experiment, "." for the experiment itself
    std::filesystem::path path;
};

/// Adds a run for each log that does not belong to a run with checkpoints (findHistories()). A run
/// has the name that its writer gave it (HistoryReader::runName). Fails only with Cancelled.
Result<void> addLogRuns(Experiment& experiment, std::vector<FoundLog> logs,
                        const CancelToken& cancel);

} // namespace cairn
