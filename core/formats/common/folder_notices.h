// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <string>

namespace cairn::formats {

/// Adds a notice while there are not too many.
void addNotice(CheckpointData& data, Severity severity, Error error);
/// Makes the checkpoint incomplete; one sentence.
void markIncomplete(CheckpointData& data, std::string why);
/// Both: an error without which nothing of the folder may be merged.
void addDamage(CheckpointData& data, Error error);
/// A file that must be there and is not.
void addMissingFile(CheckpointData& data, const FolderPtr& folder, const std::string& name,
                    Role role, const std::string& evidence);
/// Names tensors that were merged out of several files and are not tiled by their parts; the
/// checkpoint is incomplete then. Linear in the pieces.
void addUncovered(CheckpointData& data);

} // namespace cairn::formats
