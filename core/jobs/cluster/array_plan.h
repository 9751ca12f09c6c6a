// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/cluster/array_job.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/plan/request.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Plans what an array will do: one job in parts, or the same job for each checkpoint of a run.
/// Reads checkpoints, writes nothing; any thread but the window's.
namespace cairn {

struct SkippedCheckpoint {
    std::filesystem::path path;
    Sentence why;
};

struct ArrayPlan {
    ArrayJob job;
    ArrayNeeds needs;
    std::string name;                     ///< for the scheduler's lists: that of the output
    std::vector<std::uint64_t> taskBytes; ///< that each task writes
    std::vector<SkippedCheckpoint> skipped;
};

/// Fails: InvalidArgument for jobs that are not made in parts (packing, csv), OutputExists if it is
/// done already, and the errors of planRequest() and the plan's problems.
Result<ArrayPlan> planArray(const JobRequest& request, std::size_t parts,
                            const CancelToken& cancel = {}, const DiskRates& rates = DiskRates());

/// `request`: without sources; its output is a folder that gets one output for each checkpoint,
/// with its name, or contains "{name}" or "{step}", which are replaced. Links, exports, and
/// checkpoints that are not complete or whose output is done already are skipped. Fails as above,
/// for the first checkpoint that cannot be planned, and with InvalidArgument if two have one
/// output; NotFound if none is left.
Result<ArrayPlan> planEachCheckpoint(const JobRequest& request, const ScannedRun& run,
                                     std::size_t parts, const CancelToken& cancel = {},
                                     const DiskRates& rates = DiskRates());

/// The output of one checkpoint, see above.
std::filesystem::path outputFor(const std::filesystem::path& pattern,
                                const ScannedCheckpoint& checkpoint);

} // namespace cairn
