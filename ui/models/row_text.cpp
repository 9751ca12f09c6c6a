// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_text.h"

#include "ui/models/row_roles.h"
#include "ui/text/program_numbers.h"

#include <QSaveFile>
#include <QStringList>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace cairn::ui {
namespace {

constexpr std::uint64_t kRowStride = 256;              ///< rows between two looks at the token
constexpr std::uint64_t kSamples = 64;                 ///< rows that an estimate reads
constexpr qsizetype kWriteBytes = qsizetype{1} << 20U; ///< of a file at a time

std::vector<int> pathOf(QModelIndex index) {
    std::vector<int> path;
    for (; index.isValid(); index = index.parent()) {
        path.push_back(index.row());
    }
    std::ranges::reverse(path);
    return path;
}

QModelIndex indexOf(const QAbstractItemModel& model, std::span<const int> path) {
    QModelIndex index;
    for (const int row : path) {
        index = model.index(row, 0, index);
    }
    return index;
}

QString cellText(const QModelIndex& index) {
    const QVariant full = index.column() == 0 ? index.data(RowRoles::FullName) : QVariant();
    const QVariant kept = full.isValid() ? full : index.data(RowRoles::CopyText);
    QString text = kept.isValid() ? kept.toString() : index.data().toString();
    return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
        .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QStringList cellsOf(const QAbstractItemModel& model, const RowTextRequest& request, int row,
                    const QModelIndex& parent) {
    QStringList cells;
    if (request.namesOnly) {
        const QModelIndex first = model.index(row, 0, parent);
        const QVariant full = first.data(RowRoles::FullName);
        cells << (full.isValid() ? full.toString() : first.data().toString());
        return cells;
    }
    for (const int column : request.columns) {
        cells << cellText(model.index(row, column, parent));
    }
    return cells;
}

QStringList titlesOf(const QAbstractItemModel& model, const RowTextRequest& request) {
    QStringList titles;
    for (const int column : request.columns) {
        titles << model.headerData(column, Qt::Horizontal).toString();
    }
    return titles;
}

bool hasTitles(const RowTextRequest& request) {
    return !request.namesOnly && request.rows.count() > 1;
}

/// Calls `take` with the cells of each row.
template <class Take>
Result<void> eachRow(const QAbstractItemModel& model, const RowTextRequest& request,
                     const CancelToken& cancel, const Take& take) {
    std::uint64_t seen = 0;
    for (const RowRanges::Range& range : request.rows.ranges()) {
        const QModelIndex parent = indexOf(model, range.parent);
        const int last = std::min(range.last, model.rowCount(parent) - 1);
        for (int row = range.first; row <= last; ++row) {
            if (seen++ % kRowStride == 0) {
                CAIRN_CHECK(cancel.check());
                if (request.done) {
                    request.done->store(seen, std::memory_order_relaxed);
                }
            }
            CAIRN_CHECK(take(cellsOf(model, request, row, parent)));
        }
    }
    return {};
}

QString htmlRow(const QStringList& cells, const QString& tag) {
    QString row = QStringLiteral("<tr>");
    for (const QString& cell : cells) {
        row += QStringLiteral("<%1>%2</%1>").arg(tag, cell.toHtmlEscaped());
    }
    return row + QStringLiteral("</tr>");
}

} // namespace

RowRanges::RowRanges(const QItemSelection& selection) {
    for (const QItemSelectionRange& range : selection) {
        if (range.isValid()) {
            m_ranges.push_back({pathOf(range.parent()), range.top(), range.bottom()});
        }
    }
    arrange();
}

RowRanges::RowRanges(const QModelIndex& row) {
    if (row.isValid()) {
        m_ranges.push_back({pathOf(row.parent()), row.row(), row.row()});
    }
    arrange();
}

/// Unites ranges that overlap (one for each column, for instance) and cuts a range after each row
/// that has selected rows below it: then the order of the paths is the order on the screen.
void RowRanges::arrange() {
    std::map<std::vector<int>, std::set<int>> cuts;
    for (const Range& range : m_ranges) {
        std::vector<int> path = range.parent;
        while (!path.empty()) {
            const int row = path.back();
            path.pop_back();
            if (!cuts[path].insert(row).second) {
                break;
            }
        }
    }
    std::ranges::sort(m_ranges, [](const Range& a, const Range& b) {
        return std::tie(a.parent, a.first) < std::tie(b.parent, b.first);
    });
    std::vector<Range> cut;
    for (const Range& range : m_ranges) {
        int first = range.first;
        if (!cut.empty() && cut.back().parent == range.parent) {
            first = std::max(first, cut.back().last + 1);
        }
        const auto rows = cuts.find(range.parent);
        while (first <= range.last) {
            int last = range.last;
            if (rows != cuts.end()) {
                const auto next = rows->second.lower_bound(first);
                last = next != rows->second.end() ? std::min(last, *next) : last;
            }
            m_count += static_cast<std::uint64_t>(last - first) + 1;
            cut.push_back({range.parent, first, last});
            first = last + 1;
        }
    }
    const auto path = [](const Range& range) {
        std::vector<int> all = range.parent;
        all.push_back(range.first);
        return all;
    };
    std::ranges::sort(cut, {}, path);
    m_ranges = std::move(cut);
}

Result<RowText> rowsAsText(const QAbstractItemModel& model, const RowTextRequest& request,
                           const CancelToken& cancel) {
    const text::ProgramNumbers numbers;
    RowText text;
    const bool asTable = !request.namesOnly && request.rows.count() <= RowText::kMaxHtmlRows;
    if (hasTitles(request)) {
        text.plain = titlesOf(model, request).join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    if (asTable) {
        text.html =
            QStringLiteral("<table>") + htmlRow(titlesOf(model, request), QStringLiteral("th"));
    }
    CAIRN_CHECK(eachRow(model, request, cancel, [&](const QStringList& cells) -> Result<void> {
        text.plain += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
        if (asTable) {
            text.html += htmlRow(cells, QStringLiteral("td"));
        }
        return {};
    }));
    if (!hasTitles(request)) {
        text.plain.chop(1);
    }
    text.html += asTable ? QStringLiteral("</table>") : QString();
    return text;
}

Result<std::uint64_t> saveRows(const QAbstractItemModel& model, const RowTextRequest& request,
                               const QString& path, const CancelToken& cancel) {
    const text::ProgramNumbers numbers;
    QSaveFile file(path);
    const auto problem = [&] {
        Error error = fail(ErrorCode::Io, "Cannot write the file");
        error.where.file = path.toStdString();
        error.found = verbatim(file.errorString().toStdString());
        return error;
    };
    if (!file.open(QIODevice::WriteOnly)) {
        return problem();
    }
    QByteArray waiting;
    std::uint64_t written = 0;
    const auto flush = [&]() -> Result<void> {
        if (file.write(waiting) != waiting.size()) {
            return problem();
        }
        written += static_cast<std::uint64_t>(waiting.size());
        waiting.clear();
        return {};
    };
    if (hasTitles(request)) {
        waiting = titlesOf(model, request).join(QLatin1Char('\t')).toUtf8() + '\n';
    }
    CAIRN_CHECK(eachRow(model, request, cancel, [&](const QStringList& cells) -> Result<void> {
        waiting += cells.join(QLatin1Char('\t')).toUtf8() + '\n';
        return waiting.size() < kWriteBytes ? Result<void>() : flush();
    }));
    CAIRN_CHECK(flush());
    if (!file.commit()) {
        return problem();
    }
    return written;
}

std::uint64_t estimateRows(const QAbstractItemModel& model, const RowTextRequest& request) {
    const std::uint64_t count = request.rows.count();
    const std::uint64_t step = std::max<std::uint64_t>(1, count / kSamples);
    std::uint64_t bytes = 0;
    std::uint64_t read = 0;
    std::uint64_t passed = 0; ///< rows of the ranges before
    for (const RowRanges::Range& range : request.rows.ranges()) {
        const auto rows = static_cast<std::uint64_t>(range.last - range.first) + 1;
        while (read * step < passed + rows) {
            const auto row = range.first + static_cast<int>(read * step - passed);
            bytes += static_cast<std::uint64_t>(
                cellsOf(model, request, row, indexOf(model, range.parent))
                    .join(QLatin1Char('\t'))
                    .toUtf8()
                    .size() +
                1);
            ++read;
        }
        passed += rows;
    }
    return read == 0 ? 0 : bytes * count / read;
}

} // namespace cairn::ui
