// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/engine/engine_job.h"
#include "core/jobs/engine/staging.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace cairn {

/// Whether the file systems of the source's files and of `folder`, the output's parent, can share
/// blocks. Opens one file of each device; makes no writing calls.
Sharing findSharing(const Checkpoint& source, const std::filesystem::path& folder);

struct ShareOutcome {
    std::uint64_t bytes = 0; ///< bytes shared instead of copied
    double seconds = 0;      ///< time in the system calls
};

/// Fills the plan's shared ranges, or the part's share of them, in the staged files: through the
/// file system, and by copying where it refuses. Everything is borrowed. Nothing is synced or
/// recorded: a resumed job does it again. Fails: the errors of FileOps and reading, Cancelled.
///
/// Hard links are not used, even for complete files: an output with the source's inode would change
/// together with it, and no longer match its manifest. Sharing the blocks takes as little time and
/// space, and the files stay separate.
Result<ShareOutcome> shareBlocks(const EngineJob& job, std::span<const StagedFile> files);

} // namespace cairn
