// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <QAbstractItemModel>
#include <QString>
#include <QVariant>

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::ui {

/// The order that a click on a header asks for; RowView::sortRequested().
struct RowSort {
    int column = -1; ///< -1: natural order
    bool descending = false;
    friend bool operator==(const RowSort&, const RowSort&) = default;
};

/// What a cell is sorted by. Numbers come before texts; texts in natural order ("layer 2" before
/// "layer 10"), whatever their case; cells without either, and NaN, last in both directions.
class SortKey {
public:
    SortKey() = default; ///< an empty cell
    SortKey(double number);
    SortKey(const QString& text);

    friend bool comesBefore(const SortKey& a, const SortKey& b, bool descending);

private:
    enum class Kind : std::uint8_t { Number, Text, Empty };
    Kind m_kind = Kind::Empty;
    double m_number = 0;
    std::string m_text;
};

/// The positions of the cells in sorted order; equal ones keep their order. In a worker where the
/// number of rows has no small limit. Fails: Cancelled.
Result<std::vector<std::uint32_t>> sortedRows(const std::vector<SortKey>& keys, bool descending,
                                              const CancelToken& cancel = {});

/// The same by RowRoles::SortValue of each cell, as taken from a model on its own thread.
Result<std::vector<std::uint32_t>> sortedRows(const std::vector<QVariant>& values, bool descending,
                                              const CancelToken& cancel = {});

/// The same for the rows below `parent`, by RowRoles::SortValue of a column. `model` is used on
/// this thread only.
Result<std::vector<std::uint32_t>> sortedRows(const QAbstractItemModel& model, const RowSort& sort,
                                              const CancelToken& cancel = {},
                                              const QModelIndex& parent = {});

} // namespace cairn::ui
