// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/jobs/disk_rates.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

/// From a request to a plan: gathers the facts of the disk for the pure
/// planner. Reads (statfs, the rates that earlier jobs measured, the checkpoint's values, config
/// and tokenizer files for a bundle: sidecars.h), writes nothing. Any thread but the window's.
namespace cairn {

/// The plan that `plan consolidate` and the window's panel show, and that runPlan() executes.
/// Fails: InvalidArgument, Unsupported, Cancelled; all else is in the plan's problems.
Result<CopyPlan> prepareConsolidate(CheckpointPtr source, const ConsolidateOptions& options,
                                    const CancelToken& cancel = {},
                                    const DiskRates& rates = DiskRates());

/// The output's extension selects the format: .npy, .safetensors, else a format id. See exportCsv
/// for .csv.
Result<CopyPlan> prepareExport(CheckpointPtr source, const ExportOptions& options,
                               const CancelToken& cancel = {},
                               const DiskRates& rates = DiskRates());

} // namespace cairn
