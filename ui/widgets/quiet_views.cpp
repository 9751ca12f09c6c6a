// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/quiet_views.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>

namespace cairn::ui {
namespace {

constexpr int kFocusWidth = 3; ///< px
constexpr int kManyRows = 100; ///< more than a view shows

} // namespace

void QuietTreeView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                                const QList<int>& roles) {
    const QModelIndex parent = topLeft.parent();
    if (parent.isValid() && parent != rootIndex() && !isExpanded(parent)) {
        return;
    }
    const bool isMany = bottomRight.row() - topLeft.row() >= kManyRows;
    if (isMany && uniformRowHeights() && state() != EditingState && !QAccessible::isActive()) {
        viewport()->update();
        return;
    }
    QuietView<QTreeView>::dataChanged(topLeft, bottomRight, roles);
}

void QuietTreeView::keyPressEvent(QKeyEvent* event) {
    const bool isEdge = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
    if (!isEdge || event->modifiers() != Qt::ControlModifier) {
        QuietView<QTreeView>::keyPressEvent(event);
        return;
    }
    QKeyEvent plain(event->type(), event->key(), Qt::NoModifier); // else only the focus would move
    QuietView<QTreeView>::keyPressEvent(&plain);
    event->setAccepted(plain.isAccepted());
}

void QuietTreeView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    if (hasFocus() || !QAccessible::isActive()) {
        QuietView<QTreeView>::currentChanged(current, previous);
        return;
    }
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): that of QTreeView sends the event
    QAbstractItemView::currentChanged(current, previous);
    viewport()->update();
}

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
