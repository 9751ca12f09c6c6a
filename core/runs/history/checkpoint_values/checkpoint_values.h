// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

namespace cairn {

/// Adds the numbers that the run's checkpoints hold themselves (CheckpointFacts::metrics) as one
/// more source of kind "checkpoint_values": one point for each checkpoint, at its step, else its
/// epoch, else its place in training order. Links count as what they point to. Reads no file:
/// call it after applyFacts(). Adds nothing when no checkpoint holds a number. Any thread.
void addCheckpointValues(RunHistory& history, const ScannedRun& run);

} // namespace cairn
