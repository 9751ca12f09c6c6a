// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/runs/facts/index_stamp.h"

#include <cstdint>
#include <filesystem>

namespace cairn {

/// openCheckpoint() for several askers at once: the facts of a listing, the settings of a run and
/// the checkpoint that the user chose need the same index, which takes seconds and hundreds of MB
/// for a million tensors. A checkpoint that is being opened, or that somebody still holds, is
/// shared if its files have the same stamp (index_cache.h) as when it was opened. Nothing is kept
/// alive here.
/// Any thread; waits for another thread that is opening it, and opens it itself if that one was
/// cancelled. Fails as openCheckpoint() does.
///
/// Reuse::Running: shares an opening that runs now, but not a checkpoint that was opened before: a
/// file beside the stamped ones may have changed what its reader says (a backup, a config).
enum class Reuse : std::uint8_t { Held, Running };
Result<CheckpointPtr> openShared(const std::filesystem::path& path, const CancelToken& cancel = {},
                                 Reuse reuse = Reuse::Held);
/// `now`: of stamped(path), just before.
Result<CheckpointPtr> openShared(const std::filesystem::path& path, Stamped now,
                                 const CancelToken& cancel = {}, Reuse reuse = Reuse::Held);

} // namespace cairn
