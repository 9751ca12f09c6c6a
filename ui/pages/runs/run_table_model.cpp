// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_table_model.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kFewRows = 4; ///< with another mark

} // namespace

RunTableModel::RunTableModel(QObject* parent)
    : QAbstractTableModel(parent), m_rows(std::make_shared<const RunRows>()) {}

void RunTableModel::show(RunRowsPtr rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void RunTableModel::setMarks(const RunMarks& marks) {
    const std::vector<std::filesystem::path> changed = m_marks.differing(marks);
    m_marks = marks;
    if (changed.size() > kFewRows && rowCount() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    for (const std::filesystem::path& run : changed) { // views paint those cells alone
        const QModelIndex row = findRun(run);
        for (int column = 0; row.isValid() && column < columnCount(); ++column) {
            if (column == 0 || m_rows->columns[static_cast<std::size_t>(column)].curve) {
                const QModelIndex cell = row.siblingAtColumn(column);
                Q_EMIT dataChanged(cell, cell);
            }
        }
    }
}

const RunRows::Row& RunTableModel::row(const QModelIndex& index) const {
    return m_rows->rows[static_cast<std::size_t>(index.row())];
}

QModelIndex RunTableModel::find(const QString& key) const {
    const auto at = std::ranges::find(m_rows->rows, key, &RunRows::Row::key);
    return at != m_rows->rows.end() ? index(static_cast<int>(at - m_rows->rows.begin()), 0)
                                    : QModelIndex();
}

QModelIndex RunTableModel::findRun(const std::filesystem::path& run) const {
    const auto at = std::ranges::find_if(m_rows->rows, [&](const RunRows::Row& row) {
        return std::ranges::find(row.paths, run) != row.paths.end();
    });
    return at != m_rows->rows.end() ? index(static_cast<int>(at - m_rows->rows.begin()), 0)
                                    : QModelIndex();
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows->rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows->columns.size());
}

Qt::CheckState RunTableModel::markState(const RunRows::Row& row) const {
    const auto marked = std::ranges::count_if(
        row.paths, [this](const std::filesystem::path& path) { return m_marks.contains(path); });
    return marked == 0                                            ? Qt::Unchecked
           : static_cast<std::size_t>(marked) == row.paths.size() ? Qt::Checked
                                                                  : Qt::PartiallyChecked;
}

int RunTableModel::slotOf(const RunRows::Row& row) const {
    int slot = -1;
    for (const std::filesystem::path& path : row.paths) {
        slot = slot < 0 ? m_marks.slotOf(path) : slot;
    }
    return slot;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const RunRows::Row& at = row(index);
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::CheckStateRole:
        return column == 0 ? QVariant(markState(at)) : QVariant();
    case SlotRole:
        return slotOf(at);
    case OutlineRole:
        return m_rows->columns[column].curve;
    case Qt::TextAlignmentRole:
        return static_cast<int>((m_rows->columns[column].right ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return spoken(at, column);
    default:
        return cellData(at, at.cells[column], role);
    }
}

QVariant RunTableModel::cellData(const RunRows::Row& row, const RunRows::Cell& cell,
                                 int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.tip.isEmpty() && cell.text.isEmpty()
                   ? QVariant()
                   : text::toolTip(cell.tip.isEmpty() ? cell.text : cell.tip);
    case GoodRole:
        return cell.good;
    case RowRoles::Dim:
        return cell.dim;
    case RowRoles::FullName:
        return row.name;
    case RowRoles::CopyText:
        return cell.plain.isEmpty() ? cell.text : cell.plain;
    default:
        return {};
    }
}

QString RunTableModel::spoken(const RunRows::Row& row, std::size_t column) const {
    const RunRows::Column& of = m_rows->columns[column];
    if (column > 0) {
        return of.curve ? of.title : of.title + QLatin1Char(' ') + row.cells[column].text;
    }
    const Qt::CheckState state = markState(row);
    return state == Qt::Unchecked ? row.name
           : state == Qt::Checked ? tr("%1, marked").arg(row.name)
                                  : tr("%1, partly marked").arg(row.name);
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != 0 || role != Qt::CheckStateRole) {
        return false;
    }
    Q_EMIT markEdited(row(index).paths, value.toInt() == Qt::Checked);
    return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const auto at = static_cast<std::size_t>(section);
    if (orientation != Qt::Horizontal || at >= m_rows->columns.size()) {
        return {};
    }
    const RunRows::Column& column = m_rows->columns[at];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return text::toolTip(column.tip.isEmpty() ? column.title : column.tip);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return {};
    }
    const Qt::ItemFlags flags =
        QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren; // see expandAll() of Qt 6.4
    return index.column() == 0 ? flags | Qt::ItemIsUserCheckable : flags;
}

} // namespace cairn::ui
