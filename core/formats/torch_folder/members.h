// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/tensor_entry.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which files of a folder belong to one save. Pure: decides by names only.
namespace cairn::formats::torch_folder {

struct StateFile {
    std::string name;
    std::string stem; ///< "optimizer.pt" -> "optimizer"
    Role role = Role::TrainingState;
};

struct Members {
    std::string model;
    std::vector<StateFile> states; ///< natural order of names
};

/// Nothing: not exactly one model with some of its training state beside it, or files of torch
/// among them whose part in it the names do not tell.
std::optional<Members> sortMembers(std::span<const FolderEntry> entries);

} // namespace cairn::formats::torch_folder
