// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// A table whose rows are shown in another order than they are stored; row_sort.h makes orders.
/// GUI thread, or one worker that owns it.
class OrderedTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Stored rows, in the order in which they are shown; selected rows stay selected. Empty:
    /// natural order. Ignored if it is not of this number of rows.
    void setOrder(std::vector<std::uint32_t> order);
    const std::vector<std::uint32_t>& order() const { return m_order; }

    std::size_t storedRow(int row) const;
    /// -1: none.
    int rowOfStored(std::size_t stored) const;

protected:
    void forgetOrder(); ///< within a reset

private:
    std::vector<std::uint32_t> m_order;
    std::vector<std::uint32_t> m_rowOf; ///< the inverse
};

} // namespace cairn::ui
