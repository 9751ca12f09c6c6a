// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace cairn::history::mlflow {

/// The contents of a run's meta.yaml. Source: mlflow/store/tracking/file_store.py.
struct RunInfo {
    std::string runId;
    std::string status;         ///< "RUNNING", "FAILED" …; the file contains a number
    std::string lifecycleStage; ///< "active" or "deleted"
};

/// Fails: BadEncoding if it is not YAML, NotACheckpoint if it does not describe a run.
Result<RunInfo> parseRunInfo(const std::string& yaml, const std::string& file);

} // namespace cairn::history::mlflow
