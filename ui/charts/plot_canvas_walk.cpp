// SPDX-License-Identifier: GPL-3.0-or-later
// The current curve of a chart: its value at the crosshair, as a label and for screen readers, and
// the keys that walk its points.
#include "ui/charts/curve_ink.h"
#include "ui/charts/plot_canvas.h"
#include "ui/charts/run_axis.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::ui {
namespace {

constexpr int kLabelGap = 8;        ///< px from the point
constexpr int kLabelPadding = 5;    ///< px
constexpr int kLabelLetters = 24;   ///< of a run's name
constexpr int kAllPoints = 1 << 30; ///< with Home and End
constexpr int kManyPoints = 10;     ///< of a step with Shift

} // namespace

int PlotCanvas::itemCount() {
    return m_content == nullptr ? 0 : static_cast<int>(m_content->curves.size());
}

int PlotCanvas::currentItem() {
    return static_cast<int>(m_curve) < itemCount() ? static_cast<int>(m_curve) : -1;
}

QRectF PlotCanvas::itemRect(int item) {
    const std::optional<QPointF> place = placeOf(static_cast<std::size_t>(item));
    return place ? QRectF(*place - QPointF(6, 6), QSizeF(12, 12)) : m_scene.frame().area;
}

QString PlotCanvas::itemText(int item) {
    const auto index = static_cast<std::size_t>(item);
    const ChartCurve& curve = m_content->curves[index];
    const CurveData& points = *curve.data;
    const QString name = curve.run.isEmpty() ? m_content->name : curve.run;
    const std::optional<double> x = m_board.crosshair();
    std::optional<std::size_t> point =
        points.size() > 0 ? std::optional(points.size() - 1) : std::nullopt;
    if (x) {
        point = pointAt(index, *x);
    }
    if (!point) {
        return tr("%1: no value").arg(name);
    }
    const ChartBoard::Options& options = m_board.options();
    const QString place =
        options.axisWord + QLatin1Char(' ') + axisValue(points.x()[*point], options.unit);
    return tr("%1: %2, %3").arg(name, place.trimmed(), text::number(points.y()[*point]));
}

QString PlotCanvas::elsewhere(std::size_t curve, std::size_t point, double x) const {
    const AxisUnit unit = m_board.options().unit;
    const QString own = axisValue(m_content->curves[curve].data->x()[point], unit);
    return own == axisValue(x, unit) ? QString() : QStringLiteral(" @") + own;
}

std::optional<QPointF> PlotCanvas::placeOf(std::size_t curve) const {
    const std::optional<double> x = m_board.crosshair();
    const PlotFrame& frame = m_scene.frame();
    if (m_content == nullptr || curve >= m_content->curves.size() || !x || frame.area.isEmpty()) {
        return std::nullopt;
    }
    const std::optional<std::size_t> point = pointAt(curve, *x);
    if (!point) {
        return std::nullopt;
    }
    const double at = m_content->curves[curve].data->x()[*point];
    const double y = m_content->curves[curve].data->y()[*point];
    const bool shows = std::isfinite(y) && (frame.yScale != Scale::Log || y > 0) &&
                       (frame.xScale != Scale::Log || at > 0);
    return shows ? std::optional(frame.toPoint({at, y})) : std::nullopt;
}

double PlotCanvas::pickCurve(const QPointF& place) {
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_content->curves.size(); ++i) {
        const std::optional<QPointF> at = placeOf(i);
        if (at && std::abs(at->y() - place.y()) < least) {
            least = std::abs(at->y() - place.y());
            m_curve = i;
        }
    }
    return least;
}

std::optional<PlotCanvas::Label> PlotCanvas::cursorLabel() const {
    const QRectF area = m_scene.frame().area;
    const bool isMany = m_content != nullptr && m_content->isMany();
    if (isMany && boldCurve() != m_curve) {
        return std::nullopt;
    }
    const std::optional<QPointF> place = placeOf(m_curve);
    if (!place || !(hasFocus() || underMouse()) || !area.adjusted(-1, -1, 1, 1).contains(*place)) {
        return std::nullopt;
    }
    const ChartCurve& curve = m_content->curves[m_curve];
    Label label;
    label.color = curveColor(*m_content, curve, palette());
    const double crosshair = *m_board.crosshair();
    const std::size_t read = *pointAt(m_curve, crosshair);
    label.text = text::number(curve.data->y()[read]) + elsewhere(m_curve, read, crosshair);
    if (m_content->curves.size() > 1) {
        const bool isNamed = curve.letter.isEmpty() || isMany;
        const QString whose = isNamed ? curve.run : curve.letter;
        label.text =
            (whose.size() > kLabelLetters ? whose.left(kLabelLetters - 1) + QChar(0x2026) : whose) +
            QLatin1Char(' ') + label.text;
    }
    label.font = theme::small(font());
    label.font.setBold(isMany);
    const QFontMetricsF metrics(label.font);
    const QSizeF size(metrics.horizontalAdvance(label.text) + 2.0 * kLabelPadding,
                      metrics.height() + 4);
    // In the corner beside the point in which the curve leaves most space.
    double least = std::numeric_limits<double>::max();
    for (const double dx : {static_cast<double>(kLabelGap), -kLabelGap - size.width()}) {
        for (const double dy : {-kLabelGap - size.height(), static_cast<double>(kLabelGap)}) {
            const QRectF box(*place + QPointF(dx, dy), size);
            double hidden = area.contains(box) ? 0 : 1e6;
            for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                const double x = m_scene.frame().fromX(box.left() + share * box.width());
                const auto point = curve.data->nearest(x, m_board.whole().length());
                const double y = point ? m_scene.frame().toY(curve.data->y()[*point]) : -1;
                hidden += y > box.top() - 3 && y < box.bottom() + 3 ? 1 : 0;
            }
            if (hidden < least) {
                least = hidden;
                label.box = box;
            }
        }
    }
    return label;
}

bool PlotCanvas::walkCurves(const QKeyEvent& event) {
    const Qt::KeyboardModifiers held = event.modifiers() & ~Qt::KeypadModifier;
    const bool shift = held == Qt::ShiftModifier;
    if (itemCount() == 0 || !(shift || held == Qt::NoModifier)) {
        return false;
    }
    const int last = itemCount() - 1;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        stepCrosshair((event.key() == Qt::Key_Left ? -1 : 1) * (shift ? kManyPoints : 1));
        return true;
    case Qt::Key_Home:
    case Qt::Key_End:
        stepCrosshair(event.key() == Qt::Key_Home ? -kAllPoints : kAllPoints);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (last == 0 || shift) {
            return false;
        }
        m_curve = static_cast<std::size_t>(
            std::clamp(currentItem() + (event.key() == Qt::Key_Up ? -1 : 1), 0, last));
        highlightCurrent();
        crosshairChanged();
        speakCurrent();
        return true;
    default:
        return false;
    }
}

void PlotCanvas::stepCrosshair(int points) {
    const auto xs = m_content->curves[m_curve < m_content->curves.size() ? m_curve : 0].data->x();
    if (xs.empty()) {
        return;
    }
    const Range shown = m_board.shown();
    const auto last = static_cast<std::int64_t>(xs.size()) - 1;
    std::int64_t index = points > 0 ? 0 : last;
    if (const auto at = m_board.crosshair()) {
        // Steps that were run again have several points at one place: the walk goes through all.
        const bool walks = m_walked < xs.size() && xs[m_walked] == *at;
        const auto nearest = m_content->curves[m_curve].data->nearest(*at, shown.length());
        index = static_cast<std::int64_t>(walks ? m_walked : nearest.value_or(0)) + points;
    } else if (std::abs(points) <= kManyPoints) { // the first visible one
        const double edge = points > 0 ? shown.low : shown.high;
        index = static_cast<std::int64_t>(
            pointAt(m_curve, edge).value_or(points > 0 ? 0 : xs.size() - 1));
    } else {
        index = points > 0 ? last : 0;
    }
    m_walked = static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last));
    moveCrosshair(xs[m_walked]);
    highlightCurrent();
    speakCurrent();
}

void PlotCanvas::moveCrosshair(double x) {
    const Range shown = m_board.shown();
    if (m_board.isZoomed() && (x < shown.low || x > shown.high)) {
        const PlotFrame& frame = m_scene.frame();
        const double share = (frame.toX(x) - frame.area.left()) / frame.area.width();
        m_board.pan(share < 0 ? share - 0.1 : share - 0.9);
    }
    m_board.setCrosshair(x);
}

} // namespace cairn::ui
