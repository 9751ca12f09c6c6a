// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/experiment.h"

#include <vector>

/// References to a run's checkpoints from its surroundings. The scan notes those that it finds;
/// before anything is removed, everything that could refer to it is examined.
namespace cairn {

/// Adds to ScannedCheckpoint::pointedBy and ::exports of each checkpoint: links to it or into it,
/// small text files that name it, deltas based on it (whatever their names are), adapters whose
/// base it is, and manifests of outputs made from it. It examines the run's folder with everything
/// below, the parent folder up to kBesideLevels deep, and the files of all folders further up.
/// Returns notices about unreadable parts. Fails only with Cancelled.
Result<std::vector<Notice>> markReferences(ScannedRun& run, const CancelToken& cancel = {});
inline constexpr int kBesideLevels = 3;

} // namespace cairn
