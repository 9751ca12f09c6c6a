// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/quiet_views.h"

class QMenu;

namespace cairn::ui {

/// The tree view of tensors and of values: rows of one height, no frame, quiet headers, full rows
/// selected.
class RowView : public QuietTreeView {
    Q_OBJECT

public:
    explicit RowView(QWidget* parent = nullptr);

    /// Items that show and hide the columns, but for the first one.
    void fillColumnMenu(QMenu& menu);

    /// The column that takes the remaining width, but at least that of a name; if there is less,
    /// the view scrolls horizontally.
    void setNameColumn(int column);

    /// Header and selected rows (or the current one) of the visible columns, as tab separated text
    /// and as an HTML table.
    /// False: no rows.
    bool copyRows() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitNames();

    int m_nameColumn = -1; ///< none
};

} // namespace cairn::ui
