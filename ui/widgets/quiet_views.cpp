// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/quiet_views.h"

#include <QPainter>

namespace cairn::ui {
namespace {

constexpr int kFocusWidth = 3; ///< px

} // namespace

void QuietTreeView::drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    QuietView<QTreeView>::drawRow(painter, option, index);
    const QModelIndex current = currentIndex();
    if (hasFocus() && index.row() == current.row() && index.parent() == current.parent()) {
        const int x = isRightToLeft() ? viewport()->width() - kFocusWidth : 0;
        painter->fillRect(QRect(x, option.rect.top(), kFocusWidth, option.rect.height()),
                          theme::accent(palette()));
    }
}

} // namespace cairn::ui
