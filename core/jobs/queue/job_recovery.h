// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/queue/job_registry.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Recovery of jobs that were killed while publishing, and of jobs without a record.
namespace cairn {

/// Whether the job was killed after its output got its name, but before its manifest got its name
/// or its journals were removed: it need not run again; finishPublished() does the rest.
bool isPublished(const StartedJob& job);

/// Compares the output with the job's manifest, gives the manifest its name, and removes remaining
/// files and the job's record. Waits for another process that does the same or is publishing.
/// Empty: not, or no longer, isPublished(). Fails: ChangedOnDisk if the output is not the one that
/// the job wrote, Cancelled, and the errors of FileOps.
Result<std::optional<JobReport>> finishPublished(FileOps& fileOps, const StartedJob& job,
                                                 JobContext& context,
                                                 const JobRegistry& registry = JobRegistry());

/// The job's id in the name of a staged file; empty: not such a name.
std::string jobIdIn(std::string_view name);

/// Jobs that left files in this folder but are not in the registry (because their record was lost
/// or damaged). They have no command, so they can be cleaned up but not resumed; repeating the
/// original command resumes them. Fails: the errors of opening the folder.
Result<std::vector<StartedJob>> unrecordedJobs(const std::filesystem::path& folder,
                                               const JobRegistry& registry = JobRegistry());

} // namespace cairn
