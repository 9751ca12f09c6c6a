// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/row_delegate.h"

namespace cairn::ui {

/// A row of the Runs page: the box of its mark, cells as everywhere, its curve in small. A click on
/// the box, or Space, marks it.
class RunRowDelegate : public RowDelegate {
    Q_OBJECT

public:
    static constexpr int kOutlineWidth = 64; ///< px
    static constexpr int kBoxRoom = 21;      ///< px that the box takes before the name

    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    static QRect markRect(const QStyleOptionViewItem& option);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
};

} // namespace cairn::ui
