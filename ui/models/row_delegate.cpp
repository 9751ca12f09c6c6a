// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_delegate.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <QTreeView>
#include <QtMath>

#include <algorithm>

namespace cairn::ui {

namespace {

theme::Tone toneOf(const QModelIndex& index) {
    if (index.data(RowRoles::Warning).toBool()) {
        return theme::Tone::Broken;
    }
    return index.data(RowRoles::Dim).toBool() ? theme::Tone::Dim : theme::Tone::Plain;
}

/// A text of which `prefix` characters are dim. One layout, so that names of mixed direction keep
/// their order; the prefix is shortened before the rest.
void paintPrefixed(QPainter* painter, const QRect& room, const QString& label, int prefix,
                   const QStyleOptionViewItem& option, const QFont& font) {
    const QFontMetrics metrics(font);
    QString dim = label.left(prefix);
    QString rest = label.mid(prefix);
    const int restWidth = metrics.horizontalAdvance(rest);
    if (metrics.horizontalAdvance(label) > room.width()) {
        dim = metrics.elidedText(dim, Qt::ElideMiddle, std::max(0, room.width() - restWidth));
        rest = metrics.elidedText(rest, Qt::ElideMiddle, room.width());
    }
    QTextLayout layout(dim + rest, font);
    QTextCharFormat secondary;
    secondary.setForeground(theme::color(theme::Tone::Dim, option.palette));
    layout.setFormats({{0, static_cast<int>(dim.size()), secondary}});
    QTextOption direction;
    direction.setTextDirection(Qt::LeftToRight); // of a path's parts, in any language
    direction.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(direction);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    const int width = std::min(room.width(), qCeil(line.naturalTextWidth()));
    const QRect place = QStyle::alignedRect(
        option.direction, Qt::AlignLeft | Qt::AlignVCenter, QSize(width, qCeil(line.height())),
        QStyle::visualRect(option.direction, option.rect, room));
    painter->setClipRect(option.rect);
    layout.draw(painter, place.topLeft());
}

} // namespace

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    const QString label = index.data().toString();
    QFont font(option.font);
    font.setWeight(index.data(RowRoles::Match).toBool() ? QFont::DemiBold : font.weight());
    const QFontMetrics metrics(font);
    const auto* tree = qobject_cast<const QTreeView*>(option.widget);
    const bool nextToArrow = index.column() == 0 && tree != nullptr && tree->rootIsDecorated();
    const int before = nextToArrow ? 2 : kPadding;
    const QRect room = option.rect.adjusted(before, 0, -kPadding, 0);
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    const Qt::Alignment aligned = alignment.isValid()
                                      ? static_cast<Qt::Alignment>(alignment.toInt())
                                      : Qt::AlignLeft | Qt::AlignVCenter;
    painter->save();
    painter->setFont(font);
    painter->setPen(theme::color(toneOf(index), option.palette));
    if (const QVariant prefix = index.data(RowRoles::DimPrefix); prefix.toInt() > 0) {
        paintPrefixed(painter, room, label, prefix.toInt(), option, font);
        painter->restore();
        return;
    }
    const bool endsShort =
        index.data(RowRoles::Sentence).toBool() && metrics.horizontalAdvance(label) > room.width();
    const QString shown = endsShort ? metrics.elidedText(label, Qt::ElideRight, room.width())
                                    : text::elided(label, metrics, room.width());
    const auto draw = [&](const QRect& rect, const QString& text) {
        painter->drawText(QStyle::visualRect(option.direction, option.rect, rect),
                          text::textFlags(option.direction, aligned, text) | Qt::TextSingleLine,
                          text);
    };
    draw(room, shown);
    const QVariant count = index.column() == 0 ? index.data(RowRoles::Count) : QVariant();
    const QRect trailing = room.adjusted(metrics.horizontalAdvance(shown) + kPadding, 0, 0, 0);
    const QString number = count.isValid() ? text::count(count.toULongLong()) : QString();
    if (count.isValid() && trailing.width() >= metrics.horizontalAdvance(number)) {
        painter->setPen(theme::color(theme::Tone::Dim, option.palette));
        draw(trailing, number);
    }
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int height = std::max(24, option.fontMetrics.height() + theme::kGrid);
    return {QStyledItemDelegate::sizeHint(option, index).width() + 2 * kPadding, height};
}

} // namespace cairn::ui
