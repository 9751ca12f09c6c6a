// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/quiet_header.h"

#include "ui/models/row_delegate.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kArrow = 7;

void paintArrow(QPainter& painter, const QRect& room, bool descending) {
    const qreal x = room.center().x();
    const qreal y = room.center().y() + 0.5;
    const qreal tip = descending ? 2.0 : -2.0;
    QPainterPath path;
    path.moveTo(x - 3, y - tip);
    path.lineTo(x, y + tip);
    path.lineTo(x + 3, y - tip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

} // namespace

QuietHeader::QuietHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setHighlightSections(false);
    setSectionsClickable(true);
    setSectionsMovable(true);
    setStretchLastSection(false);
    setMinimumSectionSize(32);
}

QSize QuietHeader::sizeHint() const {
    return {QHeaderView::sizeHint().width(),
            std::max(28, fontMetrics().height() + theme::kGrid + 4)};
}

void QuietHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
    const QString label = model()->headerData(logicalIndex, Qt::Horizontal).toString();
    const auto alignment = static_cast<Qt::Alignment>(
        model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    painter->save();
    const QVariant ink = model()->headerData(logicalIndex, Qt::Horizontal, Qt::ForegroundRole);
    painter->setPen(
        ink.isValid() ? ink.value<QColor>()
                      : theme::color(isSorted ? theme::Tone::Plain : theme::Tone::Dim, palette()));
    const bool atRight = alignment.testFlag(Qt::AlignRight);
    QRect room = rect.adjusted(RowDelegate::kPadding, 0, -RowDelegate::kPadding, 0);
    const int arrowRoom = isSorted ? kArrowRoom : 0;
    const QString shown = fontMetrics().elidedText(label, Qt::ElideRight, room.width() - arrowRoom);
    const int width = fontMetrics().horizontalAdvance(shown);
    const int left = atRight ? room.right() + 1 - width : room.left();
    const QRect textRect(left, room.top(), width, room.height());
    const QRect arrowRect(atRight ? left - arrowRoom : left + width + 4, room.top(), kArrow,
                          room.height());
    painter->drawText(QStyle::visualRect(layoutDirection(), rect, textRect), Qt::AlignCenter,
                      shown);
    if (isSorted) {
        paintArrow(*painter, QStyle::visualRect(layoutDirection(), rect, arrowRect),
                   sortIndicatorOrder() == Qt::DescendingOrder);
    }
    painter->restore();
}

void QuietHeader::paintEvent(QPaintEvent* event) {
    QPainter ground(viewport());
    ground.fillRect(viewport()->rect(), theme::cardGround(palette()));
    ground.fillRect(QRect(0, viewport()->height() - 1, viewport()->width(), 1),
                    theme::hairline(palette()));
    ground.end();
    QHeaderView::paintEvent(event);
}

} // namespace cairn::ui
