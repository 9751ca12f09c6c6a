// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTreeView>

namespace cairn::ui {

/// Views whose selection is a light tint of the accent with ordinary text, so that badges, dim text
/// and figures keep their colours on a selected row. The rest is the platform's style.
template <class View> class QuietView : public View {
public:
    using View::View;

protected:
    void initViewItemOption(QStyleOptionViewItem* option) const override {
        View::initViewItemOption(option);
        theme::quietSelection(option->palette);
    }
};

/// Also marks the current row while the view has the focus: a bar in the accent at its beginning.
class QuietTreeView : public QuietView<QTreeView> {
    Q_OBJECT

public:
    using QuietView<QTreeView>::QuietView;

    /// Rows below a collapsed one are not searched, and for many rows at once the view repaints:
    /// the base class visits every row of the range, and all that are shown for each that is not.
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles = {}) override;

protected:
    /// Ctrl+Home and Ctrl+End select the first and the last row, as Home and End do.
    void keyPressEvent(QKeyEvent* event) override;
    /// Readers are told of the current row only while the view has the focus: they would leave what
    /// has it for a row that the program chose.
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
};

using QuietTableView = QuietView<QTableView>;

} // namespace cairn::ui
