// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <span>
#include <string>
#include <vector>

/// Weights beside the selected ones: the same save in another format, or another save.
namespace cairn::formats::huggingface {

/// A file of the selected weights, with the tensors' names.
struct SelectedWeights {
    std::string name;
    CheckpointPtr checkpoint;
};

/// Compares each save among `files`, which are not read, with the selected weights: names, shapes,
/// and elements (all if there are few, else a sample of every save). Equal: ErrorCode::SecondSave,
/// info. Different: ErrorCode::ConflictingSaves, which stops a consolidation. Not comparable:
/// ErrorCode::StrayFile, info. Also reports an index that is not used and whose shards are missing.
void noteSecondSaves(CheckpointData& data, const OpenRequest& request,
                     std::span<const SelectedWeights> taken, std::span<const std::string> files);

/// Reports an adapter beside a model's weights.
void noteAdapter(CheckpointData& data, std::span<const std::string> files);

} // namespace cairn::formats::huggingface
