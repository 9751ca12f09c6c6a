// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds the files of a folder that belong to one save. Pure: decides by names only.
namespace cairn::formats::torch_folder {

struct StateFile {
    std::string name;
    std::string stem;         ///< "optimizer.pt" -> "optimizer"
    std::optional<Role> role; ///< empty: decided by the file's content
};

/// Why the files are assumed to be one save.
enum class Evidence : std::uint8_t {
    Names,
    SpeechBrain, ///< its CKPT.yaml: all *.ckpt files belong to it, some of which are text
    OlmoCore,    ///< its .metadata.json: the model is a folder, the states are those in `train`
};

inline constexpr std::string_view kSpeechBrainMeta = "CKPT.yaml";
inline constexpr std::string_view kOlmoTrain = "train";

struct Members {
    Evidence evidence = Evidence::Names;
    std::string model;             ///< empty only for SpeechBrain
    std::vector<StateFile> states; ///< in natural order
};

/// Empty: not exactly one model with training state beside it, or torch files whose names do not
/// show their role.
std::optional<Members> sortMembers(std::span<const FolderEntry> entries);

/// "rank0.pt", "rank1.pt" … of OLMo-core's `train`, as paths relative to the parent folder.
std::vector<StateFile> ranksOfTrain(std::span<const FolderEntry> entries);

} // namespace cairn::formats::torch_folder
