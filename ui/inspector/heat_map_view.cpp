// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/heat_map_view.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kMaxHeight = 132;
constexpr int kCellHeight = 8;

/// From the ground's own tint at zero to the full series colour.
QColor mixed(const QColor& ground, const QColor& full, double share) {
    const auto part = [share](float from, float to) {
        return from + static_cast<float>(share) * (to - from);
    };
    return QColor::fromRgbF(part(ground.redF(), full.redF()), part(ground.greenF(), full.greenF()),
                            part(ground.blueF(), full.blueF()));
}

QString span(std::int64_t first, std::int64_t count) {
    return count == 1 ? QString::number(first)
                      : QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
}

} // namespace

QString HeatMapView::caption(const QString& what, const HeatMap& map) {
    const QString whole =
        map.blockRows * map.blockColumns == 1
            ? what
            : tr("%1 · mean of %2 × %3 blocks").arg(what).arg(map.blockRows).arg(map.blockColumns);
    return map.sampled ? tr("%1, sampled").arg(whole) : whole;
}

HeatMapView::HeatMapView(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setLayoutDirection(Qt::LeftToRight); // axes run so in any language
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Heat map"));
}

void HeatMapView::show(HeatMap map) {
    itemsChanged();
    m_map = std::move(map);
    m_largest = 0;
    for (const double cell : m_map.cells) {
        if (std::isfinite(cell)) {
            m_largest = std::max(m_largest, std::abs(cell));
        }
    }
    setAccessibleDescription(tr("%1 by %2 blocks, largest mean %3")
                                 .arg(m_map.rows)
                                 .arg(m_map.columns)
                                 .arg(text::number(m_largest)));
    updateGeometry();
    update();
}

QSize HeatMapView::sizeHint() const {
    const int tall = m_map.rows == 1 ? 3 * kCellHeight : static_cast<int>(m_map.rows) * kCellHeight;
    return {220, std::clamp(tall, kCellHeight, kMaxHeight)};
}

QRectF HeatMapView::rectOf(std::size_t row, std::size_t column) const {
    // Edges on integer pixels, so that there are no gaps between cells.
    const auto edge = [](std::size_t index, std::size_t count, int length) {
        return std::round(static_cast<double>(index) * length / static_cast<double>(count));
    };
    const double left = edge(column, m_map.columns, width());
    const double top = edge(row, m_map.rows, height());
    return {left, top, edge(column + 1, m_map.columns, width()) - left,
            edge(row + 1, m_map.rows, height()) - top};
}

void HeatMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor ground = theme::track(palette());
    const QColor below = theme::series(0, palette());
    const QColor above = theme::series(1, palette());
    for (std::size_t row = 0; row < m_map.rows; ++row) {
        for (std::size_t column = 0; column < m_map.columns; ++column) {
            const std::size_t at = row * m_map.columns + column;
            const double value = m_map.cells[at];
            const QRectF box = rectOf(row, column);
            if (std::isfinite(value)) {
                const double share = m_largest > 0 ? std::abs(value) / m_largest : 0;
                painter.fillRect(box, mixed(ground, value < 0 ? below : above, share));
            } else {
                painter.fillRect(box, ground);
            }
            if (m_map.broken[at]) {
                painter.setPen(theme::color(theme::Tone::Broken, palette()));
                painter.drawLine(box.topLeft(), box.bottomRight());
                painter.drawLine(box.topRight(), box.bottomLeft());
            }
        }
    }
    paintCurrent(painter);
}

QString HeatMapView::itemText(int item) {
    const auto at = static_cast<std::size_t>(item);
    const auto row = static_cast<std::int64_t>(at / m_map.columns);
    const auto column = static_cast<std::int64_t>(at % m_map.columns);
    const QString line = tr("rows %1, columns %2: mean %3")
                             .arg(span(row * m_map.blockRows, m_map.blockRows),
                                  span(column * m_map.blockColumns, m_map.blockColumns),
                                  text::number(m_map.cells[at]));
    return m_map.broken[at] ? line + tr(", with NaN or Inf") : line;
}

QRectF HeatMapView::itemRect(int item) {
    const auto at = static_cast<std::size_t>(item);
    return rectOf(at / m_map.columns, at % m_map.columns);
}

void HeatMapView::chooseBlock(std::size_t row, std::size_t column) {
    Q_EMIT blockChosen(static_cast<qint64>(row) * m_map.blockRows,
                       static_cast<qint64>(column) * m_map.blockColumns);
}

void HeatMapView::keyPressEvent(QKeyEvent* event) {
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enters && !m_hint.isEmpty() && currentItem() >= 0) {
        const auto at = static_cast<std::size_t>(currentItem());
        chooseBlock(at / m_map.columns, at % m_map.columns);
    } else {
        ItemsWidget::keyPressEvent(event);
    }
}

std::optional<std::pair<std::size_t, std::size_t>> HeatMapView::blockAt(QPointF place) const {
    for (std::size_t row = 0; row < m_map.rows; ++row) {
        for (std::size_t column = 0; column < m_map.columns; ++column) {
            if (rectOf(row, column).contains(place)) {
                return std::pair(row, column);
            }
        }
    }
    return std::nullopt;
}

void HeatMapView::setChoosable(const QString& hint) {
    m_hint = hint;
    setCursor(Qt::PointingHandCursor);
}

void HeatMapView::mousePressEvent(QMouseEvent* event) {
    event->setAccepted(!m_hint.isEmpty()); // or the release event would go to another widget
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) {
    const auto block = blockAt(event->position());
    if (event->button() == Qt::LeftButton && !m_hint.isEmpty() && block) {
        chooseBlock(block->first, block->second);
    }
}

bool HeatMapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto block = blockAt(help->pos());
    if (!block) {
        return QWidget::event(event);
    }
    const QString line = itemText(static_cast<int>(block->first * m_map.columns + block->second));
    QToolTip::showText(help->globalPos(),
                       text::toolTip(m_hint.isEmpty() ? line : line + QLatin1Char('\n') + m_hint),
                       this);
    return true;
}

} // namespace cairn::ui
