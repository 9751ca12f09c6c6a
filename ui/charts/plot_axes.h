// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_ticks.h"
#include "ui/charts/plot_frame.h"

#include <QMarginsF>

#include <vector>

class QFont;
class QPainter;
class QPalette;

namespace cairn::ui {

struct AxisTicks {
    std::vector<AxisTick> x;
    std::vector<AxisTick> y;
};

/// Beside the area of a plot, for the labels of its axes: on the left as wide as the widest label
/// of the y axis, at most `most` px, and no less than a number of usual length.
QMarginsF plotMargins(const QFont& font, const std::vector<AxisTick>& y = {}, double most = 0);

/// The ground of a plot: a grid line for each tick of the y axis, the labels of both axes around
/// the frame's area; labels without space are left out.
void paintAxes(QPainter& painter, const PlotFrame& frame, const AxisTicks& ticks, const QFont& font,
               const QPalette& palette);

} // namespace cairn::ui
