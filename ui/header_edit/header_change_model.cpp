// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/header_change_model.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {

void HeaderChangeModel::show(HeaderEditPlanPtr plan) {
    beginResetModel();
    m_plan = std::move(plan);
    endResetModel();
}

int HeaderChangeModel::rowCount(const QModelIndex& parent) const {
    if (!m_plan || parent.isValid()) {
        return 0;
    }
    return static_cast<int>(m_plan->edited.renamed.size() + m_plan->edited.metadata.size());
}

int HeaderChangeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString HeaderChangeModel::cell(int row, int column) const {
    const auto place = static_cast<std::size_t>(row);
    const std::vector<RenamedTensor>& renamed = m_plan->edited.renamed;
    if (place < renamed.size()) {
        return column == What     ? tr("name")
               : column == Before ? lineOf(renamed[place].from)
                                  : lineOf(renamed[place].to);
    }
    const MetadataChange& change = m_plan->edited.metadata.at(place - renamed.size());
    if (column == What) {
        return tr("metadata");
    }
    const std::optional<std::string>& text = column == Before ? change.before : change.after;
    if (!text) {
        return column == Before ? tr("none") : tr("removed");
    }
    return lineOf(change.key + ": " + *text);
}

QVariant HeaderChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_plan) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return cell(index.row(), index.column());
    case Qt::ToolTipRole:
        return text::toolTip(cell(index.row(), index.column()));
    case RowRoles::Dim:
        return index.column() != After;
    default:
        return {};
    }
}

Qt::ItemFlags HeaderChangeModel::flags(const QModelIndex& index) const {
    return index.isValid() ? QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

QVariant HeaderChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == What ? tr("Entry") : section == Before ? tr("Before") : tr("After");
}

} // namespace cairn::ui
