// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_canvas.h"

#include "ui/charts/line_layer.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr double kWheelStep = 0.8;     ///< of what is shown, for one notch
constexpr double kKeyStep = 0.5;       ///< for + and −
constexpr double kPanStep = 0.15;      ///< for an arrow
constexpr double kLeastDrag = 5;       ///< px
constexpr double kLeastBoxHeight = 14; ///< px; flatter boxes leave the values' axis alone

} // namespace

/// What changes with every movement of the mouse: lies on top, so that the lines stay as they are.
class PlotOverlay : public QWidget {
public:
    explicit PlotOverlay(PlotCanvas& canvas) : QWidget(&canvas), m_canvas(canvas) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (m_canvas.m_content == nullptr) {
            return;
        }
        QPainter painter(this);
        m_canvas.m_scene.paintMarks(painter, *m_canvas.m_content, palette());
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

private:
    void paintCrosshair(QPainter& painter) const {
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
            if (!point) {
                continue;
            }
            const ChartCurve& curve = m_canvas.m_content->curves[i];
            const CurveDataPtr& shown = i < m_canvas.m_smoothed.size() && m_canvas.m_smoothed[i]
                                            ? m_canvas.m_smoothed[i]
                                            : curve.data;
            const double y = shown->y()[*point];
            if (!std::isfinite(y) || (frame.yScale == Scale::Log && y <= 0)) {
                continue;
            }
            const QPointF place = frame.toPoint({curve.data->x()[*point], y});
            if (frame.area.adjusted(-2, -2, 2, 2).contains(place)) {
                painter.setPen(QPen(theme::cardGround(palette()), 1.5));
                painter.setBrush(theme::series(curve.series, palette()));
                painter.drawEllipse(place, 4, 4);
            }
        }
    }

    PlotCanvas& m_canvas;
};

PlotCanvas::PlotCanvas(ChartBoard& board, QWidget* parent)
    : QWidget(parent), m_board(board), m_lines(new LineLayer(this)),
      m_overlay(new PlotOverlay(*this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&board, &ChartBoard::optionsChanged, this, &PlotCanvas::optionsChanged);
    connect(&board, &ChartBoard::viewChanged, this, &PlotCanvas::arrange);
    connect(&board, &ChartBoard::crosshairChanged, this, &PlotCanvas::crosshairChanged);
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setContent(const ChartContent* content) {
    m_content = content;
    m_tick = -1;
    smooth();
    arrange();
}

void PlotCanvas::smooth() {
    m_smoothing = m_board.options().smoothing;
    m_smoothed.clear();
    if (m_content == nullptr || m_smoothing <= 0) {
        return;
    }
    for (const ChartCurve& curve : m_content->curves) {
        const auto x = curve.data->x();
        m_smoothed.push_back(std::make_shared<CurveData>(std::vector<double>(x.begin(), x.end()),
                                                         curve.data->smoothed(m_smoothing)));
    }
}

void PlotCanvas::optionsChanged() {
    if (m_board.options().smoothing != m_smoothing) {
        smooth();
    }
    arrange();
}

void PlotCanvas::arrange() {
    update();
    if (!std::exchange(m_stale, true)) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_stale && isVisible()) {
                    arrangeNow();
                }
            },
            Qt::QueuedConnection);
    }
}

void PlotCanvas::arrangeNow() {
    m_stale = false;
    const QMarginsF margins = PlotScene::margins(font());
    const QRectF area = QRectF(rect()).marginsRemoved(margins).toAlignedRect();
    if (m_content == nullptr || area.width() < 8 || area.height() < 8) {
        m_lines->hide();
        return;
    }
    m_scene.arrange(*m_content, m_smoothed, m_board, area);
    m_lines->setVisible(true);
    m_lines->setGeometry(area.toRect());
    m_lines->show(m_scene, *m_content, palette());
    m_overlay->update();
}

std::optional<std::size_t> PlotCanvas::pointAt(std::size_t curve, double x) const {
    return m_content->curves[curve].data->nearest(x, m_board.whole().length() * 1e-3);
}

bool PlotCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), text::toolTip(tip), this);
        }
        return true;
    }
    return QWidget::event(event);
}

QString PlotCanvas::tipAt(QPointF place) const {
    if (m_content == nullptr) {
        return {};
    }
    if (const int tick = m_scene.tickAt(*m_content, place); tick >= 0) {
        return m_content->ticks[static_cast<std::size_t>(tick)].label + QLatin1Char('\n') +
               tr("Click to select this checkpoint");
    }
    QStringList lines;
    for (const ChartCurve& curve : m_content->curves) {
        lines << (curve.letter.isEmpty() ? curve.source
                                         : curve.letter + QStringLiteral(": ") + curve.source) +
                     QStringLiteral(" · ") +
                     tr("%n points", nullptr, static_cast<int>(curve.data->size()));
        if (curve.interpolated) {
            lines << tr("places along the axis are interpolated between known ones");
        }
        if (curve.data->wasSorted()) {
            lines << tr("its steps go back so often that they were put in order");
        }
        lines << curve.warnings.mid(0, 4);
    }
    if (!hasFocus()) {
        lines << tr("Click, then turn the wheel to zoom; drag to zoom into a part");
    }
    return lines.join(QLatin1Char('\n'));
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
}

void PlotCanvas::resizeEvent(QResizeEvent*) {
    m_overlay->setGeometry(rect());
    m_overlay->raise();
    arrange();
}

void PlotCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        arrange();
    }
    QWidget::changeEvent(event);
}

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
    m_moved = m_moved || (place - m_from).manhattanLength() > kLeastDrag;
    if (m_drag == Drag::Pan && m_moved) {
        m_board.pan((m_to.x() - place.x()) / frame.area.width());
        m_to = place;
        return;
    }
    m_to = place;
    setCursor(m_scene.tickAt(*m_content, place) >= 0 ? Qt::PointingHandCursor : Qt::CrossCursor);
    if (place.x() < frame.area.left() - 2 || place.x() > frame.area.right() + 2) {
        m_board.setCrosshair(std::nullopt);
    } else {
        m_board.setCrosshair(
            snapped(frame.fromX(std::clamp(place.x(), frame.area.left(), frame.area.right()))));
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
    }
}

void PlotCanvas::finishBox(QPointF to) {
    const PlotFrame& frame = m_scene.frame();
    const QRectF box = QRectF(m_from, to).normalized() & frame.area;
    m_moved = false;
    m_overlay->update();
    if (box.width() < kLeastDrag) {
        return;
    }
    ChartBoard::View view = m_board.view();
    view.x = Range{frame.fromX(box.left()), frame.fromX(box.right())};
    view.y.remove(m_content->name);
    if (box.height() >= kLeastBoxHeight) {
        view.y.insert(m_content->name, Range{frame.fromY(box.bottom()), frame.fromY(box.top())});
    }
    m_board.setView(std::move(view));
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent*) {
    m_board.fit();
}

void PlotCanvas::leaveEvent(QEvent*) {
    m_board.setCrosshair(std::nullopt);
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
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
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
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Left ? -1 : 1;
        if (control) {
            stepCrosshair(direction);
        } else {
            m_board.pan(direction * kPanStep);
        }
        return;
    }
    case Qt::Key_Backspace:
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            m_board.forward();
        } else {
            m_board.back();
        }
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
        if (m_board.crosshair() && m_drag == Drag::None) {
            m_board.setCrosshair(std::nullopt);
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void PlotCanvas::stepCrosshair(int direction) {
    if (m_content == nullptr || m_content->curves.empty() ||
        m_content->curves.front().data->size() == 0) {
        return;
    }
    const auto xs = m_content->curves.front().data->x();
    const Range shown = m_board.shown();
    std::size_t index = 0;
    if (const auto at = m_board.crosshair()) {
        const auto point = pointAt(0, *at);
        const std::size_t here = point.value_or(0);
        index = direction < 0 ? here - std::min<std::size_t>(here, 1)
                              : std::min(here + 1, xs.size() - 1);
    } else {
        index = pointAt(0, direction > 0 ? shown.low : shown.high)
                    .value_or(direction > 0 ? 0 : xs.size() - 1);
    }
    m_board.setCrosshair(xs[index]);
}

void PlotCanvas::stepTick(int direction) {
    if (m_content == nullptr || m_content->ticks.empty()) {
        return;
    }
    const int count = static_cast<int>(m_content->ticks.size());
    m_tick = m_tick < 0 ? (direction > 0 ? 0 : count - 1) : (m_tick + direction + count) % count;
    const ChartTick& tick = m_content->ticks[static_cast<std::size_t>(m_tick)];
    m_board.setCrosshair(tick.x);
    QToolTip::showText(
        mapToGlobal(QPointF(m_scene.frame().toX(tick.x), m_scene.frame().area.bottom()).toPoint()),
        text::toolTip(tick.label), this);
}

void PlotCanvas::crosshairChanged() {
    updateColumn(m_drawnCrosshair);
    m_drawnCrosshair = m_board.crosshair();
    updateColumn(m_drawnCrosshair);
}

void PlotCanvas::updateColumn(std::optional<double> x) {
    const PlotFrame& frame = m_scene.frame();
    if (!x || frame.area.isEmpty() || (frame.xScale == Scale::Log && *x <= 0)) {
        return;
    }
    const double at = frame.toX(*x);
    // The dots stand at the nearest points, which may be a little off the line.
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
}

void PlotCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_overlay->update();
}

void PlotCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_overlay->update();
}

} // namespace cairn::ui
