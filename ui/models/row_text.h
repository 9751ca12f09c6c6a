// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <QItemSelection>
#include <QString>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// Selected rows, as ranges of row numbers: of any size, and valid for every model with the same
/// rows.
class RowRanges {
public:
    struct Range {
        std::vector<int> parent; ///< row numbers from the top level down
        int first = 0;
        int last = 0;
    };

    RowRanges() = default;
    explicit RowRanges(const QItemSelection& selection);
    explicit RowRanges(const QModelIndex& row);

    /// In the order in which a tree shows them, a row before those below it.
    const std::vector<Range>& ranges() const { return m_ranges; }
    std::uint64_t count() const { return m_count; }

private:
    void arrange();

    std::vector<Range> m_ranges;
    std::uint64_t m_count = 0;
};

/// Rows as text: a line of tab-separated cells each, below a line of column titles. A single row
/// has no titles. The first column gives the full name (RowRoles::FullName) where a row has one,
/// because copied text has no context. Numbers are written as programs read them
/// (text::ProgramNumbers), whatever the user's language is.
struct RowTextRequest {
    RowRanges rows;
    std::vector<int> columns;                         ///< in order
    bool namesOnly = false;                           ///< only full names, without titles
    std::shared_ptr<std::atomic<std::uint64_t>> done; ///< counts rows; may be null
};

struct RowText {
    QString plain;
    QString html; ///< a table; empty for more than kMaxHtmlRows rows
    static constexpr std::uint64_t kMaxHtmlRows = 2000;
};

/// `model` is used on this thread only. Fails: Cancelled, OutOfMemory.
Result<RowText> rowsAsText(const QAbstractItemModel& model, const RowTextRequest& request,
                           const CancelToken& cancel = {});

/// Writes the same text as UTF-8 into a file, which appears when it is complete. Returns its size.
/// Fails also as writing does.
Result<std::uint64_t> saveRows(const QAbstractItemModel& model, const RowTextRequest& request,
                               const QString& path, const CancelToken& cancel = {});

/// The approximate number of bytes of that text, from a few of the rows.
std::uint64_t estimateRows(const QAbstractItemModel& model, const RowTextRequest& request);

} // namespace cairn::ui
