// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

/// Checks whether the training state of a folder belongs to the step that the Trainer recorded.
namespace cairn::formats::huggingface {

/// An opened file of training state.
struct OpenedState {
    std::string name;
    std::string stem; ///< "optimizer", "scheduler_1"
    CheckpointPtr checkpoint;
};

struct SavedSteps {
    std::optional<std::int64_t> trainer;  ///< global_step in trainer_state.json
    std::map<std::int64_t, double> rates; ///< logged learning rates, by step
    std::int64_t ranks = 0;               ///< number of random-state files
    bool deepSpeed = false; ///< DeepSpeed steps the scheduler and stores the optimizer elsewhere
};

/// Compares the folder's name ("checkpoint-20"), trainer_state.json, and the counts of optimizer
/// and scheduler, and reports differences as ErrorCode::MixedSteps. Without a Trainer record an
/// optimizer and its scheduler are compared with each other: they are from different saves if both
/// their counts and their learning rates differ. Reads a few small tensors.
void checkSteps(CheckpointData& data, const OpenRequest& request, const SavedSteps& saved,
                std::span<const OpenedState> states);

} // namespace cairn::formats::huggingface
