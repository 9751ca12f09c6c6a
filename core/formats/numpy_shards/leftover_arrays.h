// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/member_files.h"

namespace cairn::formats::numpy_shards {

/// Adds the arrays that are part of no tensor, each under a name of its own: under the file's
/// prefix, or under the shard's label where several files have the same name. Arrays that may be
/// parts of one are a notice, and the checkpoint is incomplete.
void addLeftoverArrays(CheckpointData& data, MemberFiles& files);

} // namespace cairn::formats::numpy_shards
