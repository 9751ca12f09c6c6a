// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"

#include <string>
#include <vector>

/// The key figures of a checkpoint: loss, accuracy, learning rate at its step. Every view uses
/// these, so that all show the same.
namespace cairn {

struct HeadlineNumber {
    std::string name; ///< "loss", "eval_loss", "learning_rate", …
    double value = 0; ///< may be NaN or infinite
    NumberFrom from;
};

/// In the order of metricRank(): the most important first. A log inside the checkpoint
/// (trainer_state.log_history) gives the newest row at or before the checkpoint's step; lists of
/// one value for each epoch or step give the last one; other values are those of the moment when it
/// was saved. Values of another checkpoint ("best_loss") are left out. `position`:
/// trainingPosition(checkpoint). Reads 0-d tensors; any thread.
std::vector<HeadlineNumber> headlineOf(const Checkpoint& checkpoint, const Value& values,
                                       const TrainingPosition& position);

} // namespace cairn
