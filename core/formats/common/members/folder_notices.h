// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/model/checkpoint.h"

#include <string>

namespace cairn::formats {

/// Adds a notice unless there are too many.
void addNotice(CheckpointData& data, Severity severity, Error error);
/// Marks the checkpoint as incomplete; `why` is one sentence.
void markIncomplete(CheckpointData& data, Sentence why);
/// Both: an error that must be resolved before the folder can be merged.
void addDamage(CheckpointData& data, Error error);
/// The error of a shard that is not in the folder.
Error missingShard(const std::string& name);
/// Reports a missing file that is required.
void addMissingFile(CheckpointData& data, const FolderPtr& folder, const std::string& name,
                    Role role, const Sentence& evidence);
/// Reports a tensor whose pieces contain fewer elements than it has, and marks the checkpoint as
/// incomplete. For pieces that do not overlap.
void checkVolume(CheckpointData& data, const TensorEntry& tensor);
/// Reports merged tensors that are not completely covered by their parts, and marks the checkpoint
/// as incomplete. Linear in the number of pieces.
void addUncovered(CheckpointData& data);

} // namespace cairn::formats
