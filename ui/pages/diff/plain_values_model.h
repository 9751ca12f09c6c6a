// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/ordered_table.h"
#include "ui/pages/diff/diff_document.h"

#include <functional>
#include <memory>

namespace cairn::ui {

/// Plain values that differ: key, A, B.
class PlainValuesModel : public OrderedTable {
    Q_OBJECT

public:
    using OrderedTable::OrderedTable;
    void show(DiffDocumentPtr document); ///< null: nothing. In natural order
    /// Make models with the same rows, for a worker: in the order shown, or in natural order.
    std::function<std::unique_ptr<QAbstractItemModel>()> maker() const;
    std::function<std::unique_ptr<QAbstractItemModel>()> storedMaker() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    DiffDocumentPtr m_document;
};

} // namespace cairn::ui
