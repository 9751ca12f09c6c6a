// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/sqlite/run_store.h"

namespace cairn::history::trackio {

/// The runs of a project, in the order of their first rows.
extern const sqlite::Store kStore;

} // namespace cairn::history::trackio
