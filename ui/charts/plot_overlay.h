// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPainter;

namespace cairn::ui {

class PlotCanvas;

/// The parts that change with every mouse move; a separate layer, so that the lines are not
/// repainted.
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
