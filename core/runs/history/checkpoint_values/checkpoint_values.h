// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

namespace cairn {

/// Adds the numbers in the values of the run's checkpoints (CheckpointFacts::metrics) as a source
/// of kind "checkpoint_values": one point for each checkpoint, at its step, else its epoch, else
/// its position in training order. A link counts as its target. Reads no file: call it after
/// applyFacts(). Adds nothing if no checkpoint contains a number. Any thread.
void addCheckpointValues(RunHistory& history, const ScannedRun& run);

} // namespace cairn
