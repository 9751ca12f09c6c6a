// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"

#include <string>
#include <vector>

/// The key figures of a checkpoint: loss, accuracy, learning rate at its step. All views use these,
/// so that they agree.
namespace cairn {

struct HeadlineNumber {
    std::string name;       ///< "loss", "eval_loss", "learning_rate", …
    Decided<double> number; ///< always with a value, which may be NaN or infinite
    [[nodiscard]] double value() const { return *number.value; }
    [[nodiscard]] const Place& from() const { return number.because.front().where; }
};

/// In the order of metricRank(): the most important first. Each is, asked in this order:
///   "row-at-step"      Recorded  the row of a log inside the checkpoint
///                                (trainer_state.log_history) at the checkpoint's step
///   "value-at-save"    Recorded  the learning rate in the optimizer
///   "row-before-step"  Named     the latest row before the step
///   "value-in-values"  Named     a value without a step of its own, assumed to be that of the
///                                save; kept as evidence against a row at the step
///   "last-of-list"     Named     the last value of a list with one for each epoch or step
/// Values of other checkpoints ("best_loss") are omitted. `position`:
/// trainingPosition(checkpoint). Reads 0-d tensors; any thread.
std::vector<HeadlineNumber> headlineOf(const Checkpoint& checkpoint, const Value& values,
                                       const TrainingPosition& position);

} // namespace cairn
