// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/retention/retention.h"
#include "core/runs/retention/wastebasket.h"

#include <filesystem>
#include <vector>

namespace cairn {

/// Moves the checkpoints to be removed to the wastebasket, one after another, each as one entry.
/// Directly before each move its files, and those of the checkpoint that supersedes it, must equal
/// those in the plan: device, inode, size and modification time of every file and folder. Returns,
/// parallel to RetentionPlan::remove, the new locations or why a checkpoint was not moved:
/// ChangedOnDisk, Cancelled, the errors of moveToWastebasket(). A failure does not stop the others.
std::vector<Result<std::filesystem::path>> applyRetention(FileOps& ops, const RetentionPlan& plan,
                                                          const WastebasketPlaces& places,
                                                          const CancelToken& cancel = {});

/// Moves a checkpoint back from where applyRetention() moved it. Fails as restoreFromWastebasket(),
/// and with ChangedOnDisk if something else has that place in the wastebasket now.
Result<void> undoRemoval(FileOps& ops, const RetentionPlan::Removal& removal,
                         const std::filesystem::path& movedTo);

} // namespace cairn
