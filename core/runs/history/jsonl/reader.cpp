// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/number_text.h"
#include "core/runs/history/common/row_table.h"

#include <algorithm>
#include <array>

namespace cairn::history::jsonl {
namespace {

constexpr std::size_t kProbedLines = 50;
constexpr auto kEndings = std::to_array<std::string_view>({".jsonl", ".ndjson", ".jsonlines"});
constexpr auto kMaybeEndings = std::to_array<std::string_view>({".log", ".txt", ".json"});
constexpr auto kLogWords =
    std::to_array<std::string_view>({"metric", "log", "history", "progress", "stats", "scalars"});

template <std::size_t N>
bool endsInOneOf(std::string_view name, const std::array<std::string_view, N>& endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

bool soundsLikeLog(std::string_view name) {
    return std::any_of(kLogWords.begin(), kLogWords.end(), [&](std::string_view word) {
        return name.find(word) != std::string_view::npos;
    });
}

/// The row says where it stands: then it is one of a log.
bool hasPlace(std::span<const JsonNumber> numbers) {
    return numbers.size() > 1 &&
           std::any_of(numbers.begin(), numbers.end(), [](const JsonNumber& number) {
               const ColumnRole role = roleOfName(number.name).role;
               return role == ColumnRole::Step || role == ColumnRole::Epoch;
           });
}

bool recognises(const HistoryCandidate& candidate) {
    const bool sure = endsInOneOf(candidate.name, kEndings);
    if (candidate.isFolder || (!sure && !endsInOneOf(candidate.name, kMaybeEndings))) {
        return false;
    }
    std::string text(reinterpret_cast<const char*>(candidate.head.data()), candidate.head.size());
    const std::size_t size = text.size();
    text.append(JsonRow::kPadding, ' ');
    JsonRow row;
    std::size_t at = 0;
    for (std::size_t line = 0; line < kProbedLines && at < size; ++line) {
        const std::size_t end = std::min(text.find('\n', at), size);
        const std::string_view each = trimmedText(std::string_view(text).substr(at, end - at));
        at = end + 1;
        if (each.starts_with('{') && row.parse(each)) {
            if (hasPlace(row.numbers()) ||
                (sure && soundsLikeLog(candidate.name) && !row.numbers().empty())) {
                return true;
            }
        } else if (!sure && !each.empty()) {
            return false;
        }
    }
    return false;
}

struct Damage {
    std::size_t broken = 0;
    std::uint64_t firstAt = 0;
    bool cutOff = false;
};

void tell(const Damage& damage, const LineReader& lines, HistoryPart& part) {
    if (damage.broken > 0) {
        part.warnings.push_back(
            {Severity::Warning, fail(ErrorCode::HistoryBadRow, "Lines are no JSON objects and were left out")
                                    .at(damage.firstAt)
                                    .butFound(std::to_string(damage.broken) + " lines")});
    }
    if (damage.cutOff) {
        part.warnings.push_back(
            {Severity::Info, fail(ErrorCode::Truncated, "The last line is cut off").at(lines.offset())});
    }
    for (Notice& notice : lines.notices()) {
        part.warnings.push_back(std::move(notice));
    }
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    LineReader lines(source, cancel);
    JsonRow row;
    RowTable table;
    std::vector<RowCell> cells;
    Damage damage;
    while (!table.full() && lines.next()) {
        const std::string_view line = trimmedText(lines.line());
        if (line.empty()) {
            continue;
        }
        if (!row.parse(line)) {
            if (!lines.ended()) {
                damage.cutOff = true;
                continue;
            }
            damage.firstAt = damage.broken++ == 0 ? lines.offset() : damage.firstAt;
            continue;
        }
        cells.clear();
        for (const JsonNumber& number : row.numbers()) {
            cells.push_back({number.name, number.value});
        }
        table.add(cells);
    }
    if (!lines.status() && lines.status().error().code == ErrorCode::Cancelled) {
        return lines.status().error();
    }
    HistoryPart part;
    table.finish(part);
    tell(damage, lines, part);
    part.bytes = lines.bytesRead();
    return part;
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"jsonl", "JSON lines", recognises, read};

} // namespace cairn::history::jsonl
