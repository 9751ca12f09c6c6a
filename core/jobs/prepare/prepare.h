// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

/// Makes a plan for a request: gathers the facts of the disk for the pure planner. Reads (statfs,
/// the rates of earlier jobs, the checkpoint's values, config and tokenizer files for a bundle:
/// sidecars.h), writes nothing. Any thread except the window's.
namespace cairn {

/// The plan that `plan consolidate` and the window show, and that runPlan() executes. Fails:
/// InvalidArgument, Unsupported, Cancelled; everything else becomes a problem of the plan.
Result<CopyPlan> prepareConsolidate(CheckpointPtr source, const ConsolidateOptions& options,
                                    const CancelToken& cancel = {},
                                    const DiskRates& rates = DiskRates());

/// The output's extension selects the format: .npy, .safetensors, else a format id. See exportCsv
/// for .csv.
Result<CopyPlan> prepareExport(CheckpointPtr source, const ExportOptions& options,
                               const CancelToken& cancel = {},
                               const DiskRates& rates = DiskRates());

} // namespace cairn
