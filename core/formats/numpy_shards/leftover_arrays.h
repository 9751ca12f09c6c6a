// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/member_files.h"

namespace cairn::formats::numpy_shards {

/// Adds the arrays that belong to no tensor of the manifest, with the file's prefix, or with the
/// shard's label if several files have the same name. Arrays that may be parts of one tensor are
/// reported, and the checkpoint is incomplete.
void addLeftoverArrays(CheckpointData& data, MemberFiles& files);

} // namespace cairn::formats::numpy_shards
