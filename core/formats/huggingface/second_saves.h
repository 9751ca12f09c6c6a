// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <span>
#include <string>
#include <vector>

/// Weights that are beside the ones that are read: another format of the same save, or another
/// save.
namespace cairn::formats::huggingface {

/// A file of the weights that are read, under their own names.
struct SelectedWeights {
    std::string name;
    CheckpointPtr checkpoint;
};

/// Compares each save among `files`, which are not read, with the weights that are: names, shapes,
/// and elements, all of them when they are few, else a sample of every save. The same:
/// ErrorCode::SecondSave, a remark. Others: ErrorCode::ConflictingSaves, which stops a
/// consolidation. Not comparable: ErrorCode::StrayFile, a remark. Also names an index that is not
/// read and whose shards are missing.
void noteSecondSaves(CheckpointData& data, const OpenRequest& request,
                     std::span<const SelectedWeights> taken, std::span<const std::string> files);

/// An adapter beside a model's own weights.
void noteAdapter(CheckpointData& data, std::span<const std::string> files);

} // namespace cairn::formats::huggingface
