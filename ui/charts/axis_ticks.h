// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/curve_data.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// What the numbers along an axis mean, for the choice of round values and for the labels.
enum class AxisUnit : std::uint8_t {
    Plain,
    Whole,    ///< steps: never a part of one
    Duration, ///< seconds
    Moment,   ///< seconds since 1970, in the local time zone
};

struct AxisTick {
    double value = 0;
    QString label;
};

/// About `wanted` round places within the range, with labels as short as possible but still
/// distinct apart ("4k", "1.5M", "0.02", "2 h", "14:30"). On a log axis decades, with 2 and 5 in
/// between where there is room; fewer than two decades get the places of a linear axis. Never more
/// than 2 * wanted.
std::vector<AxisTick> axisTicks(Range range, Scale scale, AxisUnit unit, int wanted);

/// A full axis label: "11,000" for `axisValue(11000, Whole)`.
QString axisValue(double value, AxisUnit unit);

/// The range with round ends, a little air at both; for an axis that shows everything. A range of
/// no length gets one.
Range withMargin(Range range, Scale scale, double share);

} // namespace cairn::ui
