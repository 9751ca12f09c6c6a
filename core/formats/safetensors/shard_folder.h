// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::safetensors {

/// True if the folder contains shards that belong together by name: `shard-*-model-*.safetensors`
/// as torch's HuggingFaceStorageWriter writes them for each rank, or
/// `<base>-<k>-of-<n>.safetensors`.
bool hasShards(const Candidate& folder);

/// Joins the shards of a folder without an index. A tensor with parts in several files (at the
/// offsets in their `DCP_SHARDING_INFO`) becomes one tensor with several pieces. Missing, stale and
/// stray files, holes and contradictions become notices. Fails if no shard can be read at all.
Result<CheckpointPtr> openShardFolder(const OpenRequest& request);

} // namespace cairn::formats::safetensors
