// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/runs/experiment.h"

#include <filesystem>
#include <set>

/// Pins: checkpoints that the user wants to keep, whatever the rules say. A pin is a small file in
/// the user's state folder, named by the digest of the checkpoint's path: nothing is written beside
/// the checkpoints. Any thread.
namespace cairn {

/// "$XDG_STATE_HOME/cairn/pins", else "~/.local/state/cairn/pins"; empty: no home folder.
std::filesystem::path pinsFolder();

bool isPinned(const std::filesystem::path& checkpoint,
              const std::filesystem::path& pins = pinsFolder());

/// Pins it or removes its pin; nothing happens if that is so already. Fails with NotFound if the
/// user has no folder for this data, and as FileOps.
Result<void> setPinned(FileOps& ops, const std::filesystem::path& checkpoint, bool pinned,
                       const std::filesystem::path& pins = pinsFolder());

/// The paths of the run's pinned checkpoints.
std::set<std::filesystem::path> pinnedOf(const ScannedRun& run,
                                         const std::filesystem::path& pins = pinsFolder());

} // namespace cairn
