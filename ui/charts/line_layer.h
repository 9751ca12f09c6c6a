// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_scene.h"

#include <QPixmap>
#include <QWidget>

#include <memory>

namespace cairn::ui {

/// The one renderer of lines, for the window and for pictures: Qt Charts (in software: OpenGL
/// series use a separate widget, do not support dashes and fail over remote displays). Draws
/// exactly the plot's rectangle, without axes and text. Gets only the sampled points of a scene, so
/// that Qt Charts never has more than kMaxCurvePoints points per curve, all finite. GUI thread
/// only.
class LineRenderer {
public:
    LineRenderer();
    ~LineRenderer();
    LineRenderer(const LineRenderer&) = delete;
    LineRenderer& operator=(const LineRenderer&) = delete;

    /// Takes the lines of a scene, in the size of its area.
    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    /// Draws them into `area`, of the size of the scene's.
    void paint(QPainter& painter, const QRectF& area) const;
    /// Number of points that Qt Charts has now; for tests.
    std::size_t points() const;

private:
    struct Parts; // the only names of Qt Charts
    std::unique_ptr<Parts> m_parts;
};

/// The lines of a chart in the window, kept as a picture: what moves above them repaints none.
/// Ignores mouse and focus.
class LineLayer : public QWidget {
    Q_OBJECT

public:
    explicit LineLayer(QWidget* parent);

    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    std::size_t points() const { return m_renderer.points(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LineRenderer m_renderer;
    QPixmap m_kept; ///< null: to be drawn
};

} // namespace cairn::ui
