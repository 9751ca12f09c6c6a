// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/experiment.h"
#include "core/runs/rank/metric_facts.h"

#include <optional>
#include <span>
#include <string_view>

/// By which metric the checkpoints of a run are judged, and which of its values are better. Pure.
///
/// The metric, asked in this order; one without a decided direction is not used:
///   "metric-in-record"       Recorded  the trainer's newest record names it, and there is a curve
///   "metric-is-target"       Recorded  the only one for which a tool recorded a goal
///   "metric-in-name"         Named     held-out curves first, then the lowest metricRank(); also
///                                      of several recorded goals
///   "metric-in-checkpoints"  Named     the same of what at least two checkpoints hold
/// The direction:
///   "direction-recorded"     Recorded  the trainer's newest record of this metric, a tool's goal
///   "direction-in-name"      Named     the table of words
namespace cairn {

/// Evidence ids of what a user requested.
inline constexpr std::string_view kMetricOfUser = "metric-of-user";
inline constexpr std::string_view kDirectionOfUser = "direction-of-user";

Decided<names::Direction> decideDirection(const ScannedRun& run, const RunHistory& history,
                                          std::string_view metric);

/// A curve of the history; null: none is suitable.
struct JudgingCurve {
    const MetricSeries* series = nullptr;
    Decided<std::string> headline;
};
/// `facts`: parallel to history.series.
JudgingCurve decideCurve(const ScannedRun& run, const RunHistory& history,
                         std::span<const MetricFacts> facts);

/// A metric in the values of the checkpoints; its direction may be unknown.
Decided<std::string> decideHeldMetric(const ScannedRun& run);

} // namespace cairn
