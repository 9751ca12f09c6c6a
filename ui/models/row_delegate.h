// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace cairn::ui {

/// Paints rows by RowRoles: secondary text dim, missing items marked, a dim count after the name of
/// a group, long text elided in the middle. All rows have the same height.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kPadding = 8; ///< px beside the text of a cell; also used by headers

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace cairn::ui
