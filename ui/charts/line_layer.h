// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/kept_picture.h"
#include "ui/charts/plot_scene.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace cairn::ui {

/// The one renderer of lines, for the window and for pictures: Qt Charts (in software: OpenGL
/// series use a separate widget, do not support dashes and fail over remote displays). Draws
/// exactly the plot's rectangle, without axes and text. Gets only the sampled points of a scene, so
/// that Qt Charts never has more than kMaxCurvePoints points per curve, all finite. Many lines are
/// in several of its charts, which are filled and drawn one after another, the first one below. GUI
/// thread only.
class LineRenderer {
public:
    LineRenderer();
    ~LineRenderer();
    LineRenderer(const LineRenderer&) = delete;
    LineRenderer& operator=(const LineRenderer&) = delete;

    /// Takes the lines of a scene, in the size of its area.
    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    std::size_t parts() const { return m_used; }
    /// Draws one of them into `area`, of the size of the scene's.
    void paint(QPainter& painter, const QRectF& area, std::size_t part);
    /// Number of points that Qt Charts gets; for tests.
    std::size_t points() const;
    /// Shows nothing any more; its charts are destroyed one after another, in turns of the queue,
    /// because many of them take milliseconds.
    void releaseIn(TurnQueue& turns);

private:
    struct Line;
    struct Chart; // the only names of Qt Charts
    struct Part;
    void add(const SampledCurve& curve, QPen pen, const PlotScene& scene);
    Part& nextPart(); ///< for one more line

    QRectF m_place;
    std::vector<Part> m_parts; ///< kept for reuse
    std::size_t m_used = 0;    ///< the first ones, with lines
};

/// The lines of a chart in the window, kept as a picture: what moves above them repaints none.
/// Ignores mouse and focus.
class LineLayer : public QWidget {
    Q_OBJECT

public:
    /// The queue outlives the layer.
    LineLayer(TurnQueue& turns, QWidget* parent);
    ~LineLayer() override;

    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    /// Another layer draws one of the lines boldly: these step back.
    void setDim(bool dim);
    bool isDim() const { return m_dim; }
    std::size_t points() const { return m_renderer.points(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LineRenderer m_renderer;
    KeptPicture m_kept{*this};
    bool m_dim = false;
};

} // namespace cairn::ui
