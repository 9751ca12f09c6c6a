// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_arrangement.h"

#include <QAbstractItemModel>

#include <optional>

namespace cairn::ui {

/// Shows one TensorArrangement at a time, as a module tree or as a flat list. Filtering and sorting
/// happen in a worker that makes the next arrangement; show() publishes it with one reset. GUI
/// thread only; never touches a file. Rows of tensors set Qt::ItemNeverHasChildren: without it
/// QTreeView::expandAll keeps a persistent index for each.
class TensorModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    /// Null: empty.
    void show(TensorArrangementPtr arrangement);
    const TensorArrangementPtr& arrangement() const { return m_arrangement; }

    /// Null for an invalid index; lives as long as the arrangement.
    const TensorArrangement::Node* nodeAt(const QModelIndex& index) const;
    std::optional<TensorIndex> tensorAt(const QModelIndex& index) const;
    QModelIndex indexOf(TensorIndex tensor, TensorColumn column = TensorColumn::Name) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    static constexpr std::size_t kMostDragged = 20; ///< tensors, a file each
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Node = TensorArrangement::Node;

    QModelIndex indexOfNode(std::uint32_t node, int column) const;
    QString modulePrefix(const Node& node) const;
    QString displayText(const Node& node, TensorColumn column) const;
    QString shardsText(const Node& node) const;
    QString toolTip(const Node& node, TensorColumn column) const;
    QString accessibleText(const Node& node) const;

    TensorArrangementPtr m_arrangement;
};

} // namespace cairn::ui
