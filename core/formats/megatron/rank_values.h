// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/rank_set.h"

#include <vector>

namespace cairn::formats::megatron {

/// Adds the tensors that are not part of the complete model, each under its rank's name.
void addOwnTensors(CheckpointData& data, RankSet& ranks);

/// The first rank's values; of every rank what holds tensors of its own. `model`: the names of the
/// merged tensors, which take the place of the ranks' models; empty: nothing was merged.
Value mergedValues(const RankSet& ranks, std::vector<ValueItem> model);

} // namespace cairn::formats::megatron
