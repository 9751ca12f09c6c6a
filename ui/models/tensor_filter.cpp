// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter.h"

#include "core/model/tensor_columns.h"

#include <QRegularExpression>

#include <cstring>
#include <numeric>
#include <string>

namespace cairn::ui {
namespace {

using Ranks = std::vector<std::uint32_t>;
constexpr std::size_t kCancelStride = 1024;

bool isExpression(const QString& text) {
    return text.startsWith(QLatin1Char('/'));
}

Ranks allRanks(const TensorTable& table) {
    Ranks ranks(table.size());
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

/// Those of `ranks` that `takes` takes.
template <class Takes>
Result<Ranks> pick(Ranks ranks, const CancelToken& cancel, const Takes& takes) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i % kCancelStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        if (takes(ranks[i])) {
            ranks[kept++] = ranks[i];
        }
    }
    ranks.resize(kept);
    return ranks;
}

Result<Ranks> filterByExpression(const TensorTable& table, QString pattern,
                                 const CancelToken& cancel) {
    pattern.remove(0, 1);
    if (pattern.endsWith(QLatin1Char('/'))) {
        pattern.chop(1);
    }
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        return fail(ErrorCode::InvalidArgument, "Invalid regular expression")
            .butFound(sentence("%1 at position %2", expression.errorString().toStdString(),
                               expression.patternErrorOffset() + 1));
    }
    expression.optimize();
    return pick(allRanks(table), cancel, [&](std::uint32_t rank) {
        const std::string_view name = table.lowerName(rank);
        return expression.match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
            .hasMatch();
    });
}

/// Ranks of the names that contain `word`: one search over all names at once.
Result<Ranks> ranksContaining(const TensorTable& table, std::string_view word,
                              const CancelToken& cancel) {
    Ranks ranks;
    const std::string_view names = table.lowerNames();
    const std::span<const std::uint64_t> starts = table.lowerStarts();
    std::size_t rank = 0;
    for (std::size_t at = 0; at < names.size();) {
        if (ranks.size() % kCancelStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const void* hit = memmem(names.data() + at, names.size() - at, word.data(), word.size());
        if (hit == nullptr) {
            break;
        }
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(hit) - names.data());
        // Hits are in order and mostly close together: advance linearly instead of searching.
        while (starts[rank + 1] <= offset) {
            ++rank;
        }
        ranks.push_back(static_cast<std::uint32_t>(rank));
        at = starts[rank + 1];
    }
    return ranks;
}

Result<RowFilter> parse(const QString& text) {
    return RowFilter::parse(text.toUtf8().toStdString(), findTensorProperty);
}

} // namespace

bool filterNarrows(const QString& text, const QString& wider) {
    if (text == wider || isExpression(text.trimmed()) || isExpression(wider.trimmed())) {
        return text == wider;
    }
    const auto own = parse(text);
    const auto other = parse(wider);
    return own && other && own->narrows(*other);
}

Result<Ranks> filterTensors(const TensorTable& table, const QString& text,
                            const CancelToken& cancel, const Ranks* within) {
    CAIRN_CHECK(cancel.check());
    const QString trimmed = text.trimmed();
    if (isExpression(trimmed)) {
        return filterByExpression(table, trimmed, cancel);
    }
    CAIRN_TRY(const RowFilter filter, parse(trimmed));
    const std::string_view word = filter.requiredWord();
    if (within == nullptr && !word.empty()) {
        CAIRN_TRY(Ranks found, ranksContaining(table, word, cancel));
        if (filter.isOneWord()) {
            return found;
        }
        return filterTensors(table, text, cancel, &found);
    }
    Ranks ranks = within != nullptr ? *within : allRanks(table);
    if (filter.isEmpty()) {
        return ranks;
    }
    TensorCells cells;
    std::uint32_t rank = 0;
    const RowFilter::CellOf cellOf = [&](std::size_t property) {
        return cells.of(table.tensor(table.naturalOrder()[rank]),
                        static_cast<TensorProperty>(property));
    };
    return pick(std::move(ranks), cancel, [&](std::uint32_t each) {
        rank = each;
        return filter.matches(table.lowerName(rank), cellOf);
    });
}

} // namespace cairn::ui
