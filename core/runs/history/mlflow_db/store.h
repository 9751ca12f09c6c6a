// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/sqlite/read_only_vfs.h"

namespace cairn::history::mlflow_db {

/// All runs of an MLflow database except deleted ones. If there are several, the names of metrics
/// get the run as prefix ("run/metric"), and the settings are one dict per run. Fails as Database
/// if nothing could be read; damage after that becomes a warning.
/// With `run`, only the run of that id, without prefixes.
Result<HistoryPart> readStore(sqlite::DatabaseFiles files, const CancelToken& cancel,
                              std::string_view run = {});

/// The runs that are not deleted, oldest first, with unique names. Fails as readStore().
Result<std::vector<HeldRun>> listStore(sqlite::DatabaseFiles files, const CancelToken& cancel);

} // namespace cairn::history::mlflow_db
