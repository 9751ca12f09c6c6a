// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_layer.h"

#include "ui/charts/kept_picture.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <vector>

namespace cairn::ui {

struct LineRenderer::Parts {
    QGraphicsScene canvas;
    QChart* chart = new QChart; ///< owned by the canvas
    QValueAxis* x = new QValueAxis;
    QValueAxis* y = new QValueAxis;
    std::vector<QLineSeries*> series; ///< kept for reuse; unused ones are empty
    std::size_t used = 0;
    std::size_t points = 0;

    QLineSeries* next() {
        if (used == series.size()) {
            auto* made = new QLineSeries;
            made->setUseOpenGL(false);
            chart->addSeries(made);
            made->attachAxis(x);
            made->attachAxis(y);
            series.push_back(made);
        }
        return series[used++];
    }
    /// Fractions of the plot's width and height. Logarithms are computed here, because Qt Charts'
    /// log axis drops an entire curve for one zero; a constant range also avoids new layouts of
    /// every line for each axis.
    void add(const SampledCurve& curve, QPen pen, const PlotScene& scene) {
        const PlotFrame& frame = scene.frame();
        if (!scene.showsDashes(curve)) {
            pen.setStyle(Qt::SolidLine);
            pen.setCapStyle(Qt::SquareCap);
        }
        for (const auto& line : curve.lines) {
            if (line.size() < 2) {
                continue; // a dot; the marks have it
            }
            QList<QPointF> places;
            places.reserve(static_cast<qsizetype>(line.size()));
            for (const PlotPoint& point : line) {
                places << QPointF(PlotFrame::share(point.x, frame.x, frame.xScale),
                                  PlotFrame::share(point.y, frame.y, frame.yScale));
            }
            QLineSeries* target = next();
            target->setPen(pen);
            target->replace(places);
            points += static_cast<std::size_t>(places.size());
        }
    }
};

LineRenderer::LineRenderer() : m_parts(std::make_unique<Parts>()) {
    Parts& parts = *m_parts;
    parts.canvas.setItemIndexMethod(QGraphicsScene::NoIndex);
    parts.canvas.addItem(parts.chart);
    parts.chart->setBackgroundVisible(false);
    parts.chart->setPlotAreaBackgroundVisible(false);
    parts.chart->legend()->hide();
    parts.chart->setMargins(QMargins());
    parts.chart->layout()->setContentsMargins(0, 0, 0, 0);
    parts.chart->setAnimationOptions(QChart::NoAnimation);
    parts.x->setRange(0, 1);
    parts.y->setRange(0, 1);
    parts.x->setVisible(false);
    parts.y->setVisible(false);
    parts.chart->addAxis(parts.x, Qt::AlignBottom);
    parts.chart->addAxis(parts.y, Qt::AlignLeft);
}

LineRenderer::~LineRenderer() = default;

void LineRenderer::show(const PlotScene& scene, const ChartContent& content,
                        const QPalette& palette) {
    Parts& parts = *m_parts;
    const QRectF place(QPointF(), scene.frame().area.size());
    parts.canvas.setSceneRect(place);
    parts.chart->setGeometry(place);
    parts.chart->setPlotArea(place);
    const std::size_t before = parts.used;
    parts.used = 0;
    parts.points = 0;
    const std::vector<DrawnCurve>& curves = scene.curves();
    for (const bool smoothed : {false, true}) { // raw curves are drawn below all smoothed ones
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const ChartCurve& curve = content.curves[i];
            if (!smoothed) {
                parts.add(curves[i].raw,
                          PlotScene::rawPen(curve, curves[i].smoothed.has_value(), palette), scene);
            } else if (curves[i].smoothed) {
                parts.add(*curves[i].smoothed, PlotScene::smoothPen(curve, palette), scene);
            }
        }
    }
    for (std::size_t i = parts.used; i < before; ++i) {
        parts.series[i]->clear();
    }
}

void LineRenderer::paint(QPainter& painter, const QRectF& area) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area, Qt::IntersectClip);
    m_parts->canvas.render(&painter, area, m_parts->canvas.sceneRect(), Qt::IgnoreAspectRatio);
    painter.restore();
}

std::size_t LineRenderer::points() const {
    return m_parts->points;
}

LineLayer::LineLayer(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void LineLayer::show(const PlotScene& scene, const ChartContent& content, const QPalette& palette) {
    m_renderer.show(scene, content, palette);
    m_kept = {};
    update();
}

void LineLayer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintKept(painter, m_kept, size(),
              [this](QPainter& onto) { m_renderer.paint(onto, QRectF(rect())); });
}

} // namespace cairn::ui
