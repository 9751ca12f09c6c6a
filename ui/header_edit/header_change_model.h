// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/header_edit/header_draft.h"

#include <QAbstractTableModel>

namespace cairn::ui {

/// The changes of a planned edit, before and after: names first, then metadata. Refers to the plan;
/// rows that are not visible cost nothing.
class HeaderChangeModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Before, After, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void show(HeaderEditPlanPtr plan); ///< null: nothing

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(int row, int column) const;

    HeaderEditPlanPtr m_plan;
};

} // namespace cairn::ui
