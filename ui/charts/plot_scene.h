// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"
#include "ui/charts/plot_axes.h"
#include "ui/charts/plot_frame.h"

#include <QFont>
#include <QPalette>

#include <optional>
#include <set>
#include <vector>

class QPainter;

namespace cairn::ui {

/// One curve as drawn: the raw one, and the smoothed one on top of it, if any; the edges of a
/// group's band below both.
struct DrawnCurve {
    SampledCurve raw;
    std::optional<SampledCurve> smoothed;
    std::optional<SampledCurve> low;
    std::optional<SampledCurve> high;
};

/// The computed parts of a chart's drawing: the visible points, the range of values, the ticks of
/// the axes. Rebuilt when content, options, view or size change. LineRenderer draws the lines, the
/// scene everything else, in the window and in pictures.
class PlotScene {
public:
    /// `place`: of the area and the labels around it, in this font.
    void arrange(const ChartContent& content, const std::vector<CurveDataPtr>& smoothed,
                 const ChartBoard& board, const QRectF& place, const QFont& font);

    const PlotFrame& frame() const { return m_frame; }
    const std::vector<DrawnCurve>& curves() const { return m_curves; }
    /// Index of the tick whose mark is at the place; -1: none.
    int tickAt(const ChartContent& content, QPointF place) const;

    /// A line with very many oscillations is drawn solid: dashes would not be visible, and take a
    /// hundred times as long to draw.
    bool showsDashes(const SampledCurve& curve) const;

    /// Under the lines: grid, labels of the axes; then the bands.
    void paintGround(QPainter& painter, const QFont& font, const QPalette& palette) const;
    void paintBands(QPainter& painter, const ChartContent& content, const QPalette& palette) const;
    /// Over the lines, for the curves from `first` to before `last`: lone points, marks on the
    /// edge, restarts. Then the checkpoints.
    void paintMarks(QPainter& painter, const ChartContent& content, const QPalette& palette,
                    std::size_t first, std::size_t last) const;
    /// The mark of `hovered` is drawn large, if there are so many that they are drawn small.
    void paintTicks(QPainter& painter, const ChartContent& content, const QPalette& palette,
                    int hovered = -1) const;
    /// The marks are drawn small: side by side they would be one band.
    bool hasDenseTicks(const ChartContent& content) const;
    /// One curve as it stands out among many, with its marks.
    void paintBold(QPainter& painter, const ChartContent& content, const QPalette& palette,
                   std::size_t curve) const;

private:
    enum class Dots { All, Lone };
    void paintDots(QPainter& painter, const DrawnCurve& drawn, const QColor& color,
                   Dots which) const;
    void paintTick(QPainter& painter, const ChartTick& tick, const QColor& color,
                   const QColor& ground, std::set<int>& filled) const;
    void paintEdgeMarks(QPainter& painter, const SampledCurve& curve, const QColor& color) const;
    void paintRestarts(QPainter& painter, const CurveData& data, const QColor& color) const;

    PlotFrame m_frame;
    std::vector<DrawnCurve> m_curves;
    AxisTicks m_ticks;
};

inline constexpr double kTickSize = 9; ///< px, height of a checkpoint's mark

} // namespace cairn::ui
