// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/diff_document.h"

#include <QAbstractTableModel>

namespace cairn::ui {

/// Plain values that differ: key, A, B.
class PlainValuesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void show(DiffDocumentPtr document); ///< null: nothing

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    DiffDocumentPtr m_document;
};

} // namespace cairn::ui
