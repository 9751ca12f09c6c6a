// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/ranking.h"

#include <span>
#include <string_view>

/// What a metric's name says about judging checkpoints by it. Taking a name apart costs a
/// microsecond; runs of one kind tell the same thousands of names, so that it is done once for
/// all of them.
namespace cairn {

struct MetricFacts {
    int rank = 0; ///< metricRank()
    names::Direction better = names::Direction::Unknown; ///< as the name says it
    bool heldOut = false; ///< "eval_loss", "val/acc": on data that was not trained on
    bool judges = false;  ///< a checkpoint may be judged by it
};
MetricFacts metricFacts(std::string_view name);

/// settleRun() with what is known of the names. REQUIRES: `facts` as history.series.
void settleRun(ScannedRun& run, const RunHistory& history, std::span<const MetricFacts> facts);

} // namespace cairn
