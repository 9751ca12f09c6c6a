// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/jobs/queue/listed_run.h"
#include "core/plan/copy_plan.h"

#include <string>
#include <vector>

namespace cairn::cli {

/// The plan for a recorded command: the arguments of a job's verb, as in the user's list of jobs
/// and in a job document. Opens the sources; writes nothing. Any thread. Fails: InvalidArgument for
/// arguments that are not a job, Unsupported for packing (which runPlan() does not execute), and
/// with the errors of opening and planning.
Result<CopyPlan> planOfCommand(const std::vector<std::string>& command, const CancelToken& cancel);

/// Executes options.command, packing too, as the verb of that name does: opens the sources, plans,
/// and writes as runListed() does. On the thread of the job. Fails: as planOfCommand() and
/// runListed().
Result<JobReport> runCommand(const ListedOptions& options, FileOps& fileOps, JobContext& context);

} // namespace cairn::cli
