// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/charts/chart_content.h"
#include "ui/pages/compare/weight_distance.h"
#include "ui/pages/history/history_charts.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

/// Converts the facts about two runs to the charts of the Compare page. GUI thread; no file access.
namespace cairn::ui {

/// Axes that both runs support.
std::vector<AxisChoice::Kind> sharedAxes(const RunHistory& left, const RunHistory& right);
std::vector<std::string> sharedAxisMetrics(const RunHistory& left, const RunHistory& right);

/// How the core matches points along the chosen axis; for a metric's values and the time of day it
/// is by steps and by time since the first point.
CompareAxis compareAxis(const AxisChoice& axis);
/// The axis of that comparison's figures.
AxisChoice figureAxis(const AxisChoice& axis);

/// "weights: |B − A| / |A|": the name of the chart of weightContent().
QString weightChartName();
/// The distance of the weights at each pair that is known, along the axis of the left run.
ChartContent weightContent(const ChartedRun& left, const ScannedRun& right,
                           const RunComparison& comparison, const WeightDistance& distance,
                           const std::filesystem::path& selected);

/// The weights chart's position among these metrics: after the first one and the losses.
std::size_t weightChartPlace(const RunComparison& comparison);

/// The lines below the charts: metrics that only one of the runs has, warnings about the
/// sources.
QStringList unmatchedMetricLines(const RunComparison& comparison);
QStringList sourceLines(const ChartedRun& run);

} // namespace cairn::ui
