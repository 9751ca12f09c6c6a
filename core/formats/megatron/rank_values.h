// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/rank_set.h"

#include <vector>

namespace cairn::formats::megatron {

/// Adds the tensors that are not part of the complete model, each with its rank's prefix.
void addOwnTensors(CheckpointData& data, RankSet& ranks);

/// The first rank's values, and of every rank those that contain its separate tensors. `model`: the
/// names of the merged tensors, which replace the ranks' models; empty: nothing was merged.
Value mergedValues(const RankSet& ranks, std::vector<ValueItem> model);

} // namespace cairn::formats::megatron
