// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

namespace cairn::history {

/// Numbers the points of series that were logged without a step. TensorBoard's and MLflow's writers
/// log step 0 then, so more than two points that are all of step 0 have no step. Notes it.
void numberUnplaced(HistoryPart& part);

} // namespace cairn::history
