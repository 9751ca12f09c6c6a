// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/weight_index.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::huggingface {

/// Compares the contents of the shards with the index; differences become notices, and tensors in
/// no shard make the checkpoint incomplete. `shardOf`: for each tensor of `data` the position of
/// its shard in the index. If a tensor is in two shards, the one that the index names is moved to
/// the front, so that it is shown.
void compareWithIndex(CheckpointData& data, const WeightIndex& index, const std::string& indexName,
                      std::vector<std::uint32_t> shardOf);

} // namespace cairn::formats::huggingface
