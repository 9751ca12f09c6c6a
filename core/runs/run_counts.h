// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <cstddef>

namespace cairn {

/// How many checkpoints a run saved: without links, and without what was made of them and is beside
/// them (outputs, an adapter without a step); the final model in the run's own folder counts. Of a
/// run that has nothing else, these count, too. Pure.
[[nodiscard]] std::size_t savesOf(const ScannedRun& run);

} // namespace cairn
