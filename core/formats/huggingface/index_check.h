// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/weight_index.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::huggingface {

/// Compares what the shards hold with what the index states; differences are notices, and tensors
/// that are in no shard make the checkpoint incomplete. `shardOf` states for each tensor of `data`
/// the position of its shard in the index. Of a tensor in two shards, the one in the shard that
/// the index names comes first afterwards, so that it is the one that is shown.
void compareWithIndex(CheckpointData& data, const WeightIndex& index, const std::string& indexName,
                      std::vector<std::uint32_t> shardOf);

} // namespace cairn::formats::huggingface
