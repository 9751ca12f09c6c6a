// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/rank_steps.h"
#include "core/formats/dcp/subclass_items.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// The plain values of a checkpoint in their original nesting. Private to this folder.
namespace cairn::formats::dcp {

/// Sets CheckpointData::loadValues, and adds the tensors inside bytes items (a tuple with a tensor,
/// a NumPy array) as entries. For that, bytes items larger than kLargeItem are read now, and all of
/// them if there are at most kFewItems; the others are read on demand. Returns the steps that ranks
/// recorded in these. REQUIRES: data.files begins
/// with the `shardCount` shards; `expanded` from expandSubclasses().
std::vector<RankStep> prepareValues(CheckpointData& data, DcpIndex index, ExpandedTensors expanded,
                                    std::size_t shardCount, const CancelToken& cancel);

inline constexpr std::uint64_t kLargeItem = 4096;
inline constexpr std::size_t kFewItems = 512;
inline constexpr std::size_t kMostRankItems = 4096; ///< small items of ranks that are read, too

/// A loader that adds a companion's values (meta.pt, common.pt) at the top level, beside those of
/// `own`. Tensor references in the companion are shifted by `shift`.
ValueLoader withCompanion(ValueLoader own, CheckpointPtr companion, std::uint32_t shift);

} // namespace cairn::formats::dcp
