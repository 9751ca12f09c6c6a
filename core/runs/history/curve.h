// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <cstdint>
#include <vector>

/// A series as a curve: its points over one axis. Pure; any thread.
namespace cairn {

/// How the points of two curves are matched.
enum class CompareAxis : std::uint8_t {
    Step,      ///< the step as recorded
    FirstStep, ///< steps since the curve's first one
    Epoch,     ///< the epoch as recorded
    Time,      ///< seconds since the curve's first point
};

/// A point of a curve, to be drawn and compared; x has the unit of the axis. Doubles: integers
/// beyond 2^53 are rounded, the series has them exactly.
struct CurvePoint {
    double x = 0;
    double value = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// The same with an exact x, to match rows with checkpoints.
struct ExactPoint {
    Number x;
    double value = 0;
    friend bool operator==(const ExactPoint&, const ExactPoint&) = default;
};

/// The curve that is compared: the series' points in ascending x, one for each x. If a restart
/// logged an x again, the last value is used. Points without x (NaN) are omitted; values are as
/// recorded, including NaN and infinities. Without a column for the axis there are no points,
/// except for Step, where the position is used if no steps are recorded at all.
std::vector<CurvePoint> curveOf(const MetricSeries& series, CompareAxis axis);

/// The same over steps, exactly; over epochs as recorded.
std::vector<ExactPoint> curveBySteps(const MetricSeries& series);
std::vector<ExactPoint> curveByEpochs(const MetricSeries& series);

} // namespace cairn
