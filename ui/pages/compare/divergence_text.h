// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/charts/run_axis.h"
#include "ui/pages/compare/weight_distance.h"

#include <QString>

/// "First divergence" in sentences.
namespace cairn::ui {

/// Describes up to where the curves are equal and where they diverge. `axis`: the axis of the
/// figures.
QString describeCurveDivergence(const MetricComparison& metric, const AxisChoice& axis,
                                double tolerance);

/// Up to where the weights are equal, and the first layers to differ by more than the tolerance;
/// empty while nothing is known.
QString describeWeightDivergence(const RunComparison& comparison, const WeightDistance& distance,
                                 double tolerance);

} // namespace cairn::ui
