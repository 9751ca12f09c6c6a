// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/jobs/prepare/precision_preview.h"
#include "core/jobs/request/run_request.h"
#include "core/plan/request.h"

#include <cstddef>
#include <functional>

/// The reports of jobs and plans, as text and as documents.
namespace cairn::cli {

/// Prints the plan as a document or a table, with the forecast of its precision if there is one.
void printPlan(const PlannedJob& planned, const JobRequest& request, Session& session,
               std::size_t parts = 1, const PrecisionPreview* precision = nullptr);

/// Prints what a job did. `part`: the share of the job that was done.
void printOutcome(const FinishedJob& outcome, JobPart part, Session& session);

/// Runs `work`, with progress on standard error.
Result<FinishedJob>
runWatched(Session& session, const std::function<Result<FinishedJob>(FileOps&, JobContext&)>& work);

} // namespace cairn::cli
