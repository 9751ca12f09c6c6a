// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/curve_data.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// What the numbers along an axis mean, for the choice of round places and for the words.
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

/// About `wanted` round places within the range, with their labels as short as they can be told
/// apart ("4k", "1.5M", "0.02", "2 h", "14:30"). On a log axis decades, with 2 and 5 in between
/// where there is room; fewer than two decades get the places of a linear axis. Never more than
/// 2 * wanted.
std::vector<AxisTick> axisTicks(Range range, Scale scale, AxisUnit unit, int wanted);

/// A place on the axis in full: "step 11,000" is `axisValue(11000, Whole)` with a word before.
QString axisValue(double value, AxisUnit unit);

/// The range with round ends, a little air at both; for an axis that shows everything. A range of
/// no length gets one.
Range withAir(Range range, Scale scale, double share);

} // namespace cairn::ui
