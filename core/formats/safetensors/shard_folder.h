// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::safetensors {

/// True if the folder holds shards whose names alone state that they belong together:
/// `shard-*-model-*.safetensors` as torch's HuggingFaceStorageWriter writes them for each rank, or
/// `<base>-<k>-of-<n>.safetensors`.
bool hasShards(const Candidate& folder);

/// Joins the shards of a folder without an index. Tensors that several files hold parts of (their
/// `DCP_SHARDING_INFO` states where) appear once, whole, in pieces. Missing, stale and stray files,
/// holes and contradictions are notices. Fails when no shard can be read at all.
Result<CheckpointPtr> openShardFolder(const OpenRequest& request);

} // namespace cairn::formats::safetensors
