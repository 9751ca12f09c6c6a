// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/metadata_edit_model.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {

bool MetadataEditModel::changed(const Row& row) {
    return row.before != row.value;
}

void MetadataEditModel::load(const Entries& entries) {
    beginResetModel();
    m_rows.clear();
    for (const auto& [key, value] : entries) {
        m_rows.push_back({key, value, value});
    }
    endResetModel();
}

int MetadataEditModel::add() {
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_rows.push_back({});
    endInsertRows();
    return row;
}

void MetadataEditModel::toggleRemoved(int row) {
    Row& entry = m_rows.at(static_cast<std::size_t>(row));
    if (entry.before) {
        entry.removed = !entry.removed;
        Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
    } else {
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    Q_EMIT edited();
}

bool MetadataEditModel::isRemoved(int row) const {
    return m_rows.at(static_cast<std::size_t>(row)).removed;
}

MetadataEditModel::Entries MetadataEditModel::set() const {
    Entries entries;
    for (const Row& row : m_rows) {
        if (!row.removed && !row.key.empty() && changed(row)) {
            entries.emplace_back(row.key, row.value);
        }
    }
    return entries;
}

std::vector<std::string> MetadataEditModel::unset() const {
    std::vector<std::string> keys;
    for (const Row& row : m_rows) {
        if (row.removed) {
            keys.push_back(row.key);
        }
    }
    return keys;
}

int MetadataEditModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MetadataEditModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant MetadataEditModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const std::string& text = index.column() == Key ? row.key : row.value;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Value && row.removed) {
            return tr("removed");
        }
        return index.column() == Key && text.empty() ? tr("new key") : lineOf(text);
    case Qt::EditRole:
        return QString::fromStdString(text); // unchanged: it is written back
    case Qt::ToolTipRole:
        return text::toolTip(lineOf(text));
    case RowRoles::Dim:
        return row.removed || (index.column() == Key && text.empty());
    case RowRoles::Match:
        return !row.removed && changed(row) && !row.key.empty();
    default:
        return {};
    }
}

bool MetadataEditModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const QString typed = value.toString();
    std::string& text = index.column() == Key ? row.key : row.value;
    if (typed == QString::fromStdString(text)) {
        return true;
    }
    const bool asBefore =
        index.column() == Value && row.before && typed == QString::fromStdString(*row.before);
    text = asBefore ? *row.before : typed.toStdString();
    Q_EMIT dataChanged(index.siblingAtColumn(0), index.siblingAtColumn(kColumns - 1));
    Q_EMIT edited();
    return true;
}

Qt::ItemFlags MetadataEditModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const bool editable = !row.removed && (index.column() == Value || !row.before);
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren |
           (editable ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

QVariant MetadataEditModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == Key ? tr("Key") : tr("Value");
}

} // namespace cairn::ui
