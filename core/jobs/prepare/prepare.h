// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/plan/consolidate.h"

/// Makes a plan for a request: gathers the facts of the disk for the pure planner. Reads (statfs,
/// the rates of earlier jobs, the checkpoint's values, config and tokenizer files for a bundle:
/// sidecars.h), writes nothing. Any thread except the window's.
namespace cairn {

/// The plan that `plan` and the window show, and that runPlan() executes. `request` need not be
/// settled; its sources are `inputs`. Fails: the errors of settledRequest(), InvalidArgument,
/// Unsupported, Cancelled; everything else becomes a problem of the plan.
Result<CopyPlan> prepareJob(JobInputs inputs, const JobRequest& request,
                            const CancelToken& cancel = {}, const DiskRates& rates = DiskRates());

/// The same for a request that is settled, as a manifest records it.
Result<CopyPlan> prepareSettled(JobInputs inputs, const JobRequest& request,
                                const CancelToken& cancel = {},
                                const DiskRates& rates = DiskRates());

} // namespace cairn
