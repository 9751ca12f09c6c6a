// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::tensorflow {

/// CheckpointState (tensorflow/python/training/checkpoint_state.proto) as text: the file
/// "checkpoint" that every saver writes beside its checkpoints. Paths may be absolute paths of
/// another machine; only their last components are used, so nothing outside the folder is opened.
struct StateFile {
    std::string newest;           ///< last component of model_checkpoint_path
    std::vector<std::string> all; ///< last components of all_model_checkpoint_paths, oldest first
};

/// Empty: not such a file.
std::optional<StateFile> parseStateFile(std::string_view text);

/// The text of a state file beside one checkpoint.
std::string stateFileText(std::string_view prefix);

} // namespace cairn::formats::tensorflow
