// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"

#include <filesystem>
#include <string>
#include <vector>

/// Where sidecars may be: the folders around a checkpoint that are evidently those of a model.
namespace cairn {

struct SidecarPlace {
    FolderPtr folder;
    std::filesystem::path path;
    std::string name;  ///< for decisions: as the user named it, or relative to the checkpoint
    bool own = false;  ///< the checkpoint's folder itself
    bool like = false; ///< named by the user
};

/// Nearest first; see findSidecars(), also for errors.
Result<std::vector<SidecarPlace>> sidecarPlaces(const Checkpoint& source,
                                                const std::filesystem::path& like);

/// Whether its config.json describes a model, not a training.
bool hasModelConfig(const Folder& folder);

} // namespace cairn
