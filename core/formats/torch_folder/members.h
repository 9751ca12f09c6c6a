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

/// Which files of a folder belong to one save. Pure: decides by names only.
namespace cairn::formats::torch_folder {

struct StateFile {
    std::string name;
    std::string stem;         ///< "optimizer.pt" -> "optimizer"
    std::optional<Role> role; ///< nothing: the file itself records
};

/// What states that the files are one save.
enum class Evidence : std::uint8_t {
    Names,
    SpeechBrain, ///< its CKPT.yaml: all that is called *.ckpt is part of it, some of that is text
    OlmoCore,    ///< its .metadata.json: the model is a folder, the states are those in `train`
};

inline constexpr std::string_view kSpeechBrainMeta = "CKPT.yaml";
inline constexpr std::string_view kOlmoTrain = "train";

struct Members {
    Evidence evidence = Evidence::Names;
    std::string model;             ///< empty only where the evidence is SpeechBrain's
    std::vector<StateFile> states; ///< natural order of names
};

/// Nothing: not exactly one model with some of its training state beside it, or files of torch
/// among them whose part in it is not in the names.
std::optional<Members> sortMembers(std::span<const FolderEntry> entries);

/// "rank0.pt", "rank1.pt" … of OLMo-core's `train`, as members of the folder above it.
std::vector<StateFile> ranksOfTrain(std::span<const FolderEntry> entries);

} // namespace cairn::formats::torch_folder
