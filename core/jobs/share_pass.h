// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/engine.h"
#include "core/jobs/job_context.h"
#include "core/jobs/staging.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace cairn {

/// What the file systems state about the source's files and of `folder`, in which the output will
/// be. Opens one file of each device; asks nothing that writes.
Sharing findSharing(const Checkpoint& source, const std::filesystem::path& folder);

struct ShareOutcome {
    std::uint64_t bytes = 0; ///< shared, not copied
    double seconds = 0;      ///< in the calls
};

/// Fills the plan's shared ranges, or the part's share of them, in the staged files: by asking the
/// file system, and by copying what it refuses. Everything is borrowed. Nothing is durable yet, and
/// nothing is written down: a job that continues does it again. Fails: the errors of FileOps and
/// reading, Cancelled.
///
/// There are no hard links, even where a whole file of the source is what is wanted: an output that
/// is the source's inode would change with it, in place, under a manifest that states otherwise.
/// Sharing the blocks takes as little time and space, and each file stays itself.
Result<ShareOutcome> shareBlocks(const CopyPlan& plan, std::span<const StagedFile> files,
                                 FileOps& fileOps, JobContext& context,
                                 const EngineOptions& options);

} // namespace cairn
