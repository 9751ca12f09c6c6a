// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/cell_table.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <numeric>

namespace cairn::ui {

void CellTable::setColumns(std::vector<Column> columns) {
    beginResetModel();
    m_columns = std::move(columns);
    m_rows.clear();
    m_shown.clear();
    m_column = -1;
    endResetModel();
}

void CellTable::setRows(std::vector<Row> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

void CellTable::arrange() {
    m_shown.resize(m_rows.size());
    std::iota(m_shown.begin(), m_shown.end(), std::size_t{0});
    if (m_column < 0 || m_column >= columnCount()) {
        return;
    }
    const auto at = static_cast<std::size_t>(m_column);
    const bool isNumber = m_columns[at].isNumber;
    const auto less = [&](std::size_t a, std::size_t b) {
        const Cell& left = m_rows[a].cells[at];
        const Cell& right = m_rows[b].cells[at];
        return isNumber ? left.order < right.order
                        : QString::localeAwareCompare(left.text, right.text) < 0;
    };
    std::ranges::stable_sort(m_shown, [&](std::size_t a, std::size_t b) {
        return m_order == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

void CellTable::sort(int column, Qt::SortOrder order) {
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint64_t> keys;
    for (const QModelIndex& index : before) {
        keys.push_back(keyAt(index));
    }
    m_column = column;
    m_order = order;
    arrange();
    for (qsizetype i = 0; i < before.size(); ++i) {
        const QModelIndex now = find(keys[static_cast<std::size_t>(i)]);
        changePersistentIndex(before[i], now.siblingAtColumn(before[i].column()));
    }
    Q_EMIT layoutChanged();
}

std::uint64_t CellTable::keyAt(const QModelIndex& index) const {
    return m_rows[m_shown[static_cast<std::size_t>(index.row())]].key;
}

QModelIndex CellTable::find(std::uint64_t key) const {
    for (std::size_t row = 0; row < m_shown.size(); ++row) {
        if (m_rows[m_shown[row]].key == key) {
            return index(static_cast<int>(row), 0);
        }
    }
    return {};
}

int CellTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int CellTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

Qt::ItemFlags CellTable::flags(const QModelIndex& index) const {
    return QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
}

QVariant CellTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const auto column = static_cast<std::size_t>(index.column());
    const Row& row = m_rows[m_shown[static_cast<std::size_t>(index.row())]];
    const Cell& cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return text::toolTip(cell.tip.isEmpty() ? cell.text : cell.tip);
    case Qt::TextAlignmentRole:
        return static_cast<int>((m_columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case RowRoles::Dim:
        return cell.dim;
    case RowRoles::Warning:
        return cell.warning;
    case RowRoles::Sentence:
        return m_columns[column].isSentence;
    case RowRoles::CopyText:
        return cell.plain.isEmpty() ? cell.text : cell.plain;
    case RowRoles::FullName:
        return cell.tip.isEmpty() ? cell.text : cell.tip;
    default:
        return {};
    }
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    }
    return role == Qt::DisplayRole ? QVariant(column.head) : QVariant();
}

} // namespace cairn::ui
