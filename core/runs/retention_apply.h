// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/retention.h"
#include "core/runs/wastebasket.h"

#include <filesystem>
#include <vector>

namespace cairn {

/// Moves what a plan removes to the wastebasket, one checkpoint after another, each as one entry.
/// Right before each move its files, and those of the checkpoint that supersedes it, must be those
/// that the plan was made from: device, inode, size and modification time of every file and folder.
/// Returns, as RetentionPlan::remove, the new places or why a checkpoint stays: ChangedOnDisk,
/// Cancelled, the errors of moveToWastebasket(). A failure does not stop the others.
std::vector<Result<std::filesystem::path>> applyRetention(FileOps& ops, const RetentionPlan& plan,
                                                          const WastebasketPlaces& places,
                                                          const CancelToken& cancel = {});

} // namespace cairn
