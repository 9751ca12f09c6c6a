// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/mlflow_db/read_only_vfs.h"

namespace cairn::history::mlflow_db {

/// All runs of an MLflow database except deleted ones. If there are several, the names of metrics
/// get the run as prefix ("run/metric"), and the settings are one dict per run. Fails as Database
/// if nothing could be read; damage after that becomes a warning.
Result<HistoryPart> readStore(DatabaseFiles files, const CancelToken& cancel);

} // namespace cairn::history::mlflow_db
