// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter.h"

#include "core/base/glob.h"
#include "ui/models/tensor_name.h"

#include <QByteArray>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>

namespace cairn::ui {
namespace {

constexpr std::size_t kCancelStride = 1024;

struct Term {
    bool negated = false;
    std::string word; ///< lower case
    std::optional<Glob> glob;

    [[nodiscard]] bool matches(std::string_view name) const { return found(name) != negated; }

private:
    [[nodiscard]] bool found(std::string_view name) const {
        if (!glob) {
            return name.find(word) != std::string_view::npos;
        }
        for (std::size_t start = 0; start <= name.size(); ++start) {
            const bool isPartStart = start == 0 || isSeparator(name[start - 1]);
            if (isPartStart && glob->matches(name.substr(start))) {
                return true;
            }
        }
        return false;
    }
};

struct Query {
    std::vector<Term> terms;
    std::vector<std::string> dtypes;             ///< each must be part of the dtype's name
    std::vector<std::vector<std::string>> roles; ///< of each one must be part of the role's name

    [[nodiscard]] bool takes(const TensorEntry& tensor) const {
        const auto partOf = [](std::string_view name) {
            return [name](const std::string& word) {
                return name.find(word) != std::string_view::npos;
            };
        };
        return std::ranges::all_of(dtypes, partOf(dtypeName(tensor.dtype))) &&
               std::ranges::all_of(roles, [&](const std::vector<std::string>& either) {
                   return std::ranges::any_of(either, partOf(roleName(tensor.role)));
               });
    }
};

std::string fullDtypeName(const std::string& word) {
    static constexpr auto kShort = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"bf16", "bfloat16"},
        {"fp16", "float16"},
        {"f16", "float16"},
        {"fp32", "float32"},
        {"f32", "float32"},
        {"fp64", "float64"},
        {"f64", "float64"},
        {"fp8", "float8"},
        {"f8", "float8"},
        {"i64", "int64"},
        {"i32", "int32"},
        {"i8", "int8"},
        {"u8", "uint8"},
    });
    for (const auto& [brief, full] : kShort) {
        if (word == brief) {
            return std::string(full);
        }
    }
    return word;
}

Query parse(const QString& text) {
    Query query;
    const QStringList words = text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& typed : words) {
        std::string word = typed.toUtf8().toStdString();
        if (word.starts_with("dtype:")) {
            query.dtypes.push_back(fullDtypeName(word.substr(word.find(':') + 1)));
            continue;
        }
        if (word.starts_with("role:")) {
            std::vector<std::string>& either = query.roles.emplace_back();
            for (const QString& role :
                 typed.mid(typed.indexOf(QLatin1Char(':')) + 1).split(QLatin1Char(','))) {
                either.push_back(role.toStdString());
            }
            continue;
        }
        Term term;
        term.negated = word.size() > 1 && word.front() == '-';
        word.erase(0, term.negated ? 1 : 0);
        if (Result<Glob> glob = Glob::parse(word); glob && !glob->literal()) {
            term.glob = std::move(*glob); // an unclosed brace is searched for literally
        }
        term.word = std::move(word);
        query.terms.push_back(std::move(term));
    }
    return query;
}

Result<std::vector<std::uint32_t>> filterByExpression(const TensorTable& table, QString pattern,
                                                      const CancelToken& cancel) {
    pattern.remove(0, 1);
    if (pattern.endsWith(QLatin1Char('/'))) {
        pattern.chop(1);
    }
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        return fail(ErrorCode::InvalidArgument, expression.errorString().toStdString());
    }
    expression.optimize();
    std::vector<std::uint32_t> ranks;
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        if (rank % kCancelStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const std::string_view name = table.lowerName(rank);
        const QString subject = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        if (expression.match(subject).hasMatch()) {
            ranks.push_back(static_cast<std::uint32_t>(rank));
        }
    }
    return ranks;
}

/// Ranks of the names that contain `word`: one search over all names at once.
Result<std::vector<std::uint32_t>>
ranksContaining(const TensorTable& table, const std::string& word, const CancelToken& cancel) {
    std::vector<std::uint32_t> ranks;
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

} // namespace

Result<std::vector<std::uint32_t>> filterTensors(const TensorTable& table, const QString& text,
                                                 const CancelToken& cancel) {
    const QString trimmed = text.trimmed();
    if (trimmed.startsWith(QLatin1Char('/'))) {
        return filterByExpression(table, trimmed, cancel);
    }
    Query query = parse(trimmed);
    const auto plain =
        std::ranges::find_if(query.terms, [](const Term& t) { return !t.negated && !t.glob; });
    std::vector<std::uint32_t> ranks;
    if (plain != query.terms.end()) {
        CAIRN_TRY(ranks, ranksContaining(table, plain->word, cancel));
        query.terms.erase(plain);
    } else {
        ranks.resize(table.size());
        std::iota(ranks.begin(), ranks.end(), 0U);
    }
    if (query.terms.empty() && query.dtypes.empty() && query.roles.empty()) {
        return ranks;
    }
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i % kCancelStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const std::string_view name = table.lowerName(ranks[i]);
        const bool fits =
            std::ranges::all_of(query.terms, [&](const Term& term) { return term.matches(name); });
        if (fits && query.takes(table.tensor(table.naturalOrder()[ranks[i]]))) {
            kept.push_back(ranks[i]);
        }
    }
    return kept;
}

} // namespace cairn::ui
