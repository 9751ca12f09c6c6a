// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/relation_plot.h"

#include <QHash>

#include <optional>
#include <vector>

namespace cairn::ui {

/// Parallel coordinates: a vertical axis for each column, a line for each thing. Dragging along an
/// axis brushes a part of it: the things whose lines cross every brush are chosen; a click on an
/// axis removes its brush, a click on a line chooses its thing alone. The line at the pointer is
/// bold and named. Keys: Left and Right go from axis to axis, Up and Down move the lower
/// edge of its brush, with Shift the upper one; Delete removes the brush, Escape all of them. GUI
/// thread only.
class ParallelPlot : public RelationPlot {
    Q_OBJECT

public:
    explicit ParallelPlot(QWidget* parent = nullptr);

    /// Brushes of axes that stay are kept; null: nothing. Emits nothing.
    void show(RelationPtr relation);
    /// The things within all brushes; empty: there is no brush.
    std::vector<bool> brushed() const;
    bool hasBrush() const { return !m_brushes.isEmpty(); }
    void clearBrushes(); ///< emits nothing
    /// The part of an axis that is brushed, in shares of it from below.
    std::optional<Range> brush(std::size_t axis) const;
    QPointF placeOn(std::size_t axis, double share) const; ///< in the widget
    /// The thing whose line is nearest to a place, within reach of the pointer.
    std::optional<std::size_t> lineAt(const QPointF& place) const;

    int itemCount() override;
    QString itemText(int item) override;
    QRectF itemRect(int item) override;
    QSize sizeHint() const override { return {420, 190}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    void brushesChanged();              ///< by the user
    void lineClicked(std::size_t item); ///< which is to be chosen alone

protected:
    void arrange() override;
    QString tipAt(const QPointF& place) override;
    void paintBase(QPainter& painter, std::size_t first, std::size_t last) const override;
    std::size_t baseItems() const override { return relation()->items.size(); }
    void paintChosen(QPainter& painter) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintPointer(QPainter& painter) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setBrush(std::size_t axis, std::optional<Range> brush);
    bool moveBrush(std::size_t axis, bool up, bool upper);
    std::optional<std::size_t> axisAt(const QPointF& place) const;
    double shareAt(double y) const;
    void paintAxis(QPainter& painter, std::size_t axis) const;
    void paintLine(QPainter& painter, std::size_t item, bool chosen) const;
    void drawLine(QPainter& painter, std::size_t item) const; ///< with the painter's pen
    void hover(std::optional<std::size_t> item);
    std::size_t axes() const { return relation() != nullptr ? relation()->axes.size() : 0; }

    QHash<QString, Range> m_brushes; ///< by the key of the axis
    QRectF m_area;                   ///< between the first and the last axis
    std::optional<std::size_t> m_dragged;
    double m_from = 0;                    ///< where the drag began
    std::optional<Range> m_moved;         ///< the brush as it was when it is being moved
    bool m_moves = false;                 ///< the pointer left the place of the click
    std::optional<std::size_t> m_hovered; ///< a thing
    QPointF m_pointer;
};

} // namespace cairn::ui
