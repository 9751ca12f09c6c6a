// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/kept_picture.h"

#include <QWidget>

class QPainter;

namespace cairn::ui {

class PlotCanvas;

/// What is above the lines of a canvas: the marks of curves, kept as a picture, then what changes
/// with every mouse move. A separate layer, so that the lines are not repainted. Ignores the mouse.
class PlotOverlay : public QWidget {
    Q_OBJECT

public:
    /// The queue outlives the overlay.
    PlotOverlay(PlotCanvas& canvas, TurnQueue& turns);

    /// The canvas has arranged its scene again.
    void sceneChanged();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCrosshair(QPainter& painter) const;
    PlotCanvas& m_canvas;
    KeptPicture m_marks{*this};
};

} // namespace cairn::ui
