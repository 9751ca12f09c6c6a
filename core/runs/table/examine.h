// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"
#include "core/runs/table/run_table.h"

/// From a listing to everything that is known of its runs, for the command line and for retention.
namespace cairn {

/// Opens every checkpoint's index and adds the facts to the listing. Unchanged results come from
/// the index cache. Fails only with Cancelled.
Result<void> examineCheckpoints(Experiment& experiment, const CancelToken& cancel = {},
                                const ForEach& forEach = {});

/// The same, then reads the runs' histories for scores, and sorts. Their notices are added to the
/// experiment's.
Result<RunTable> examineExperiment(Experiment& experiment, const CancelToken& cancel = {},
                                   const ForEach& forEach = {});

} // namespace cairn
