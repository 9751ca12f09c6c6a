// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_layer.h"

#include "ui/bridge/turn_queue.h"
#include "ui/charts/curve_ink.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <memory>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

constexpr std::size_t kLinesOfPart = 8; ///< take 1 to 2 ms
constexpr double kDimmed = 0.3;         ///< opacity of the lines below one that stands out

} // namespace

struct LineRenderer::Line {
    QPen pen;
    QList<QPointF> places; ///< fractions of the plot's width and height
};

struct LineRenderer::Chart {
    QGraphicsScene canvas;
    QChart* chart = new QChart; ///< owned by the canvas
    QValueAxis* x = new QValueAxis;
    QValueAxis* y = new QValueAxis;
    std::vector<QLineSeries*> series; ///< kept for reuse; unused ones are empty
    std::size_t used = 0;

    Chart() {
        canvas.setItemIndexMethod(QGraphicsScene::NoIndex);
        canvas.addItem(chart);
        chart->setBackgroundVisible(false);
        chart->setPlotAreaBackgroundVisible(false);
        chart->legend()->hide();
        chart->setMargins(QMargins());
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        chart->setAnimationOptions(QChart::NoAnimation);
        x->setRange(0, 1);
        y->setRange(0, 1);
        x->setVisible(false);
        y->setVisible(false);
        chart->addAxis(x, Qt::AlignBottom);
        chart->addAxis(y, Qt::AlignLeft);
    }

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

    void fill(const std::vector<Line>& lines, const QRectF& place) {
        canvas.setSceneRect(place);
        chart->setGeometry(place);
        chart->setPlotArea(place);
        const std::size_t before = std::exchange(used, 0);
        for (const Line& line : lines) {
            QLineSeries* target = next();
            target->setPen(line.pen);
            target->replace(line.places);
        }
        for (std::size_t i = used; i < before; ++i) {
            series[i]->clear();
        }
    }
};

struct LineRenderer::Part {
    std::vector<Line> lines;
    std::unique_ptr<Chart> chart; ///< made by the first painting
    bool filled = false;          ///< the chart has the lines
};

LineRenderer::LineRenderer() = default;
LineRenderer::~LineRenderer() = default;

/// Logarithms are computed here, because Qt Charts' log axis drops an entire curve for one zero; a
/// constant range also avoids new layouts of every line for each axis.
void LineRenderer::add(const SampledCurve& curve, QPen pen, const PlotScene& scene) {
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
        nextPart().lines.push_back({pen, std::move(places)});
    }
}

LineRenderer::Part& LineRenderer::nextPart() {
    if (m_used == 0 || m_parts[m_used - 1].lines.size() == kLinesOfPart) {
        if (m_used == m_parts.size()) {
            m_parts.emplace_back();
        }
        Part& next = m_parts[m_used++];
        next.lines.clear();
        next.filled = false;
    }
    return m_parts[m_used - 1];
}

void LineRenderer::show(const PlotScene& scene, const ChartContent& content,
                        const QPalette& palette) {
    m_place = QRectF(QPointF(), scene.frame().area.size());
    m_used = 0;
    const std::vector<DrawnCurve>& curves = scene.curves();
    for (const bool smoothed : {false, true}) { // raw curves are drawn below all smoothed ones
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const ChartCurve& curve = content.curves[i];
            const bool isSmoothed = curves[i].smoothed.has_value();
            if (!smoothed && !(isSmoothed && content.isMany())) { // 60 more hide what is smooth
                add(curves[i].raw, rawPen(content, curve, isSmoothed, palette), scene);
            } else if (smoothed && isSmoothed) {
                add(*curves[i].smoothed, smoothPen(content, curve, palette), scene);
            }
        }
    }
}

void LineRenderer::paint(QPainter& painter, const QRectF& area, std::size_t part) {
    Part& here = m_parts[part];
    if (here.chart == nullptr) {
        here.chart = std::make_unique<Chart>();
    }
    if (!std::exchange(here.filled, true)) {
        here.chart->fill(here.lines, m_place);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area, Qt::IntersectClip);
    QGraphicsScene& canvas = here.chart->canvas;
    canvas.render(&painter, area, canvas.sceneRect(), Qt::IgnoreAspectRatio);
    painter.restore();
}

std::size_t LineRenderer::points() const {
    std::size_t points = 0;
    for (std::size_t part = 0; part < m_used; ++part) {
        for (const Line& line : m_parts[part].lines) {
            points += static_cast<std::size_t>(line.places.size());
        }
    }
    return points;
}

void LineRenderer::releaseIn(TurnQueue& turns) {
    for (Part& part : m_parts) {
        turns.add(&turns,
                  [held = std::make_shared<Part>(std::move(part))]() mutable { held.reset(); });
    }
    m_parts.clear();
    m_used = 0;
}

LineLayer::LineLayer(TurnQueue& turns, QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    m_kept.setTurns(&turns);
}

LineLayer::~LineLayer() {
    m_renderer.releaseIn(*m_kept.turns());
}

void LineLayer::show(const PlotScene& scene, const ChartContent& content, const QPalette& palette) {
    m_renderer.show(scene, content, palette);
    m_kept.change(m_renderer.parts(), 1,
                  [this](QPainter& onto, std::size_t first, std::size_t last) {
                      for (std::size_t part = first; part < last; ++part) {
                          m_renderer.paint(onto, QRectF(rect()), part);
                      }
                  });
}

void LineLayer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setOpacity(m_dim ? kDimmed : 1.0);
    m_kept.paint(painter);
}

void LineLayer::setDim(bool dim) {
    if (std::exchange(m_dim, dim) != dim) {
        update();
    }
}

} // namespace cairn::ui
