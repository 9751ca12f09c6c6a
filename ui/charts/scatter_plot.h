// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_axes.h"
#include "ui/charts/relation_plot.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace cairn::ui {

/// A point for each thing that has a value on both axes. Dragging chooses the points within a box,
/// a click the nearest one (with Ctrl in addition), a click beside them none; arrow keys walk the
/// points, Space and Enter choose, Escape chooses none. GUI thread only.
class ScatterPlot : public RelationPlot {
    Q_OBJECT

public:
    explicit ScatterPlot(QWidget* parent = nullptr);

    /// `relation`: two axes, x and y; null: nothing.
    void show(RelationPtr relation);
    /// Position of a thing in the widget; nothing if it has no point.
    std::optional<QPointF> placeOf(std::size_t item) const;

    int itemCount() override { return static_cast<int>(m_drawn.size()); }
    QString itemText(int item) override;
    QRectF itemRect(int item) override;
    QSize sizeHint() const override { return {320, 190}; }
    QSize minimumSizeHint() const override { return {180, 140}; }

Q_SIGNALS:
    void chosenChanged(); ///< by the user
    void pointClicked();  ///< by the user, with the mouse or a key; after chosenChanged()

protected:
    void arrange() override;
    QString tipAt(const QPointF& place) override;
    void paintBase(QPainter& painter, std::size_t first, std::size_t last) const override;
    std::size_t baseItems() const override { return m_drawn.size(); }
    void paintChosen(QPainter& painter) const override;
    void paintPointer(QPainter& painter) override;
    QString pictureTitle() const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::vector<bool> chosen);
    void chooseAt(const QPointF& place, bool adds);
    void choosePoint(int point, bool adds);
    std::vector<bool> chosenBefore(bool adds) const;
    void chooseWithin(const QRectF& box, bool adds);
    int nearest(const QPointF& place) const; ///< index into m_drawn; -1: none near
    void paintPoint(QPainter& painter, std::size_t item, bool chosen) const;

    std::vector<std::size_t> m_drawn; ///< things that have a point
    PlotFrame m_frame;
    AxisTicks m_ticks;
    std::optional<QPointF> m_from; ///< where a drag began
    QPointF m_to;
    bool m_dragged = false;
};

} // namespace cairn::ui
