// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/archive/pack_archive.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/queue/job_registry.h"

#include <string>
#include <vector>

/// Runs plans that can be found after the process was killed, and lists such jobs.
namespace cairn {

/// Options for a listed job.
struct ListedOptions {
    std::vector<std::string>
        command;        ///< arguments of cairn-cli that make the same plan, with absolute paths
    std::string digest; ///< of the expected plan; empty: any
    EngineOptions engine = EngineOptions();
    JobRegistry registry = JobRegistry(); ///< the user's list of jobs
    DiskRates rates = DiskRates();        ///< measured rates are added to this
};

/// runPlan() with the job in the user's list. It is removed from the list when it ends; but a part
/// of a job stays until all parts are published, and a suspended job until it is resumed. Blocks,
/// like runPlan(). When it has ended, it is added to the registry's history. Fails also with:
/// ChangedOnDisk if the plan is not the expected one, JobIsRunning if a job with another plan is
/// writing this output.
Result<JobReport> runListed(const CopyPlan& plan, const ListedOptions& options, FileOps& fileOps,
                            JobContext& context);

/// The same for packArchive(), which after a kill starts again from the beginning. Fails also with:
/// InvalidArgument for a part of a job.
Result<JobReport> runListedPack(const CheckpointPtr& source, const PackOptions& wanted,
                                const ListedOptions& options, FileOps& fileOps,
                                JobContext& context);

/// A job in the user's list, and its files.
struct ListedJob {
    StartedJob job;
    std::vector<std::filesystem::path> left; ///< see leftovers()
    std::uint64_t leftBytes = 0;             ///< their size on the disk
    std::uint64_t written = 0;               ///< bytes of the output that need not be written again
};

/// Running and interrupted jobs, oldest first. Reads folders and journals: do not call it on the
/// GUI thread. Each part of a job is a separate entry.
std::vector<ListedJob> listedJobs(const JobRegistry& registry = JobRegistry());

/// Collects the state of a job, running or not.
ListedJob inspectJob(StartedJob job);

} // namespace cairn
