// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_axes.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace cairn::ui {

QMarginsF plotMargins(const QFont& font, const std::vector<AxisTick>& y, double most) {
    const QFontMetricsF metrics(theme::small(font));
    double widest = 0;
    for (const AxisTick& tick : y) {
        widest = std::max(widest, metrics.horizontalAdvance(tick.label) + 1);
    }
    const double usual = metrics.horizontalAdvance(QStringLiteral("0.0000"));
    return {std::max(usual, std::min(std::ceil(widest), most)) + theme::kGrid,
            metrics.height() / 2 + 1, theme::kGrid * 1.5, metrics.height() + 5};
}

void paintAxes(QPainter& painter, const PlotFrame& frame, const AxisTicks& ticks, const QFont& font,
               const QPalette& palette) {
    const QRectF& area = frame.area;
    const QFont small = theme::small(font);
    const QFontMetricsF metrics(small);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(small);
    const QColor line = theme::hairline(palette);
    const QColor ink = theme::color(theme::Tone::Dim, palette);
    double lastTop = area.bottom() + 2 * metrics.height();
    for (const AxisTick& tick : ticks.y) {
        const double y = std::round(frame.toY(tick.value));
        painter.setPen(line);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const QRectF room(0, y - metrics.height() / 2, area.left() - theme::kGrid + 1,
                          metrics.height());
        if (room.bottom() <= lastTop + 1) {
            painter.setPen(ink);
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                             tick.label);
            lastTop = room.top();
        }
    }
    painter.setPen(line);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    double lastRight = -1e9;
    const double edge = area.right() + theme::kGrid * 1.5;
    for (const AxisTick& tick : ticks.x) {
        const double width = metrics.horizontalAdvance(tick.label);
        const double left = std::min(frame.toX(tick.value) - width / 2, edge - width);
        if (left < lastRight + theme::kGrid) {
            continue;
        }
        painter.setPen(ink);
        painter.drawText(QRectF(left, area.bottom() + 4, width + 1, metrics.height()),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, tick.label);
        lastRight = left + width;
    }
    painter.restore();
}

} // namespace cairn::ui
