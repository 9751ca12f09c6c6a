// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_layer.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

#include <vector>

namespace cairn::ui {

struct LineLayer::Parts {
    QChart* chart = nullptr; ///< owned by the view's scene
    QChartView* view = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;
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

LineLayer::LineLayer(QWidget* parent) : QWidget(parent), m_parts(std::make_unique<Parts>()) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    Parts& parts = *m_parts;
    parts.chart = new QChart;
    parts.chart->setBackgroundVisible(false);
    parts.chart->setPlotAreaBackgroundVisible(false);
    parts.chart->legend()->hide();
    parts.chart->setMargins(QMargins());
    parts.chart->layout()->setContentsMargins(0, 0, 0, 0);
    parts.chart->setAnimationOptions(QChart::NoAnimation);
    parts.x = new QValueAxis;
    parts.y = new QValueAxis;
    parts.x->setRange(0, 1);
    parts.y->setRange(0, 1);
    parts.x->setVisible(false);
    parts.y->setVisible(false);
    parts.chart->addAxis(parts.x, Qt::AlignBottom);
    parts.chart->addAxis(parts.y, Qt::AlignLeft);
    parts.view = new QChartView(parts.chart, this);
    parts.view->setRenderHint(QPainter::Antialiasing);
    parts.view->setFrameShape(QFrame::NoFrame);
    parts.view->setFocusPolicy(Qt::NoFocus);
    parts.view->setAttribute(Qt::WA_TransparentForMouseEvents);
    parts.view->setBackgroundBrush(Qt::NoBrush);
    parts.view->viewport()->setAutoFillBackground(false);
    parts.view->setStyleSheet(QString());
    parts.view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    parts.view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    parts.view->setAccessibleName(QString()); // the surrounding chart has the accessible text
}

LineLayer::~LineLayer() = default;

void LineLayer::show(const PlotScene& scene, const ChartContent& content, const QPalette& palette) {
    Parts& parts = *m_parts;
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

std::size_t LineLayer::points() const {
    return m_parts->points;
}

void LineLayer::resizeEvent(QResizeEvent*) {
    m_parts->view->setGeometry(rect());
    m_parts->chart->setPlotArea(QRectF(rect()));
}

} // namespace cairn::ui
