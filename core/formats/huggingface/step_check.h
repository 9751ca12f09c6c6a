// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

/// Whether the training state of a folder is of the step that the Trainer's own record names.
namespace cairn::formats::huggingface {

/// A file of training state that was opened.
struct OpenedState {
    std::string name;
    std::string stem; ///< "optimizer", "scheduler_1"
    CheckpointPtr checkpoint;
};

struct SavedSteps {
    std::optional<std::int64_t> trainer;  ///< global_step of trainer_state.json
    std::map<std::int64_t, double> rates; ///< the learning rates that it logged, by step
    std::int64_t ranks = 0;               ///< files of random states
    bool deepSpeed = false; ///< DeepSpeed steps the scheduler, and keeps the optimizer elsewhere
};

/// Compares the folder's name ("checkpoint-20"), trainer_state.json, the optimizer's updates and
/// the scheduler's, and reports those that differ as ErrorCode::MixedSteps. Without the Trainer's
/// record an optimizer and its scheduler are compared with each other: they are of different saves
/// when both their counts and their learning rates differ. Reads a few small tensors.
void checkSteps(CheckpointData& data, const OpenRequest& request, const SavedSteps& saved,
                std::span<const OpenedState> states);

} // namespace cairn::formats::huggingface
