// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/curve_data.h"

#include <QPointF>
#include <QRectF>

#include <cmath>

namespace cairn::ui {

/// Maps values to pixels: the plot's rectangle and the visible range of both axes.
struct PlotFrame {
    QRectF area;
    Range x;
    Range y;
    Scale xScale = Scale::Linear;
    Scale yScale = Scale::Linear;

    static double place(double value, Scale scale) {
        return scale == Scale::Log ? std::log10(value) : value;
    }
    static double unplace(double value, Scale scale) {
        return scale == Scale::Log ? std::pow(10.0, value) : value;
    }
    static double share(double value, Range range, Scale scale) {
        const double low = place(range.low, scale);
        return (place(value, scale) - low) / (place(range.high, scale) - low);
    }
    double toX(double value) const { return area.left() + area.width() * share(value, x, xScale); }
    double toY(double value) const {
        return area.bottom() - area.height() * share(value, y, yScale);
    }
    QPointF toPoint(PlotPoint point) const { return {toX(point.x), toY(point.y)}; }
    double fromX(double pixel) const {
        const double low = place(x.low, xScale);
        return unplace(low + (pixel - area.left()) / area.width() * (place(x.high, xScale) - low),
                       xScale);
    }
    double fromY(double pixel) const {
        const double low = place(y.low, yScale);
        return unplace(
            low + (area.bottom() - pixel) / area.height() * (place(y.high, yScale) - low), yScale);
    }
};

} // namespace cairn::ui
