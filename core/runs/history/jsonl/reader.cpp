// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/growing_file.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_table.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

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

bool isLogName(std::string_view name) {
    return std::any_of(kLogWords.begin(), kLogWords.end(), [&](std::string_view word) {
        return name.find(word) != std::string_view::npos;
    });
}

std::string_view withoutMark(std::string_view line) {
    return line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
}

/// fairseq's "--log-format json --log-file": numbers are texts, and the names of an epoch's metrics
/// begin with the part of the data: {"epoch": 1, "valid_loss": "8.5", "valid_num_updates": "200"}.
constexpr std::string_view kUpdates = "num_updates";
bool isFairseq(std::string_view line) {
    return line.find("num_updates\": \"") != std::string_view::npos;
}

/// The row contains a position, so it is part of a log.
bool hasPlace(std::span<const JsonNumber> numbers) {
    return numbers.size() > 1 &&
           std::any_of(numbers.begin(), numbers.end(), [](const JsonNumber& number) {
               const ColumnRole role = roleOfName(number.name).role;
               return role == ColumnRole::Step || role == ColumnRole::Epoch;
           });
}

/// A single object in a file that is not named as a log is usually a configuration.
std::size_t rowsRequired(const HistoryCandidate& candidate, bool sure) {
    return sure || isLogName(candidate.name) ? 1 : 2;
}

bool mayBe(std::string_view name) {
    return endsInOneOf(name, kEndings) || endsInOneOf(name, kMaybeEndings);
}

bool recognises(const HistoryCandidate& candidate) {
    const bool sure = endsInOneOf(candidate.name, kEndings);
    if (candidate.isFolder || !mayBe(candidate.name)) {
        return false;
    }
    std::string text(reinterpret_cast<const char*>(candidate.head.data()), candidate.head.size());
    const std::size_t size = text.size();
    text.append(JsonRow::kPadding, ' ');
    JsonRow row;
    std::size_t at = 0;
    std::size_t rows = 0;
    for (std::size_t line = 0; line < kProbedLines && at < size; ++line) {
        const std::size_t end = std::min(text.find('\n', at), size);
        const std::string_view each =
            trimmedText(withoutMark(std::string_view(text).substr(at, end - at)));
        const bool isCut = at == 0 && end == size && candidate.size > size;
        if (isCut && sure && isLogName(candidate.name) && each.starts_with("{\"")) {
            return true; // rows longer than the examined part
        }
        at = end + 1;
        if (each.starts_with('{') && row.parse(each)) {
            const bool anyway = sure && isLogName(candidate.name) && !row.numbers().empty();
            rows += hasPlace(row.numbers()) || anyway ? 1 : 0;
            if (rows >= rowsRequired(candidate, sure)) {
                return true;
            }
        } else if (!sure && !each.empty() && end < size) {
            return false;
        }
    }
    return false;
}

/// Reads the rows of a file, and those that were appended since (growing_file.h).
class Rows {
public:
    Result<HistoryPart> read(const ByteSourcePtr& source, const HistoryCandidate& /*candidate*/,
                             std::uint64_t from, Reading reading, const CancelToken& cancel) {
        LineReader lines(source, cancel, from);
        JsonRow row;
        std::vector<RowCell> cells;
        Damage cutOff; // the rest of that line may follow
        m_end = {from, false};
        while (!m_table.full() && lines.next()) {
            const std::string_view line = trimmedText(withoutMark(lines.line()));
            const bool isOfFairseq = isFairseq(line);
            if (isOfFairseq) {
                row.readTexts();
            }
            const bool isRow = !line.empty() && row.parse(line);
            if (!isRow && !lines.ended()) {
                if (!line.empty()) {
                    cutOff.add(lines.offset());
                }
                break; // the last one
            }
            m_end = {lines.end(), !lines.ended()};
            if (!isRow) {
                if (!line.empty()) {
                    m_broken.add(lines.offset());
                }
                continue;
            }
            cells.clear();
            for (const JsonNumber& number : row.numbers()) {
                const bool isStep = isOfFairseq && number.name.ends_with("_num_updates");
                cells.push_back({isStep ? kUpdates : number.name, number.value, number.rest});
            }
            m_table.add(cells);
        }
        if (!lines.status() && lines.status().error().code == ErrorCode::Cancelled) {
            return lines.status().error();
        }
        HistoryPart part;
        m_broken.report(part.warnings, ErrorCode::HistoryBadRow,
                        "Lines that are not JSON objects were skipped", {}, "lines");
        cutOff.report(part.warnings, ErrorCode::Truncated, "The last line is truncated", {}, "line",
                      Severity::Info);
        for (Notice& notice : lines.notices()) {
            part.warnings.push_back(std::move(notice));
            m_end = {}; // some lines were not read: the next reading begins again
        }
        part.bytes = lines.bytesRead();
        reading == Reading::Once ? m_table.finish(part) : m_table.report(part);
        return part;
    }

    [[nodiscard]] const ReadEnd& end() const { return m_end; }

private:
    RowTable m_table;
    Damage m_broken;
    ReadEnd m_end;
};

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "jsonl",
                            .title = "JSON lines",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = readWhole<Rows>,
                            .follow = GrowingFile<Rows>::make};

} // namespace cairn::history::jsonl
