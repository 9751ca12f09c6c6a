// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_content.h"

#include <QColor>
#include <QFontMetricsF>
#include <QPalette>
#include <QPen>
#include <QRectF>

class QPainter;

/// The colours and pens of curves: one place for the window, its lists and pictures for files. GUI
/// thread only.
namespace cairn::ui {

/// Of its run, or its place on the content's scale.
QColor curveColor(const ChartContent& content, const ChartCurve& curve, const QPalette& palette);

/// Of the recorded points; faint: below the smoothed line.
QPen rawPen(const ChartContent& content, const ChartCurve& curve, bool faint,
            const QPalette& palette);
QPen smoothPen(const ChartContent& content, const ChartCurve& curve, const QPalette& palette);
/// Of the one that is highlighted among many; with the dash of its run.
QPen boldPen(const ChartContent& content, const ChartCurve& curve, const QPalette& palette);

/// A scale as a bar with its marks below: title above the bar. In the painter's font.
void paintScale(QPainter& painter, const QRectF& place, const CurveScale& scale,
                const QPalette& palette);
/// The height that paintScale() needs.
double scaleHeight(const QFontMetricsF& metrics);

} // namespace cairn::ui
