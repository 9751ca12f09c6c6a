// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_list.h"

#include "ui/charts/curve_ink.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kListLetters = 29; ///< that a row has space for
constexpr int kInk = 12;         ///< px of the line before a name
constexpr int kRowGap = 2;       ///< px

} // namespace

CurveList::CurveList(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setAccessibleRole(this, QAccessible::StaticText);
}

void CurveList::show(CurveScalePtr scale, const QString& place, std::vector<Row> rows,
                     std::size_t others) {
    m_scale = std::move(scale);
    m_place = place;
    m_rows = std::move(rows);
    m_others = others;
    setAccessibleName(m_place + QStringLiteral("  ") + text());
    update();
}

void CurveList::setHighlighted(std::optional<int> series) {
    if (series != m_highlighted) {
        m_highlighted = series;
        update();
    }
}

QString CurveList::text() const {
    QStringList parts;
    for (const Row& row : m_rows) {
        parts << row.name + QLatin1Char(' ') + row.value;
    }
    if (m_others > 0) {
        parts << tr("%Ln more", nullptr, static_cast<int>(m_others));
    }
    return parts.join(QStringLiteral("  "));
}

int CurveList::rowHeight() const {
    return QFontMetrics(theme::small(font())).height() + kRowGap;
}

int CurveList::top() const {
    const QFontMetricsF metrics(theme::small(font()));
    const double scale = m_scale != nullptr ? scaleHeight(metrics) + theme::kGrid / 2.0 : 0;
    return static_cast<int>(scale) + rowHeight(); // the place has a row
}

QSize CurveList::sizeHint() const {
    const QFontMetrics metrics(theme::small(font()));
    return {kListLetters * metrics.averageCharWidth() + kInk,
            top() + (static_cast<int>(m_rows.size()) + 1) * rowHeight()};
}

/// Those that there is room for, with a row for the number of the others.
std::size_t CurveList::shownRows() const {
    const int room = std::max(0, (height() - top()) / rowHeight());
    const auto fit = static_cast<std::size_t>(room);
    return fit >= m_rows.size() + (m_others > 0 ? 1 : 0) ? m_rows.size()
           : fit > 0                                     ? std::min(m_rows.size(), fit - 1)
                                                         : 0;
}

QPoint CurveList::placeOfRow(std::size_t row) const {
    return {width() / 2, top() + static_cast<int>(row) * rowHeight() + rowHeight() / 2};
}

std::optional<std::size_t> CurveList::rowAt(const QPointF& place) const {
    const int row = (static_cast<int>(place.y()) - top()) / rowHeight();
    const bool isRow = place.y() >= top() && static_cast<std::size_t>(row) < shownRows();
    return isRow ? std::optional(static_cast<std::size_t>(row)) : std::nullopt;
}

void CurveList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont plain = theme::small(font());
    painter.setFont(plain);
    const QFontMetrics metrics(plain);
    if (m_scale != nullptr) {
        paintScale(painter, QRectF(0, 0, width(), scaleHeight(metrics)), *m_scale, palette());
    }
    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    const auto mirrored = [&](const QRect& rect) {
        return isMirrored
                   ? QRect(width() - rect.right() - 1, rect.top(), rect.width(), rect.height())
                   : rect;
    };
    const auto lead = (isMirrored ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
    const QColor dim = theme::color(theme::Tone::Dim, palette());
    painter.setPen(dim);
    painter.drawText(QRect(0, top() - rowHeight(), width(), rowHeight()), lead, m_place);
    const std::size_t shown = shownRows();
    for (std::size_t i = 0; i < shown; ++i) {
        const Row& row = m_rows[i];
        QFont font = plain;
        font.setBold(m_highlighted == row.series);
        const QFont digits = theme::mono(font);
        const QFontMetrics wide(digits);
        const int y = top() + static_cast<int>(i) * rowHeight();
        painter.fillRect(mirrored(QRect(0, y + rowHeight() / 2 - 1, kInk - 4,
                                        m_highlighted == row.series ? 3 : 2)),
                         row.color);
        const int value = wide.horizontalAdvance(row.value) + 1;
        painter.setPen(palette().color(QPalette::Text));
        painter.setFont(digits);
        painter.drawText(mirrored(QRect(width() - value, y, value, rowHeight())),
                         Qt::AlignLeft | Qt::AlignVCenter, row.value);
        painter.setFont(font);
        const int room = width() - value - kInk - theme::kGrid / 2;
        painter.drawText(mirrored(QRect(kInk, y, room, rowHeight())), lead,
                         text::elided(row.name, QFontMetrics(font), room));
    }
    const std::size_t others = m_others + m_rows.size() - shown;
    if (others > 0) {
        painter.setFont(plain);
        painter.setPen(dim);
        painter.drawText(mirrored(QRect(kInk, top() + static_cast<int>(shown) * rowHeight(),
                                        width() - kInk, rowHeight())),
                         lead, tr("%Ln more", nullptr, static_cast<int>(others)));
    }
}

void CurveList::mouseMoveEvent(QMouseEvent* event) {
    const auto row = rowAt(event->position());
    setCursor(row ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT hovered(row ? std::optional(m_rows[*row].series) : std::nullopt);
}

void CurveList::mouseReleaseEvent(QMouseEvent* event) {
    if (const auto row = rowAt(event->position()); row && event->button() == Qt::LeftButton) {
        Q_EMIT clicked(m_rows[*row].series);
    }
}

void CurveList::leaveEvent(QEvent*) {
    Q_EMIT hovered(std::nullopt);
}

} // namespace cairn::ui
