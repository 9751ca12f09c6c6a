// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ordered_table.h"

#include <utility>

namespace cairn::ui {

void OrderedTable::setOrder(std::vector<std::uint32_t> order) {
    const bool fits = order.empty() || order.size() == static_cast<std::size_t>(rowCount());
    if (!fits || order == m_order) {
        return;
    }
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> stored;
    for (const QModelIndex& index : before) {
        stored.push_back(storedRow(index.row()));
    }
    m_order = std::move(order);
    m_rowOf.assign(m_order.size(), 0);
    for (std::size_t row = 0; row < m_order.size(); ++row) {
        m_rowOf[m_order[row]] = static_cast<std::uint32_t>(row);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(rowOfStored(stored[static_cast<std::size_t>(i)]), before[i].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

std::size_t OrderedTable::storedRow(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return m_order.empty() ? at : m_order[at];
}

int OrderedTable::rowOfStored(std::size_t stored) const {
    if (stored >= static_cast<std::size_t>(rowCount())) {
        return -1;
    }
    return static_cast<int>(m_order.empty() ? stored : m_rowOf[stored]);
}

void OrderedTable::forgetOrder() {
    m_order.clear();
    m_rowOf.clear();
}

} // namespace cairn::ui
