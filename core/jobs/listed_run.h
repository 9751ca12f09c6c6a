// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/disk_rates.h"
#include "core/jobs/engine.h"
#include "core/jobs/job_registry.h"
#include "core/jobs/pack_archive.h"

#include <string>
#include <vector>

/// Running a plan so that it can be found after the process was killed, and the jobs that were
/// found.
namespace cairn {

/// How a job is listed and run.
struct ListedOptions {
    std::vector<std::string> command; ///< of cairn-cli, without the program's name, with absolute
                                      ///< paths; it makes the same plan
    std::string digest;               ///< of the expected plan; empty: any
    EngineOptions engine = EngineOptions();
    JobRegistry registry = JobRegistry(); ///< the user's list of jobs
    DiskRates rates = DiskRates();        ///< records what the job measured
};

/// runPlan() while the job is in the list of jobs. It is removed from the list when it ends; but a
/// part of a job stays until all are published, and a suspended job until it is resumed. Blocks,
/// like runPlan(). Fails besides: ChangedOnDisk if the plan is not the expected one.
Result<JobReport> runListed(const CopyPlan& plan, const ListedOptions& options, FileOps& fileOps,
                            JobContext& context);

/// The same for packArchive(), which does all of it or, after a kill, all of it again.
/// Fails besides: InvalidArgument for a part of it.
Result<JobReport> runListedPack(const CheckpointPtr& source, const PackOptions& wanted,
                                const ListedOptions& options, FileOps& fileOps,
                                JobContext& context);

/// A job in the user's list, and its files.
struct ListedJob {
    StartedJob job;
    std::vector<std::filesystem::path> left; ///< see leftovers()
    std::uint64_t leftBytes = 0;             ///< that they take on the disk
    std::uint64_t written = 0;               ///< bytes of the output that need not be written again
};

/// Running jobs and interrupted ones, oldest first. Reads folders and journals: not on
/// a window's thread. Parts of one job are several.
std::vector<ListedJob> listedJobs(const JobRegistry& registry = JobRegistry());

/// Collects the state of a job, running or not.
ListedJob inspectJob(StartedJob job);

} // namespace cairn
