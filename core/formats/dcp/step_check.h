// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/rank_steps.h"
#include "core/model/checkpoint.h"

#include <vector>

namespace cairn::formats::dcp {

/// Checks that the shards are from one save: compares the updates recorded by the optimizer's
/// states in each shard, and the global step in Lightning's meta.pt (`meta`, may be null). A later,
/// interrupted save leaves shards of both saves under one index. Adds notices of
/// ErrorCode::MixedSteps, and warnings of ErrorCode::UnequalSteps where the counts may differ by
/// kinds of parameters, or by one first update of zeros. Reads a few small tensors of each shard.
/// Fails: Io if these are on another machine, which does not answer.
Result<void> checkSteps(CheckpointData& data, const CheckpointPtr& meta, const CancelToken& cancel);

/// Checks that the ranks recorded the same step among their values; notices as above.
void checkRankSteps(CheckpointData& data, const std::vector<RankStep>& ranks);

} // namespace cairn::formats::dcp
