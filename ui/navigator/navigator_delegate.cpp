// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/navigator_delegate.h"

#include "ui/navigator/navigator_model.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/mark_box.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMarkInset = 2; ///< px before the box of a run

/// Without the start that all its siblings have.
QString shortName(const QModelIndex& index) {
    const QString name = index.data().toString();
    const int shared = index.data(NavigatorModel::SharedStartRole).toInt();
    return shared > 0 ? QStringLiteral("…") + name.mid(shared) : name;
}

} // namespace

void NavigatorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const QPalette& palette = option.palette;
    const QFontMetrics metrics(option.font);
    const auto kind =
        static_cast<NavigatorModel::Kind>(index.data(NavigatorModel::KindRole).toInt());
    QRect row = option.rect.adjusted(2, 0, -theme::kGrid, 0);
    painter->save();
    if ((option.state & QStyle::State_Selected) != 0) {
        painter->fillRect(option.rect, palette.color(QPalette::Highlight));
    }
    painter->setFont(option.font);
    painter->setLayoutDirection(option.direction);
    const auto placed = [&option](const QRect& rect) {
        return QStyle::visualRect(option.direction, option.rect, rect);
    };
    const auto draw = [&](Qt::Alignment side, const QString& text) {
        painter->drawText(placed(row),
                          text::textFlags(option.direction, side | Qt::AlignVCenter, text) |
                              Qt::TextSingleLine,
                          text);
    };

    if (const QVariant mark = index.data(NavigatorModel::RunMarkRole); mark.isValid()) {
        paintMarkBox(*painter, markRect(option), mark.toInt(), palette, option.font);
        row.setLeft(option.rect.left() + kMarkInset + kMarkBoxSize - 1 + theme::kGrid);
    }

    const auto* model = qobject_cast<const NavigatorModel*>(index.model());
    const std::vector<Badge> badges =
        model != nullptr ? model->badges(index) : std::vector<Badge>();
    const int nameWidth = metrics.horizontalAdvance(index.data().toString());
    const QString size = index.data(NavigatorModel::SizeTextRole).toString();
    const int besideSize = row.width() - metrics.horizontalAdvance(size) - theme::kGrid;
    // Name and state in words are more important than the size, which the tooltip has, too.
    const int needed = badges.empty()
                           ? metrics.horizontalAdvance(shortName(index))
                           : nameWidth + theme::kGrid + badgeWidth(badges.front(), option.font);
    const bool helps = !badges.empty() || needed <= row.width();
    const bool showsSize = needed <= besideSize || !helps;
    if (showsSize) {
        painter->setPen(theme::color(theme::Tone::Dim, palette));
        draw(Qt::AlignRight, size);
        row.setWidth(besideSize);
    }

    const QString dim = index.data(NavigatorModel::DimTextRole).toString();
    const bool counted =
        kind == NavigatorModel::Kind::Run || kind == NavigatorModel::Kind::Experiment;
    // Short names are shown in full; long ones leave space for the first badge.
    const int badgeRoom =
        badges.empty()
            ? 0
            : std::min(badgeWidth(badges.front(), option.font),
                       std::max(row.width() - nameWidth - theme::kGrid - 2, row.width() / 3)) +
                  theme::kGrid;
    const int dimWidth =
        counted ? badgeWidth({dim, theme::Tone::Dim}, option.font) : metrics.horizontalAdvance(dim);
    const bool dimFits =
        !dim.isEmpty() && nameWidth + dimWidth + theme::kGrid <= row.width() - badgeRoom;
    const int dimRoom = dimFits ? dimWidth + theme::kGrid : 0;

    const QString name = text::elidedAmong(
        index.data().toString(), index.data(NavigatorModel::SharedStartRole).toInt(), metrics,
        std::max(40, row.width() - badgeRoom - dimRoom));
    painter->setPen(index.data(NavigatorModel::GreyRole).toBool()
                        ? theme::color(theme::Tone::Dim, palette)
                        : palette.color(QPalette::Text));
    draw(Qt::AlignLeft, name);
    row.setLeft(row.left() + metrics.horizontalAdvance(name) + theme::kGrid);

    if (dimFits) {
        if (counted) {
            row.setLeft(row.left() + paintBadge(*painter, placed(row), {dim, theme::Tone::Dim},
                                                option.font, palette));
        } else {
            painter->setPen(theme::color(theme::Tone::Dim, palette));
            draw(Qt::AlignLeft, dim);
        }
    }
    for (std::size_t i = 0; i < badges.size(); ++i) {
        if (i > 0 && badgeWidth(badges[i], option.font) > row.width()) {
            const QString more = QStringLiteral("+%1").arg(badges.size() - i); // see the tooltip
            if (metrics.horizontalAdvance(more) <= row.width()) {
                painter->setPen(theme::color(theme::Tone::Dim, palette));
                draw(Qt::AlignLeft, more);
            }
            break; // the most important ones come first
        }
        row.setLeft(row.left() +
                    paintBadge(*painter, placed(row), badges[i], option.font, palette) +
                    theme::kGrid / 2);
    }
    painter->restore();
}

QRect NavigatorDelegate::markRect(const QStyleOptionViewItem& option) {
    const QRect box(option.rect.left() + kMarkInset, option.rect.center().y() - kMarkBoxSize / 2,
                    kMarkBoxSize, kMarkBoxSize);
    return QStyle::visualRect(option.direction, option.rect, box);
}

bool NavigatorDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                    const QStyleOptionViewItem& option, const QModelIndex& index) {
    return editMark(event, model, index, markRect(option));
}

QSize NavigatorDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {120, std::max(24, QFontMetrics(option.font).height() + theme::kGrid)};
}

} // namespace cairn::ui
