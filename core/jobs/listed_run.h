// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/disk_rates.h"
#include "core/jobs/engine.h"
#include "core/jobs/job_registry.h"
#include "core/jobs/pack_archive.h"

#include <string>
#include <vector>

/// Running a plan in such a way that it can be found again after the process was killed; and what
/// was found.
namespace cairn {

/// How a job is listed and run.
struct ListedOptions {
    std::vector<std::string> command; ///< of cairn-cli, without the program's name, with absolute
                                      ///< paths; it makes the same plan
    std::string digest;               ///< of the plan that is meant; empty: any
    EngineOptions engine = EngineOptions();
    JobRegistry registry = JobRegistry(); ///< the user's list of jobs
    DiskRates rates = DiskRates(); ///< learn from what the job measured
};

/// runPlan() while the job is in the list of jobs. It leaves the list when it ends; but a part of a
/// job stays until all are published, and a suspended job until it is resumed. Blocks, like
/// runPlan(). Fails besides: ChangedOnDisk when another plan was meant.
Result<JobReport> runListed(const CopyPlan& plan, const ListedOptions& options, FileOps& fileOps,
                            JobContext& context);

/// The same for packArchive(), which does all of it or, after a kill, all of it again.
/// Fails besides: InvalidArgument for a part of it.
Result<JobReport> runListedPack(const CheckpointPtr& source, const PackOptions& wanted,
                                const ListedOptions& options, FileOps& fileOps,
                                JobContext& context);

/// A job in the user's list, and what there is of it.
struct ListedJob {
    BegunJob job;
    std::vector<std::filesystem::path> left; ///< see leftovers()
    std::uint64_t leftBytes = 0;             ///< that they take on the disk
    std::uint64_t written = 0;               ///< bytes of the output that need not be written again
};

/// Those that run, and those that left something, oldest first. Reads folders and journals: not on
/// a window's thread. Parts of one job are several.
std::vector<ListedJob> listedJobs(const JobRegistry& registry = JobRegistry());

/// What there is of a job, whether it runs or not.
ListedJob lookAt(BegunJob job);

} // namespace cairn
