// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/shared_counts.h"
#include "core/formats/dcp/index.h"
#include "core/model/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The steps and epochs that ranks recorded under keys of their own ("progress.rank_0.step").
/// Private to this folder.
namespace cairn::formats::dcp {

struct RankStep {
    std::string group; ///< the dotted name without the rank: only steps of one group must agree
    std::string field; ///< the dotted name
    FileIndex file;    ///< the shard
    std::int64_t step = 0;
    Counter counter = Counter::Step;
};

/// Whether the item is one rank's own and may record a step.
bool mayRecordRankStep(std::string_view itemName);

/// Adds the counts in an item's value that all ranks share (sharedCounter()).
void addRankSteps(const BytesItem& item, const Value& value, std::vector<RankStep>& steps);

} // namespace cairn::formats::dcp
