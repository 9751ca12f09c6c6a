// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/bridge/async_runner.h"
#include "ui/models/row_sort.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::ui {

/// The different settings of two runs, as a tree of their dotted keys: value in A, value in B; a
/// dash if only the other run has it. A branch with one setting is one row with the full key. Plain
/// values; GUI thread only.
class SettingsTree : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit SettingsTree(QObject* parent = nullptr);

    void show(const SettingsComparison& settings);
    /// Sorts the rows of every level, on a worker; what is expanded or selected stays so.
    void setSort(const RowSort& sort);
    bool isSorting() const { return m_sorter.isRunning(); }
    /// The full dotted key of a setting; of a branch with ".*" after it.
    std::string key(const QModelIndex& index) const;
    /// Number of rows of all levels; for the height of a view that shows everything.
    int rows() const { return static_cast<int>(m_nodes.size()) - 1; }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::string key;
        QString left;
        QString right;
    };
    struct Node {
        std::string prefix; ///< of a branch: its dotted key
        QString name;
        std::size_t parent = 0;
        std::vector<std::size_t> children;
        std::size_t row = 0; ///< into m_rows, of a leaf
        bool leaf = false;
    };
    void build();
    /// The children of every node.
    using Levels = std::vector<std::vector<std::size_t>>;
    void sort();
    QVariant sortValue(std::size_t node) const;
    void arrange(const Levels& levels);
    std::size_t at(const QModelIndex& index) const;

    RowSort m_sort;
    AsyncRunner m_sorter;
    std::vector<Row> m_rows;
    std::vector<Node> m_nodes; ///< the first one is the root
};

} // namespace cairn::ui
