// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/parallel_plot.h"

#include "ui/charts/plot_frame.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr double kBrushHalf = 6;         ///< px of a brush on either side of its axis
constexpr double kAxisReach = 18;        ///< px beside an axis that belong to it
constexpr double kBrushStep = 0.05;      ///< of an axis
constexpr double kLeastBrush = 0.004;    ///< of an axis
constexpr double kLineReach = 6;         ///< px from the pointer to a line
constexpr std::size_t kMostSmooth = 300; ///< lines; more are drawn without antialiasing

} // namespace

ParallelPlot::ParallelPlot(QWidget* parent) : RelationPlot(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Parallel coordinates"));
    setAccessibleDescription(tr("Left and Right go from axis to axis, Up and Down move the lower "
                                "edge of its brush, with Shift the upper one, Delete removes it"));
}

void ParallelPlot::show(RelationPtr shown) {
    const RelationPtr before = relation();
    setRelation(std::move(shown));
    m_dragged.reset();
    m_hovered.reset();
    QHash<QString, Range> kept;
    for (std::size_t i = 0; i < axes() && before != nullptr; ++i) {
        const RelationAxis& axis = relation()->axes[i];
        const auto same = std::ranges::find(before->axes, axis.key, &RelationAxis::key);
        const auto brush = m_brushes.constFind(axis.key);
        if (same != before->axes.end() && brush != m_brushes.constEnd()) {
            if (const auto part = axis.partOf(*same, *brush)) { // the same values as before
                kept.insert(axis.key, *part);
            }
        }
    }
    m_brushes = kept;
    itemsChanged();
    arrange();
}

void ParallelPlot::arrange() {
    const int line = QFontMetrics(theme::small(font())).height();
    m_area = QRectF(rect()).adjusted(0, line + 6, 0, -line - 4);
    forgetBase();
}

int ParallelPlot::itemCount() {
    return static_cast<int>(axes());
}

QPointF ParallelPlot::placeOn(std::size_t axis, double share) const {
    // Each axis in the middle of its strip, so that all titles have the same space.
    const double strip = m_area.width() / static_cast<double>(std::max<std::size_t>(1, axes()));
    return {std::round(m_area.left() + strip * (static_cast<double>(axis) + 0.5)) + 0.5,
            m_area.bottom() - share * m_area.height()};
}

double ParallelPlot::shareAt(double y) const {
    return std::clamp((m_area.bottom() - y) / m_area.height(), 0.0, 1.0);
}

QRectF ParallelPlot::itemRect(int item) {
    const double x = placeOn(static_cast<std::size_t>(item), 0).x();
    return {x - kAxisReach, 0, 2 * kAxisReach, static_cast<double>(height())};
}

QString ParallelPlot::itemText(int item) {
    const auto at = static_cast<std::size_t>(item);
    const RelationAxis& axis = relation()->axes[at];
    QString line =
        axis.title + QStringLiteral(": ") + tr("%1 to %2").arg(axis.textAt(0), axis.textAt(1));
    if (const auto range = brush(at)) {
        line += QStringLiteral(" · ") +
                tr("brushed from %1 to %2").arg(axis.textAt(range->low), axis.textAt(range->high));
        const std::vector<bool> inside = brushed();
        line += QStringLiteral(" · ") +
                tr("%1 of %Ln chosen", nullptr, static_cast<int>(inside.size()))
                    .arg(text::count(static_cast<std::uint64_t>(std::ranges::count(inside, true))));
    }
    return line;
}

std::optional<Range> ParallelPlot::brush(std::size_t axis) const {
    const auto found = m_brushes.constFind(relation()->axes[axis].key);
    return found == m_brushes.constEnd() ? std::nullopt : std::optional(*found);
}

std::vector<bool> ParallelPlot::brushed() const {
    if (m_brushes.isEmpty() || relation() == nullptr) {
        return {};
    }
    std::vector<bool> inside(relation()->items.size(), true);
    for (std::size_t i = 0; i < axes(); ++i) {
        const RelationAxis& axis = relation()->axes[i];
        const auto range = brush(i);
        for (std::size_t item = 0; range && item < inside.size(); ++item) {
            const double share = axis.has(item) ? axis.share(item) : NAN;
            inside[item] = inside[item] && share >= range->low && share <= range->high;
        }
    }
    return inside;
}

void ParallelPlot::clearBrushes() {
    m_brushes.clear();
    update();
}

void ParallelPlot::setBrush(std::size_t axis, std::optional<Range> brush) {
    const QString& key = relation()->axes[axis].key;
    if (brush) {
        m_brushes.insert(key, *brush);
    } else if (m_brushes.remove(key) == 0) {
        return;
    }
    update();
    Q_EMIT brushesChanged();
}

bool ParallelPlot::moveBrush(std::size_t axis, bool up, bool upper) {
    Range range = brush(axis).value_or(Range{0, 1});
    double& edge = upper ? range.high : range.low;
    edge = std::clamp(edge + (up ? kBrushStep : -kBrushStep), 0.0, 1.0);
    if (range.low > range.high - kLeastBrush) {
        return false;
    }
    const bool whole = range.low <= kLeastBrush && range.high >= 1 - kLeastBrush;
    setBrush(axis, whole ? std::nullopt : std::optional(range));
    return true;
}

std::optional<std::size_t> ParallelPlot::axisAt(const QPointF& place) const {
    for (std::size_t i = 0; i < axes(); ++i) {
        if (std::abs(placeOn(i, 0).x() - place.x()) <= kAxisReach) {
            return i;
        }
    }
    return std::nullopt;
}

void ParallelPlot::paintLine(QPainter& painter, std::size_t item, bool chosen) const {
    const int series = relation()->items[item].series;
    const bool full = chosen || !hasChosen();
    QColor color = ink(item, chosen);
    const bool isMarked = series >= 0 && full;
    color.setAlphaF(chosen                         ? 0.8F
                    : !full                        ? 0.16F
                    : relation()->scale != nullptr ? 0.65F
                    : isMarked                     ? 0.9F
                                                   : 0.4F);
    painter.setPen(QPen(color, isMarked && relation()->scale == nullptr ? 1.8 : 1));
    drawLine(painter, item);
}

void ParallelPlot::drawLine(QPainter& painter, std::size_t item) const {
    QPolygonF line;
    for (std::size_t i = 0; i <= axes(); ++i) { // a missing value interrupts it
        if (i < axes() && relation()->axes[i].has(item)) {
            line << placeOn(i, relation()->axes[i].share(item));
            continue;
        }
        if (line.size() > 1) {
            painter.drawPolyline(line);
        } else if (line.size() == 1) {
            painter.drawEllipse(line.front(), 1.5, 1.5);
        }
        line.clear();
    }
}

void ParallelPlot::paintBase(QPainter& painter, std::size_t first, std::size_t last) const {
    painter.setRenderHint(QPainter::Antialiasing, relation()->items.size() <= kMostSmooth);
    for (std::size_t item = first; item < last; ++item) {
        paintLine(painter, item, false);
    }
}

void ParallelPlot::paintChosen(QPainter& painter) const {
    const std::size_t count = relation()->items.size();
    painter.setRenderHint(QPainter::Antialiasing, count <= kMostSmooth);
    for (std::size_t item = 0; item < count; ++item) {
        if (isChosen(item)) {
            paintLine(painter, item, true);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(theme::small(font()));
    for (std::size_t i = 0; i < axes(); ++i) {
        paintAxis(painter, i);
    }
}

void ParallelPlot::paintAxis(QPainter& painter, std::size_t at) const {
    const RelationAxis& axis = relation()->axes[at];
    const QFontMetrics metrics(painter.font());
    const int strip = static_cast<int>(m_area.width() / static_cast<double>(axes())) - 8;
    const QPointF top = placeOn(at, 1);
    const QPointF bottom = placeOn(at, 0);
    painter.setPen(theme::color(theme::Tone::Dim, palette()));
    painter.drawLine(top, bottom);
    const auto put = [&](double y, int width, const QString& text, const QColor& ink) {
        const QString shown = text::elided(text, metrics, width);
        const int wide = metrics.horizontalAdvance(shown);
        painter.setPen(ink);
        painter.drawText(QRectF(top.x() - wide / 2.0, y, wide + 1, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, shown);
    };
    put(0, strip, axis.title, palette().color(QPalette::Text));
    const QColor dim = theme::color(theme::Tone::Dim, palette());
    const int wanted = std::max(2, static_cast<int>(m_area.height() / 40));
    double last = m_area.bottom() + 2 * metrics.height();
    for (const AxisTick& tick : axis.ticks(wanted)) {
        const double share = PlotFrame::share(tick.value, axis.range, axis.scale);
        const double y = placeOn(at, share).y();
        painter.setPen(dim);
        painter.drawLine(QPointF(top.x() - 3, y), QPointF(top.x() + 3, y));
        if (y + metrics.height() / 2.0 > last) {
            continue;
        }
        // Beside the axis, on the ground of the card: lines run below it.
        const QString label =
            text::elided(tick.label, metrics, at + 1 < axes() ? strip - 6 : strip / 2);
        const QRectF box(top.x() + 6, y - metrics.height() / 2.0,
                         metrics.horizontalAdvance(label) + 2, metrics.height());
        QColor ground = theme::cardGround(palette());
        ground.setAlphaF(0.9F);
        painter.fillRect(box, ground);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, label);
        last = box.top();
    }
    if (const auto range = brush(at)) {
        QColor fill = theme::accent(palette());
        painter.setPen(fill);
        fill.setAlphaF(0.18F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(placeOn(at, range->high) - QPointF(kBrushHalf, 0),
                                placeOn(at, range->low) + QPointF(kBrushHalf, 0)));
        painter.setBrush(Qt::NoBrush);
    }
}

std::optional<std::size_t> ParallelPlot::lineAt(const QPointF& place) const {
    std::optional<std::size_t> found;
    double least = kLineReach * kLineReach;
    for (std::size_t i = 1; i < axes(); ++i) { // between which axes it is
        const QPointF left = placeOn(i - 1, 0);
        const QPointF right = placeOn(i, 0);
        if (place.x() < left.x() - kLineReach || place.x() > right.x() + kLineReach) {
            continue;
        }
        for (std::size_t item = 0; item < relation()->items.size(); ++item) {
            const RelationAxis& from = relation()->axes[i - 1];
            const RelationAxis& to = relation()->axes[i];
            if (!from.has(item) || !to.has(item)) {
                continue;
            }
            const QPointF start = placeOn(i - 1, from.share(item));
            const QPointF way = placeOn(i, to.share(item)) - start;
            const double part = std::clamp(
                QPointF::dotProduct(place - start, way) / QPointF::dotProduct(way, way), 0.0, 1.0);
            const QPointF away = start + part * way - place;
            const double distance = QPointF::dotProduct(away, away);
            // Of lines at one place the chosen one, or the last one, which is drawn on top.
            const bool isAbove = found && distance == least && !isChosen(*found);
            if (distance < least || isAbove) {
                least = distance;
                found = item;
            }
        }
    }
    return found;
}

void ParallelPlot::hover(std::optional<std::size_t> item) {
    setCursor(item ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (item || m_hovered) { // its name moves with the pointer
        m_hovered = item;
        update();
    }
}

void ParallelPlot::leaveEvent(QEvent*) {
    hover(std::nullopt);
}

void ParallelPlot::paintPointer(QPainter& painter) {
    if (m_hovered) {
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor color = ink(*m_hovered, true);
        for (const QPen& pen : {QPen(theme::cardGround(palette()), 4.5), QPen(color, 2.5)}) {
            painter.setPen(pen);
            drawLine(painter, *m_hovered);
        }
        QFont bold = theme::small(font());
        bold.setBold(true);
        painter.setFont(bold);
        const QFontMetrics metrics(bold);
        const QString name = text::elided(relation()->items[*m_hovered].name, metrics, width() / 2);
        QRectF box(m_pointer + QPointF(10, -metrics.height() - 8),
                   QSizeF(metrics.horizontalAdvance(name) + 10, metrics.height() + 4));
        box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, width() - box.width())));
        box.moveTop(std::max(box.top(), 0.0));
        painter.setPen(theme::hairline(palette()));
        painter.setBrush(theme::cardGround(palette()));
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, name);
    }
    RelationPlot::paintPointer(painter);
}

QString ParallelPlot::tipAt(const QPointF& place) {
    if (m_hovered) {
        return {}; // named beside the pointer
    }
    const auto axis = axisAt(place);
    return axis ? itemText(static_cast<int>(*axis)) + QLatin1Char('\n') +
                      tr("Drag along the axis to choose a range")
                : QString();
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    m_dragged = event->button() == Qt::LeftButton ? axisAt(event->position()) : std::nullopt;
    m_moves = false;
    if (!m_dragged) {
        return;
    }
    setCurrentItem(static_cast<int>(*m_dragged));
    m_from = shareAt(event->position().y());
    const auto range = brush(*m_dragged);
    m_moved = range && m_from >= range->low && m_from <= range->high ? range : std::nullopt;
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    if (!m_dragged) {
        hover(relation() != nullptr ? lineAt(m_pointer) : std::nullopt);
        return;
    }
    hover(std::nullopt);
    const double to = shareAt(event->position().y());
    m_moves = m_moves ||
              std::abs(to - m_from) * m_area.height() >= QApplication::startDragDistance() / 2.0;
    if (!m_moves) {
        return;
    }
    if (m_moved) {
        const double shift = std::clamp(to - m_from, -m_moved->low, 1 - m_moved->high);
        setBrush(*m_dragged, Range{m_moved->low + shift, m_moved->high + shift});
    } else {
        setBrush(*m_dragged, Range{std::min(m_from, to), std::max(m_from, to)});
    }
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    const std::optional<std::size_t> axis = std::exchange(m_dragged, std::nullopt);
    if (relation() == nullptr || event->button() != Qt::LeftButton || m_moves) {
        return;
    }
    if (axis && brush(*axis)) {
        setBrush(*axis, std::nullopt);
    } else if (const auto line = lineAt(event->position())) {
        Q_EMIT lineClicked(*line);
    }
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    const bool vertical = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (vertical && axes() > 0) {
        const int axis = std::max(0, currentItem());
        setCurrentItem(axis);
        if (moveBrush(static_cast<std::size_t>(axis), event->key() == Qt::Key_Up,
                      event->modifiers().testFlag(Qt::ShiftModifier))) {
            visit(axis);
        }
    } else if (event->key() == Qt::Key_Delete && currentItem() >= 0) {
        setBrush(static_cast<std::size_t>(currentItem()), std::nullopt);
    } else if (event->key() == Qt::Key_Escape && hasBrush()) {
        clearBrushes();
        Q_EMIT brushesChanged();
    } else {
        ItemsWidget::keyPressEvent(event);
    }
}

} // namespace cairn::ui
