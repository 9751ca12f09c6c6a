// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/sqlite/run_store.h"

namespace cairn::history::optuna {

/// The trials of all studies in a storage of Optuna, except waiting ones, in the order of their
/// numbers.
extern const sqlite::Store kStore;

} // namespace cairn::history::optuna
