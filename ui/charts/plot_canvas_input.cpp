// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of a chart.
#include "ui/charts/plot_canvas.h"
#include "ui/charts/plot_overlay.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr double kWheelStep = 0.8;   ///< factor on the visible range for one notch
constexpr double kKeyStep = 0.5;     ///< for + and −
constexpr double kPanStep = 0.15;    ///< for an arrow
constexpr double kMinDrag = 5;       ///< px
constexpr double kCurveReach = 40;   ///< px from the pointer to the curve that stands out
constexpr double kMinBoxHeight = 14; ///< px; flatter boxes do not change the value axis

} // namespace

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    m_from = event->position();
    m_to = m_from;
    m_moved = false;
    const bool pans =
        event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_drag = pans ? Drag::Pan : Drag::Box;
    } else {
        event->ignore();
    }
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    const PlotFrame& frame = m_scene.frame();
    if (m_content == nullptr || frame.area.isEmpty()) {
        return;
    }
    const QPointF place = event->position();
    m_moved = m_moved || (place - m_from).manhattanLength() > kMinDrag;
    if (m_drag == Drag::Pan && m_moved) {
        m_board.pan((m_to.x() - place.x()) / frame.area.width());
        m_to = place;
        return;
    }
    m_to = place;
    const int tick = m_scene.tickAt(*m_content, place);
    setCursor(tick >= 0 ? Qt::PointingHandCursor : Qt::CrossCursor);
    if (std::exchange(m_hoveredTick, tick) != tick && m_scene.hasDenseTicks(*m_content)) {
        m_overlay->update();
    }
    if (place.x() < frame.area.left() - 2 || place.x() > frame.area.right() + 2) {
        m_board.setCrosshair(std::nullopt);
        m_board.highlight(std::nullopt);
    } else {
        m_board.setCrosshair(
            snapped(frame.fromX(std::clamp(place.x(), frame.area.left(), frame.area.right()))));
        if (const double away = pickCurve(place); m_content->isMany()) {
            m_board.highlight(away <= kCurveReach ? std::optional(m_content->curves[m_curve].series)
                                                  : std::nullopt);
        }
    }
    if (m_drag == Drag::Box) {
        m_overlay->update();
    }
}

double PlotCanvas::snapped(double x) const {
    for (std::size_t i = 0; i < m_content->curves.size(); ++i) {
        if (const std::optional<std::size_t> point = pointAt(i, x)) {
            return m_content->curves[i].data->x()[*point];
        }
    }
    return x;
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (m_content == nullptr || drag != Drag::Box) {
        return;
    }
    if (m_moved) {
        finishBox(event->position());
        return;
    }
    if (const int tick = m_scene.tickAt(*m_content, event->position()); tick >= 0) {
        Q_EMIT tickClicked(tick);
    } else if (const auto bold = boldCurve(); bold && event->button() == Qt::LeftButton) {
        Q_EMIT curveClicked(m_content->curves[*bold].series);
    }
}

void PlotCanvas::finishBox(QPointF to) {
    const PlotFrame& frame = m_scene.frame();
    const auto inside = [&](QPointF at) { // a box without height is a choice, too
        return QPointF(std::clamp(at.x(), frame.area.left(), frame.area.right()),
                       std::clamp(at.y(), frame.area.top(), frame.area.bottom()));
    };
    const QRectF box = QRectF(inside(m_from), inside(to)).normalized();
    m_moved = false;
    m_overlay->update();
    if (box.width() < kMinDrag) {
        return;
    }
    ChartBoard::View view = m_board.view();
    view.x = Range{frame.fromX(box.left()), frame.fromX(box.right())};
    view.y.remove(m_content->name);
    if (box.height() >= kMinBoxHeight) {
        view.y.insert(m_content->name, Range{frame.fromY(box.bottom()), frame.fromY(box.top())});
    }
    m_board.setView(std::move(view));
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::None;
    if (event->button() == Qt::LeftButton && m_content != nullptr) {
        Q_EMIT enlargeRequested(!m_enlarged);
    }
}

void PlotCanvas::leaveEvent(QEvent*) {
    m_board.setCrosshair(std::nullopt);
    m_board.highlight(std::nullopt);
    if (std::exchange(m_hoveredTick, -1) >= 0) {
        m_overlay->update();
    }
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    const bool ours = hasFocus() || event->modifiers().testFlag(Qt::ControlModifier);
    if (!ours || m_content == nullptr || event->angleDelta().y() == 0) {
        event->ignore(); // the page scrolls
        return;
    }
    const double notches = event->angleDelta().y() / 120.0;
    m_board.zoom(std::pow(kWheelStep, notches), m_scene.frame().fromX(event->position().x()));
    event->accept();
}

void PlotCanvas::keyPressEvent(QKeyEvent* event) {
    const Range shown = m_board.shown();
    const PlotFrame& frame = m_scene.frame();
    const double middle = m_board.crosshair().value_or(
        frame.area.isEmpty() ? (shown.low + shown.high) / 2 : frame.fromX(frame.area.center().x()));
    if (walkCurves(*event)) {
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_board.zoom(kKeyStep, middle);
        return;
    case Qt::Key_Minus:
        m_board.zoom(1 / kKeyStep, middle);
        return;
    case Qt::Key_0:
        m_board.fit();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: // with Ctrl; walkCurves() has used the others
        m_board.pan(event->key() == Qt::Key_Left ? -kPanStep : kPanStep);
        return;
    case Qt::Key_Backspace:
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            m_board.forward();
        } else {
            m_board.back();
        }
        return;
    case Qt::Key_E:
        Q_EMIT enlargeRequested(!m_enlarged);
        return;
    case Qt::Key_I:
        Q_EMIT sourcesRequested();
        return;
    case Qt::Key_T:
        stepTick(event->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_content != nullptr && m_tick >= 0 &&
            m_tick < static_cast<int>(m_content->ticks.size())) {
            Q_EMIT tickClicked(m_tick);
        }
        return;
    case Qt::Key_Escape:
        if (m_enlarged) {
            Q_EMIT enlargeRequested(false);
            return;
        }
        if (m_board.crosshair() && m_drag == Drag::None) {
            m_board.setCrosshair(std::nullopt);
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void PlotCanvas::stepTick(int direction) {
    if (m_content == nullptr || m_content->ticks.empty()) {
        return;
    }
    const int count = static_cast<int>(m_content->ticks.size());
    m_tick = m_tick < 0 ? (direction > 0 ? 0 : count - 1) : (m_tick + direction + count) % count;
    const ChartTick& tick = m_content->ticks[static_cast<std::size_t>(m_tick)];
    moveCrosshair(tick.x);
    announce(this, tick.label);
    QToolTip::showText(
        mapToGlobal(QPointF(m_scene.frame().toX(tick.x), m_scene.frame().area.bottom()).toPoint()),
        text::toolTip(tickTip(tick)), this);
}

void PlotCanvas::focusInEvent(QFocusEvent* event) {
    ItemsWidget::focusInEvent(event);
    m_overlay->update();
}

void PlotCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_overlay->update();
}

} // namespace cairn::ui
