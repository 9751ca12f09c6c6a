// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// A short table of texts that is sorted by any column, stable. Rows are identified by a number of
/// their owner. GUI thread only.
class CellTable : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Column {
        QString head;
        bool isNumber = false;   ///< at the trailing edge; the largest first when first sorted
        bool isSentence = false; ///< its beginning matters most
    };
    struct Cell {
        QString text;
        double order = 0; ///< of a number
        QString tip = {};
        bool dim = false;
        bool warning = false;
        QString plain = {}; ///< the text with numbers as programs read them; empty: the same
    };
    struct Row {
        std::uint64_t key = 0;
        std::vector<Cell> cells;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setColumns(std::vector<Column> columns);
    /// In the order of no sorting; a chosen order is applied again.
    void setRows(std::vector<Row> rows);
    std::uint64_t keyAt(const QModelIndex& index) const;
    QModelIndex find(std::uint64_t key) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_shown; ///< positions in m_rows
    int m_column = -1;                ///< -1: as given
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace cairn::ui
