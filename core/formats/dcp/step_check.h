// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

namespace cairn::formats::dcp {

/// Whether the shards are of one save: compares the updates that the optimizer's states recorded in
/// each shard, and with them the global step that Lightning recorded in meta.pt (`meta`, may be
/// null). A later save that was interrupted leaves shards of both under one index. Adds notices of
/// ErrorCode::MixedSteps. Reads a few small tensors of each shard.
void checkSteps(CheckpointData& data, const CheckpointPtr& meta, const CancelToken& cancel);

} // namespace cairn::formats::dcp
