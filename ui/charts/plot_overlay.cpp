// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_overlay.h"

#include "ui/charts/curve_ink.h"
#include "ui/charts/plot_canvas.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace cairn::ui {
namespace {

constexpr std::size_t kCurvesOfPart = 10; ///< with dots, take 1 ms

} // namespace

PlotOverlay::PlotOverlay(PlotCanvas& canvas, TurnQueue& turns)
    : QWidget(&canvas), m_canvas(canvas) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_marks.setTurns(&turns);
}

void PlotOverlay::sceneChanged() {
    const std::size_t curves = m_canvas.m_scene.curves().size();
    if (curves == 0) {
        m_marks.clear();
        return;
    }
    m_marks.change(
        curves, kCurvesOfPart, [this](QPainter& onto, std::size_t first, std::size_t last) {
            if (m_canvas.m_stale) {
                return; // other curves meanwhile, with a call of this function to come
            }
            m_canvas.m_scene.paintMarks(onto, *m_canvas.m_content, palette(), first, last);
        });
}

void PlotOverlay::paintEvent(QPaintEvent*) {
    if (m_canvas.m_content == nullptr) {
        return;
    }
    QPainter painter(this);
    const std::optional<std::size_t> bold = m_canvas.m_stale ? std::nullopt : m_canvas.boldCurve();
    painter.setOpacity(bold ? 0.3 : 1.0);
    m_marks.paint(painter);
    painter.setOpacity(1.0);
    if (bold && *bold < m_canvas.m_scene.curves().size()) {
        m_canvas.m_scene.paintBold(painter, *m_canvas.m_content, palette(), *bold);
    }
    m_canvas.m_scene.paintTicks(painter, *m_canvas.m_content, palette(), m_canvas.m_hoveredTick);
    paintCrosshair(painter);
    const QRectF area = m_canvas.m_scene.frame().area;
    if (m_canvas.m_drag == PlotCanvas::Drag::Box && m_canvas.m_moved) {
        QColor ground = theme::accent(palette());
        painter.setPen(ground);
        ground.setAlphaF(0.12F);
        painter.setBrush(ground);
        painter.drawRect(QRectF(m_canvas.m_from, m_canvas.m_to).normalized() & area);
    }
    if (m_canvas.hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme::color(theme::Tone::Accent, palette()), 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                theme::kControlRadius, theme::kControlRadius);
    }
}

void PlotOverlay::paintCrosshair(QPainter& painter) const {
    const std::optional<double> x = m_canvas.m_board.crosshair();
    const PlotFrame& frame = m_canvas.m_scene.frame();
    if (!x || (frame.xScale == Scale::Log && *x <= 0)) {
        return;
    }
    const double at = std::round(frame.toX(*x)) + 0.5;
    if (at < frame.area.left() || at > frame.area.right() + 1) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme::color(theme::Tone::Dim, palette()), 1, Qt::DashLine));
    painter.drawLine(QPointF(at, frame.area.top()), QPointF(at, frame.area.bottom()));
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_canvas.m_content->curves.size(); ++i) {
        const std::optional<std::size_t> point = m_canvas.pointAt(i, *x);
        if (!point || (m_canvas.m_content->isMany() && i != m_canvas.boldCurve())) {
            continue;
        }
        const ChartCurve& curve = m_canvas.m_content->curves[i];
        const double y = curve.data->y()[*point];
        if (!std::isfinite(y) || (frame.yScale == Scale::Log && y <= 0)) {
            continue;
        }
        const QPointF place = frame.toPoint({curve.data->x()[*point], y});
        if (frame.area.adjusted(-2, -2, 2, 2).contains(place)) {
            painter.setPen(QPen(theme::cardGround(palette()), 1.5));
            painter.setBrush(curveColor(*m_canvas.m_content, curve, palette()));
            painter.drawEllipse(place, 4, 4);
        }
    }
    if (const std::optional<PlotCanvas::Label> label = m_canvas.cursorLabel()) {
        painter.setPen(theme::hairline(palette()));
        painter.setBrush(theme::cardGround(palette()));
        painter.drawRoundedRect(label->box, 3, 3);
        painter.setFont(label->font);
        painter.setPen(m_canvas.m_content->isMany() ? palette().color(QPalette::Text)
                                                    : label->color); // pale ends of a scale
        painter.drawText(label->box, Qt::AlignCenter, label->text);
    }
}

} // namespace cairn::ui
