// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/quiet_views.h"

#include <QAbstractItemModel>

#include <functional>
#include <memory>

class QMenu;

namespace cairn::ui {

class RowCopier;

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

    /// A column that is as wide as its visible texts, but at least as it is now, where the names
    /// leave room; until the user drags its edge. Call fitTexts() when other rows are shown.
    void setTextColumn(int column);
    void fitTexts();

    /// A click on a header asks for an order, ascending, descending, and then natural again; the
    /// page arranges the rows. The header shows an arrow.
    void setSortable(bool sortable);

    /// Makes a model with the rows that are shown at the time of the call; the maker is called in a
    /// worker, which uses the model alone. With it, any number of rows can be copied.
    using ModelMaker = std::function<std::unique_ptr<QAbstractItemModel>()>;
    void setCopySource(std::function<ModelMaker()> source);

    /// Titles and selected rows (or the current one) of the visible columns, as tab-separated text
    /// and as an HTML table, onto the clipboard. False: there are none, or so many that a bar in
    /// the view reports when they are there.
    bool copyRows();
    /// Only their full names.
    bool copyNames();

    void selectAll() override;

Q_SIGNALS:
    /// A click on a header; column -1: natural order.
    void sortRequested(int column, Qt::SortOrder order);

protected:
    void resizeEvent(QResizeEvent* event) override;
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    void fitNames();

    int m_nameColumn = -1; ///< none
    int m_textColumn = -1; ///< none
    int m_leastText = 0;   ///< px
    bool m_fits = false;   ///< fitTexts() works
    bool m_describesSorting = false;
    RowCopier* m_copier;
};

} // namespace cairn::ui
