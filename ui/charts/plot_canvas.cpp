// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_canvas.h"

#include "ui/charts/line_layer.h"
#include "ui/charts/plot_overlay.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kBelow = 12; ///< px by which Qt moves a tooltip down from its place
constexpr std::size_t kSmoothedAtOnce = 20'000; ///< points; more are smoothed in a worker

Result<std::vector<CurveDataPtr>> smoothedCurves(const std::vector<CurveDataPtr>& curves,
                                                 double weight, Scale yScale,
                                                 const CancelToken& cancel) {
    std::vector<CurveDataPtr> smoothed;
    for (const CurveDataPtr& curve : curves) {
        CAIRN_CHECK(cancel.check());
        CurveDataPtr made = smoothedCurve(*curve, weight);
        if (const std::optional<Range> all = made ? made->extent(Scale::Linear) : std::nullopt) {
            static_cast<void>(made->sample(*all, Scale::Linear, yScale)); // builds its index
        }
        smoothed.push_back(std::move(made));
    }
    return smoothed;
}

} // namespace

PlotCanvas::PlotCanvas(ChartBoard& board, QWidget* parent)
    : PlotWidget(parent), m_board(board), m_lines(new LineLayer(board.turns(), this)),
      m_overlay(new PlotOverlay(*this, board.turns())) {
    setMouseTracking(true);
    connect(&board, &ChartBoard::optionsChanged, this, &PlotCanvas::optionsChanged);
    connect(&board, &ChartBoard::viewChanged, this, &PlotCanvas::arrange);
    connect(&board, &ChartBoard::crosshairChanged, this, &PlotCanvas::crosshairChanged);
    connect(&board, &ChartBoard::highlightChanged, this, &PlotCanvas::highlightChanged);
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setContent(const ChartContent* content) {
    itemsChanged();
    m_content = content;
    m_curve = 0;
    m_smoothed.clear();
    m_tick = -1;
    m_hoveredTick = -1;
    smooth();
    arrange();
}

void PlotCanvas::ticksChanged() {
    m_tick = -1;
    m_hoveredTick = -1;
    m_overlay->update();
    if (m_hasTicks != (m_content != nullptr && !m_content->ticks.empty())) {
        arrange(); // their marks need space
    }
}

void PlotCanvas::smooth() {
    m_smoothing = m_board.options().smoothing;
    m_smoother.cancel();
    if (m_content == nullptr || m_smoothing <= 0) {
        m_smoothed.clear();
        return;
    }
    std::vector<CurveDataPtr> curves;
    std::size_t points = 0;
    for (const ChartCurve& curve : m_content->curves) {
        curves.push_back(curve.data);
        points += curve.data->size();
    }
    const auto work = [curves, weight = m_smoothing,
                       yScale = m_board.options().yScale](const CancelToken& cancel) {
        return smoothedCurves(curves, weight, yScale, cancel);
    };
    if (points <= kSmoothedAtOnce) {
        m_smoothed = *work({});
        return;
    }
    m_smoother.start(work, [this](Result<std::vector<CurveDataPtr>> smoothed) {
        if (smoothed) { // until now the lines of the last weight were shown
            m_smoothed = std::move(*smoothed);
            arrange();
        }
    });
}

void PlotCanvas::optionsChanged() {
    if (m_board.options().smoothing != m_smoothing) {
        smooth();
    }
    arrange();
}

void PlotCanvas::arrange() {
    if (!std::exchange(m_stale, true)) {
        m_board.turns().add(this, [this] {
            if (m_stale && isVisible()) {
                arrangeNow();
                update();
            }
        });
    }
}

void PlotCanvas::arrangeNow() {
    m_stale = false;
    const QRectF place(rect());
    const QSizeF least = place.marginsRemoved(plotMargins(font())).size();
    if (m_content == nullptr || least.width() < 8 || least.height() < 8) {
        m_lines->hide();
        m_scene = {};
        m_overlay->sceneChanged();
        return;
    }
    m_hasTicks = !m_content->ticks.empty();
    m_scene.arrange(*m_content, m_smoothed, m_board, place, font());
    m_lines->setVisible(true);
    m_lines->setGeometry(m_scene.frame().area.toRect());
    m_lines->show(m_scene, *m_content, palette());
    m_lines->setDim(boldCurve().has_value());
    m_overlay->sceneChanged();
}

std::optional<std::size_t> PlotCanvas::pointAt(std::size_t curve, double x) const {
    return m_content->curves[curve].data->nearest(x, m_board.whole().length() * 1e-3);
}

QPoint PlotCanvas::tipPlace(const QPoint& place) const {
    return {place.x(), height() - kBelow}; // below the curves, which it would hide otherwise
}

QString PlotCanvas::tickTip(const ChartTick& tick) const {
    const QString words = m_board.tickWords(tick.checkpoint);
    return words.isEmpty() ? tick.label : tick.label + QLatin1Char('\n') + words;
}

QString PlotCanvas::tipAt(const QPointF& place) {
    if (m_content == nullptr) {
        return {};
    }
    if (const int tick = m_scene.tickAt(*m_content, place); tick >= 0) {
        return tickTip(m_content->ticks[static_cast<std::size_t>(tick)]) + QLatin1Char('\n') +
               tr("Click to select this checkpoint");
    }
    return {}; // values are read out beside the name, and sources behind its "i"
}

void PlotCanvas::paintEvent(QPaintEvent*) {
    if (m_stale) {
        arrangeNow();
    }
    if (m_content == nullptr) {
        return;
    }
    QPainter painter(this);
    m_scene.paintGround(painter, font(), palette());
    m_scene.paintBands(painter, *m_content, palette());
}

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    m_overlay->setGeometry(rect());
    m_overlay->raise();
    PlotWidget::resizeEvent(event);
}

void PlotCanvas::crosshairChanged() {
    updateColumn(m_drawnCrosshair);
    m_drawnCrosshair = m_board.crosshair();
    updateColumn(m_drawnCrosshair);
}

std::optional<std::size_t> PlotCanvas::boldCurve() const {
    const std::optional<int> series = m_board.highlighted();
    if (!series || m_content == nullptr || !m_content->isMany()) {
        return std::nullopt;
    }
    const auto at = std::ranges::find(m_content->curves, *series, &ChartCurve::series);
    return at == m_content->curves.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(at - m_content->curves.begin()));
}

void PlotCanvas::highlightChanged() {
    if (m_content != nullptr && m_content->isMany()) {
        m_lines->setDim(boldCurve().has_value());
        m_overlay->update();
    }
}

void PlotCanvas::highlightCurrent() {
    if (m_content->isMany() && m_curve < m_content->curves.size()) {
        m_board.highlight(m_content->curves[m_curve].series);
    }
}

void PlotCanvas::updateColumn(std::optional<double> x) {
    const PlotFrame& frame = m_scene.frame();
    if (!x || frame.area.isEmpty() || (frame.xScale == Scale::Log && *x <= 0)) {
        return;
    }
    const double at = frame.toX(*x);
    // The dots mark the nearest points, which may be slightly off the line.
    double least = at;
    double most = at;
    for (std::size_t i = 0; m_content != nullptr && i < m_content->curves.size(); ++i) {
        if (const auto point = pointAt(i, *x)) {
            const double place = frame.toX(m_content->curves[i].data->x()[*point]);
            least = std::min(least, place);
            most = std::max(most, place);
        }
    }
    m_overlay->update(QRectF(least - 7, 0, most - least + 14, height()).toAlignedRect());
    m_overlay->update(m_labelBox.toAlignedRect());
    const std::optional<Label> label = cursorLabel();
    m_labelBox = label ? label->box.adjusted(-2, -2, 2, 2) : QRectF();
    m_overlay->update(m_labelBox.toAlignedRect());
}

} // namespace cairn::ui
