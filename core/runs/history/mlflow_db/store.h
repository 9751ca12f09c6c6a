// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/mlflow_db/read_only_vfs.h"

namespace cairn::history::mlflow_db {

/// All runs of an MLflow database that are not deleted. Of several runs, the names of metrics begin
/// with the run's ("run/metric") and the settings are one dict a run. Fails as Database does when
/// nothing could be read; damage after that is a warning.
Result<HistoryPart> readStore(DatabaseFiles files, const CancelToken& cancel);

} // namespace cairn::history::mlflow_db
