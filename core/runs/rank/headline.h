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
    std::string name; ///< "loss", "eval_loss", "learning_rate", …
    double value = 0; ///< may be NaN or infinite
    NumberFrom from;
};

/// In the order of metricRank(): the most important first. A log inside the checkpoint
/// (trainer_state.log_history) gives the latest row at or before the checkpoint's step; lists with
/// one value for each epoch or step give the last one; other values are those at the time of
/// saving. Values of other checkpoints ("best_loss") are omitted. `position`:
/// trainingPosition(checkpoint). Reads 0-d tensors; any thread.
std::vector<HeadlineNumber> headlineOf(const Checkpoint& checkpoint, const Value& values,
                                       const TrainingPosition& position);

} // namespace cairn
