// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/retention/retention.h"

#include <filesystem>
#include <span>

namespace cairn {

/// Why the files of a checkpoint cannot be moved; empty: they can.
Sentence movingObstacle(const SavedFiles& files, const RetentionEvidence& evidence);

/// The removal of checkpoints that the user named, whatever the rules say of them. Nothing has to
/// supersede them, so what is lost is said of each: that it is the latest, the best, the last one
/// from which training can be resumed, or named by a file. Refused are pinned ones, links,
/// checkpoints that are being written or open for writing, folders that contain other checkpoints,
/// and what is not a checkpoint of the run. Nothing is kept in the plan. Pure. REQUIRES: as
/// planRetention().
RetentionPlan planChosenRemoval(const ScannedRun& run,
                                std::span<const std::filesystem::path> chosen,
                                const RetentionEvidence& evidence);

} // namespace cairn
