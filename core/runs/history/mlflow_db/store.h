// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/sqlite/run_store.h"

namespace cairn::history::mlflow_db {

/// All runs of an MLflow database except deleted ones, oldest first.
extern const sqlite::Store kStore;

} // namespace cairn::history::mlflow_db
