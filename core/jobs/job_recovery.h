// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/engine.h"
#include "core/jobs/job_context.h"
#include "core/jobs/job_registry.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Recovery of jobs that were killed while publishing, and of jobs without a record.
namespace cairn {

/// The job was killed after its output got its name, and before its manifest did or its journals
/// were removed: it need not run again, and finishPublished() does the rest.
bool isPublished(const StartedJob& job);

/// Compares the output with the job's manifest, gives that its name, and removes what else is left
/// and the job's record.
/// REQUIRES isPublished(). Fails: ChangedOnDisk when the output is not the one that the job wrote,
/// JobIsRunning, and the errors of FileOps.
Result<JobReport> finishPublished(FileOps& fileOps, const StartedJob& job, JobContext& context,
                                  const JobRegistry& registry = JobRegistry());

/// The job's id in the name of what it has staged; empty: the name is not such a one.
std::string jobIdIn(std::string_view name);

/// Jobs that left something in this folder and are not in the registry (a record that was lost or
/// damaged): without a command, so that they can be cleaned up but not resumed; the command that
/// began them continues them. Fails: the errors of opening the folder.
Result<std::vector<StartedJob>> unrecordedJobs(const std::filesystem::path& folder,
                                               const JobRegistry& registry = JobRegistry());

} // namespace cairn
