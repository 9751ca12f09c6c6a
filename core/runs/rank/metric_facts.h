// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/rank/ranking.h"

#include <span>
#include <string_view>

/// Facts derived from a metric's name, for ranking checkpoints by it. Parsing a name takes a
/// microsecond; similar runs have the same thousands of names, so each is parsed once for all of
/// them.
namespace cairn {

struct MetricFacts {
    int rank = 0;                                        ///< as the name implies
    names::Direction better = names::Direction::Unknown; ///< as the name states it
    bool heldOut =
        false; ///< "eval_loss", "val/acc": measured on data that was not used for training
    bool canRank = false; ///< checkpoints can be ranked by it
};
MetricFacts metricFacts(std::string_view name);

/// settleRun() with cached facts about names. REQUIRES: `facts` is parallel to history.series.
void settleRun(ScannedRun& run, const RunHistory& history, std::span<const MetricFacts> facts);

} // namespace cairn
