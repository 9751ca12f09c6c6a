// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/curve_data.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// The meaning of an axis's numbers, for choosing round values and labels.
enum class AxisUnit : std::uint8_t {
    Plain,
    Whole,    ///< steps: never fractions
    Duration, ///< seconds
    Moment,   ///< seconds since 1970, in the local time zone
};

struct AxisTick {
    double value = 0;
    QString label;
};

/// About `wanted` round values within the range, with labels as short as possible but still
/// distinct ("4k", "1.5M", "0.02", "2 h", "14:30"). On a log axis powers of ten, with 2 and 5 in
/// between if there is space; less than two decades get the values of a linear axis. At most 2 *
/// wanted.
std::vector<AxisTick> axisTicks(Range range, Scale scale, AxisUnit unit, int wanted);

/// A full axis label: "11,000" for `axisValue(11000, Whole)`.
QString axisValue(double value, AxisUnit unit);

/// The range with round limits and a small margin at both ends, for an axis that shows all data. An
/// empty range gets a length.
Range withMargin(Range range, Scale scale, double share);

} // namespace cairn::ui
