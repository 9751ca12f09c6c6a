// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace cairn::history::mlflow {

/// What a run's meta.yaml shows. Source: mlflow/store/tracking/file_store.py.
struct RunInfo {
    std::string runId;
    std::string status;         ///< "RUNNING", "FAILED" … in words; the file holds its number
    std::string lifecycleStage; ///< "active" or "deleted"
};

/// Fails: BadEncoding when this is not YAML, NotACheckpoint when it describes something else than a
/// run.
Result<RunInfo> parseRunInfo(const std::string& yaml, const std::string& file);

} // namespace cairn::history::mlflow
