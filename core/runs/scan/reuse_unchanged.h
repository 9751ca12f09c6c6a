// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

/// What a refreshed listing reuses of the previous one. Pure.
namespace cairn {

/// Copies the facts of checkpoints whose files are unchanged; new and changed ones count as being
/// written until they have been examined. Sorts the runs.
void reuseUnchanged(Experiment& now, const Experiment& before);

/// The same checkpoints with the same files in the same order: nothing needs to be examined.
bool sameListing(const Experiment& a, const Experiment& b);

} // namespace cairn
