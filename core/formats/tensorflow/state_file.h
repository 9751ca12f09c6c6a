// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::tensorflow {

/// CheckpointState (tensorflow/python/training/checkpoint_state.proto) as text: the file
/// "checkpoint" that every saver leaves beside its checkpoints. Paths may be absolute, of the
/// machine that wrote them; only their last parts are used, for nothing outside the folder is
/// opened.
struct StateFile {
    std::string newest;           ///< last part of model_checkpoint_path
    std::vector<std::string> all; ///< last parts of all_model_checkpoint_paths, oldest first
};

/// Nothing: this text is not such a state.
std::optional<StateFile> parseStateFile(std::string_view text);

} // namespace cairn::formats::tensorflow
