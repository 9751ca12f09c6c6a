// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPainter;

namespace cairn::ui {

class PlotCanvas;

/// What changes with every mouse move; a layer on top, so that the lines need no repaint.
class PlotOverlay : public QWidget {
    Q_OBJECT

public:
    explicit PlotOverlay(PlotCanvas& canvas);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCrosshair(QPainter& painter) const;
    PlotCanvas& m_canvas;
};

} // namespace cairn::ui
