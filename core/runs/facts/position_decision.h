// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/model/training_position.h"
#include "core/runs/experiment.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Decides which step and epoch a checkpoint has. Pure.
///
/// Proven: a recorded step that equals the optimizer's count. Recorded: the checkpoint's values or
/// its format's index. Named: a number after a word for steps or epochs in the name.
/// - A recorded value beats the name, which is then kept in `against` if it differs.
/// - "steps" and "epochs" in the values may be how many are planned: they count only without a
///   number in the name.
/// - A number after a word for a save ("checkpoint_3") is a step only while the values do not show
///   that it counts saves (the optimizer's count is larger: accelerate), the log beside it is of a
///   writer that does (Ray), or they show that it counts epochs (it follows the recorded epochs of
///   all checkpoints of the run: timm). Then there is no step.
/// - The optimizer's count alone is not a step: there may be several optimizers, skipped steps or a
///   new optimizer.
namespace cairn {

/// What a checkpoint's files record about its position.
struct RecordedPosition {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    bool vagueStep = false; ///< as in TrainingPosition
    bool vagueEpoch = false;
    std::string stepField;
    std::string epochField;
    std::optional<std::int64_t> updates; ///< of the optimizer
};

/// Sets step, epoch and their evidence from the name and from what is recorded.
void decidePosition(ScannedCheckpoint& checkpoint, const RecordedPosition& recorded);

/// The run's part of the decision: numbers in names that count saves or epochs. Can be repeated.
void decideSaveNumbers(ScannedRun& run);

/// The evidence in the values of one checkpoint, without its name and its run.
std::vector<Evidence> positionEvidence(const RecordedTraining& training,
                                       const std::filesystem::path& path);

} // namespace cairn
