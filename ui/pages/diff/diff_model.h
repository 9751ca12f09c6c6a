// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/diff_rows.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::ui {

/// Two checkpoints side by side as one module tree. Rows of tensors set Qt::ItemNeverHasChildren,
/// as those of TensorModel do.
class DiffModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column : int { Name, Left, Right, Relative, MaxAbs, Changed, kColumns }; ///< DiffColumn

    using QAbstractItemModel::QAbstractItemModel;

    void show(DiffRowsPtr rows); ///< null: nothing
    const DiffRowsPtr& rows() const { return m_rows; }
    const DiffNode* nodeAt(const QModelIndex& index) const;
    std::uint32_t numberOf(const QModelIndex& index) const { return nodeOf(index); } ///< 0: none
    QModelIndex indexOf(std::uint32_t node) const; ///< invalid for the root
    /// The next (or previous) listed tensor that differs, in the order of the rows.
    QModelIndex nextDifference(const QModelIndex& from, bool forward) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::uint32_t nodeOf(const QModelIndex& index) const;
    QString cell(const DiffNode& node, int column) const;
    QString tensorCell(const TensorPair& pair, const PairDiff* values, int column) const;
    QString fullName(std::uint32_t node) const;

    DiffRowsPtr m_rows;
};

/// "0.31", "all new" where only the left side is zero.
QString relativeText(double relative);

} // namespace cairn::ui
