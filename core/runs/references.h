// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/experiment.h"

#include <vector>

/// What refers to a run's checkpoints from anywhere near it. The scan notes what it passes; before
/// anything is removed, everything that could refer to it is looked at.
namespace cairn {

/// Adds to ScannedCheckpoint::pointedBy and ::exports of each checkpoint: links to it or into it,
/// small text files that name it, deltas that rest on it (whatever their names are), adapters whose
/// base it is, and manifests of outputs made from it. Looked at are the run's folder with
/// everything below, the folder above with what is at most kBesideLevels below that, and the files
/// of all folders further up. Returns what could not be looked at. Fails only with Cancelled.
Result<std::vector<Notice>> markReferences(ScannedRun& run, const CancelToken& cancel = {});
inline constexpr int kBesideLevels = 3;

} // namespace cairn
