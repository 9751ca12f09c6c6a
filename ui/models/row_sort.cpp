// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_sort.h"

#include "ui/models/row_roles.h"
#include "ui/models/tensor_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cairn::ui {
namespace {

constexpr int kKeyStride = 1024; ///< rows between two looks at the token

SortKey keyOf(const QVariant& value) {
    return !value.isValid()                      ? SortKey()
           : value.typeId() == QMetaType::Double ? SortKey(value.toDouble())
                                                 : SortKey(value.toString());
}

} // namespace

SortKey::SortKey(double number)
    : m_kind(std::isnan(number) ? Kind::Empty : Kind::Number), m_number(number) {}

SortKey::SortKey(const QString& text)
    : m_kind(text.isEmpty() ? Kind::Empty : Kind::Text),
      m_text(naturalKey(text.toCaseFolded().toUtf8().toStdString())) {}

bool comesBefore(const SortKey& a, const SortKey& b, bool descending) {
    const bool anyEmpty = a.m_kind == SortKey::Kind::Empty || b.m_kind == SortKey::Kind::Empty;
    if (anyEmpty) {
        return a.m_kind < b.m_kind;
    }
    const SortKey& first = descending ? b : a;
    const SortKey& second = descending ? a : b;
    if (first.m_kind != second.m_kind) {
        return first.m_kind < second.m_kind;
    }
    return first.m_kind == SortKey::Kind::Number ? first.m_number < second.m_number
                                                 : first.m_text < second.m_text;
}

Result<std::vector<std::uint32_t>> sortedRows(const std::vector<SortKey>& keys, bool descending,
                                              const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    std::vector<std::uint32_t> rows(keys.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        return comesBefore(keys[a], keys[b], descending);
    });
    CAIRN_CHECK(cancel.check());
    return rows;
}

Result<std::vector<std::uint32_t>> sortedRows(const std::vector<QVariant>& values, bool descending,
                                              const CancelToken& cancel) {
    std::vector<SortKey> keys;
    keys.reserve(values.size());
    for (const QVariant& value : values) {
        if (keys.size() % kKeyStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        keys.push_back(keyOf(value));
    }
    return sortedRows(keys, descending, cancel);
}

Result<std::vector<std::uint32_t>> sortedRows(const QAbstractItemModel& model, const RowSort& sort,
                                              const CancelToken& cancel,
                                              const QModelIndex& parent) {
    std::vector<SortKey> keys;
    const int rows = model.rowCount(parent);
    keys.reserve(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        if (row % kKeyStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        keys.push_back(keyOf(model.index(row, sort.column, parent).data(RowRoles::SortValue)));
    }
    return sortedRows(keys, sort.descending, cancel);
}

} // namespace cairn::ui
