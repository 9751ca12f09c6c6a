// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"
#include "ui/charts/plot_scene.h"
#include "ui/charts/plot_widget.h"

#include <optional>
#include <vector>

namespace cairn::ui {

class LineLayer;
class PlotOverlay;

/// The drawing area of one chart: grid, lines, marks and the crosshair, with mouse and keys.
/// Follows its board and changes it: the wheel (with Ctrl, or after a click on the chart) and + and
/// − zoom, dragging selects a box, dragging with Shift or the middle button and Ctrl+arrows pan;
/// 0 shows everything, Backspace returns to the previous view; a double click or E asks for a
/// larger chart, Escape for the ordinary one. Of many curves the one at the pointer is bold and
/// named, the others step back; a click on it chooses its run. Left and Right walk the points of
/// the current curve (Shift: ten at once, Home and End: to its ends), Up and Down go to another
/// curve; T moves to the next checkpoint and Enter selects it. Readers get the curves as items,
/// with their values at the crosshair.
class PlotCanvas : public PlotWidget {
    Q_OBJECT

public:
    explicit PlotCanvas(ChartBoard& board, QWidget* parent = nullptr);
    ~PlotCanvas() override;

    void setContent(const ChartContent* content); ///< refers; null: none
    void ticksChanged();                          ///< those of the content; its curves are the same
    void penChanged() { arrange(); } ///< a curve of the content became faint, or no longer is
    const PlotScene& scene() const { return m_scene; }
    const std::vector<CurveDataPtr>& smoothed() const { return m_smoothed; }
    /// Index of the curve's point at the crosshair, if any.
    std::optional<std::size_t> pointAt(std::size_t curve, double x) const;
    /// " @200" for a point of the curve that is not at x but at 200; else empty.
    QString elsewhere(std::size_t curve, std::size_t point, double x) const;
    LineLayer* lines() const { return m_lines; }
    int itemCount() override; ///< the curves
    QString itemText(int item) override;
    QRectF itemRect(int item) override;
    int currentItem() override;
    /// The value at the crosshair beside its curve: under the pointer, or with the focus.
    struct Label {
        QRectF box;
        QString text;
        QColor color;
        QFont font;
    };
    std::optional<Label> cursorLabel() const;
    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

    void setEnlarged(bool enlarged) { m_enlarged = enlarged; }
    /// The curve that stands out among many: of the board's highlighted run.
    std::optional<std::size_t> boldCurve() const;

Q_SIGNALS:
    void tickClicked(int tick);
    void curveClicked(int series); ///< of many
    void enlargeRequested(bool enlarged);
    void sourcesRequested();

protected:
    void arrange() override; ///< in a later turn, once for any number of changes
    QString tipAt(const QPointF& place) override;
    QPoint tipPlace(const QPoint& place) const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    friend class PlotOverlay;
    enum class Drag { None, Box, Pan };

    void optionsChanged();
    void arrangeNow();
    void smooth();
    void crosshairChanged();
    void updateColumn(std::optional<double> x);
    void highlightChanged();
    void highlightCurrent();
    void finishBox(QPointF to);
    std::optional<QPointF> placeOf(std::size_t curve) const; ///< of its point at the crosshair
    double pickCurve(const QPointF& place);                  ///< px from the one that it picked
    bool walkCurves(const QKeyEvent& event);
    void stepCrosshair(int points);
    void moveCrosshair(double x); ///< and the visible part with it
    void stepTick(int direction);
    double snapped(double x) const;
    QString tickTip(const ChartTick& tick) const; ///< with the board's words

    ChartBoard& m_board;
    const ChartContent* m_content = nullptr;
    std::vector<CurveDataPtr> m_smoothed;
    AsyncRunner m_smoother; ///< of long curves
    double m_smoothing = 0;
    PlotScene m_scene;
    LineLayer* m_lines;
    PlotOverlay* m_overlay;
    bool m_stale = true;
    bool m_hasTicks = false; ///< m_scene has space for them
    std::optional<double> m_drawnCrosshair;
    Drag m_drag = Drag::None;
    bool m_moved = false;
    QPointF m_from;
    QPointF m_to;
    int m_tick = -1; ///< chosen by keys
    int m_hoveredTick = -1;
    bool m_enlarged = false;
    std::size_t m_curve = 0;  ///< the current one: nearest to the pointer, or chosen by keys
    std::size_t m_walked = 0; ///< point that keys reached
    QRectF m_labelBox;        ///< as painted
};

} // namespace cairn::ui
