// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/rank/metric_facts.h"
#include "core/runs/table/run_table.h"

#include <span>
#include <string>

/// What a row of the run table contains besides its cells. Pure; any thread.
namespace cairn {

/// The summary of one curve. With an unknown direction it has no best value.
MetricCell metricCell(const MetricSeries& series, names::Direction direction);

/// Settings, goals, extent in steps and time, and the outline of the curve of the metric that ranks
/// the run. `history`: including the settings of checkpoints; `facts`: parallel to its series.
/// `rankingMetric`: ScannedRun::scoreMetric(), may be empty.
void addRowFacts(RunRow& row, const RunHistory& history, std::span<const MetricFacts> facts,
                 const std::string& rankingMetric);

} // namespace cairn
