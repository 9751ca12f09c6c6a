// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/csv/reader.h"

#include "core/base/number_text.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/file_runs.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_cutter.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::csv {
namespace {

constexpr std::size_t kMaxRow = 65536; ///< limit for a row with line breaks in quoted cells
constexpr auto kEndings = std::to_array<std::string_view>({".csv", ".tsv"});
constexpr auto kKnownNames = std::to_array<std::string_view>(
    {"metrics.csv", "history.csv", "log.csv", "logs.csv", "training.log", "progress.csv",
     "results.csv", "progress.txt"});
/// A column of the run that a row is of, in a table of several runs.
constexpr auto kRunColumns =
    std::to_array<std::string_view>({"run", "run_id", "run_name", "trial_id"});

/// Placeholders for missing numbers.
constexpr auto kNoNumber =
    std::to_array<std::string_view>({"NA", "N/A", "None", "null", "NULL", "-"});

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& texts) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::deque<std::string> namesIn(const std::vector<std::string_view>& cells) {
    std::deque<std::string> names;
    for (const std::string_view cell : cells) {
        names.emplace_back(trimmedText(cell));
    }
    return names;
}

bool isPlace(std::string_view name) {
    const ColumnRole role = roleOfName(name).role;
    return role == ColumnRole::Step || role == ColumnRole::Epoch;
}

/// Typical names of columns in a training log.
bool isMetricName(std::string_view name) {
    return metricRank(name) < metricRank("something");
}

std::string_view withoutMark(std::string_view line) {
    return line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
}

bool mayBe(std::string_view name) {
    return isOneOf(name, kKnownNames) ||
           std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

bool recognises(const HistoryCandidate& candidate) {
    const bool known = isOneOf(candidate.name, kKnownNames);
    if (candidate.isFolder || !mayBe(candidate.name)) {
        return false;
    }
    const std::string_view head = trimmedText(
        withoutMark({reinterpret_cast<const char*>(candidate.head.data()), candidate.head.size()}));
    const std::string_view header = trimmedText(head.substr(0, head.find('\n')));
    RowCutter cutter(delimiterOf(header));
    if (header.find('\0') != std::string_view::npos || !cutter.cut(header) ||
        cutter.cells().size() < 2) {
        return false;
    }
    const std::deque<std::string> names = namesIn(cutter.cells());
    return std::any_of(names.begin(), names.end(), isPlace) ||
           (known && !numberOfText(names.front())) ||
           (names.front().empty() && std::any_of(names.begin(), names.end(), isMetricName));
}

class TableReader {
public:
    /// `only`: the run to read, of a table of several; empty: all.
    TableReader(ByteSourcePtr source, const CancelToken& cancel, std::string_view only)
        : m_lines(std::move(source), cancel), m_runs(only) {}

    /// The runs in the table, in the order of their first rows; empty if it is of one run.
    Result<std::vector<HeldRun>> list() {
        m_namesOnly = true;
        CAIRN_TRY(const HistoryPart part, read());
        return m_runs.size() < 2 || m_runs.tooMany() ? std::vector<HeldRun>() : m_runs.list();
    }

    Result<HistoryPart> read() {
        while (!m_runs.full() && nextRow()) {
            if (m_hasHeader) {
                takeRow();
            } else {
                m_hasHeader = true;
                setHeader();
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        return finish();
    }

private:
    /// Reads the next row that is not blank.
    bool nextRow() {
        while (nextLine()) {
            if (trimmedText(m_row).empty()) {
                continue;
            }
            if (!m_hasHeader) {
                m_row = withoutMark(m_row);
                m_cutter = RowCutter(delimiterOf(m_row));
            }
            const bool whole = m_cutter.cut(m_row) || (!m_isAgain && joinLines());
            if (whole && (m_ended || !m_hasHeader || endsWithQuote())) {
                return true;
            }
            // A last row without a line break is truncated, possibly inside a number; a closed
            // quote in the last column is also an end.
            m_ended ? m_broken.add(m_lines.offset()) : m_cutOff.add(m_lines.offset());
        }
        return false;
    }

    [[nodiscard]] bool endsWithQuote() const {
        return m_row.ends_with('"') && m_cutter.cells().size() == m_columns;
    }

    bool nextLine() {
        m_isAgain = !m_again.empty();
        if (m_isAgain) {
            m_joined = std::move(m_again.front());
            m_again.pop_front();
            m_row = m_joined;
            m_ended = !m_again.empty() || m_lines.ended();
            return true;
        }
        const bool there = m_lines.next();
        m_row = m_lines.line();
        m_ended = m_lines.ended();
        return there;
    }

    /// A quoted cell is open at the end of the line: reads on to its end. If it does not end, the
    /// lines are separate rows and only the first is damaged.
    bool joinLines() {
        m_joined = std::string(m_row);
        std::deque<std::string> lines;
        while (m_joined.size() < kMaxRow && m_lines.next()) {
            const std::string_view line = m_lines.line();
            lines.emplace_back(line);
            m_joined += '\n';
            m_joined += line;
            if (std::count(line.begin(), line.end(), '"') % 2 == 1 && m_cutter.cut(m_joined)) {
                m_row = m_joined;
                m_ended = m_lines.ended();
                return true;
            }
        }
        m_ended = !lines.empty() || m_lines.ended();
        m_again = std::move(lines);
        return false;
    }

    void setHeader() {
        m_names = namesIn(m_cutter.cells());
        if (!m_names.empty() && m_names.front().empty() &&
            std::none_of(m_names.begin(), m_names.end(), [](const std::string& name) {
                return roleOfName(name).role == ColumnRole::Step;
            })) {
            m_names.front() = "_step"; // pandas writes row numbers in a column without a name
        }
        m_columns = m_names.size();
        m_runColumn = kNoColumn;
        for (std::size_t i = 0; i < m_columns && m_runColumn == kNoColumn; ++i) {
            m_runColumn = isOneOf(m_names[i], kRunColumns) ? i : kNoColumn;
        }
    }

    /// A repeated header: at least half of its cells are names of existing columns.
    [[nodiscard]] bool isHeader(const std::vector<std::string_view>& cells) const {
        std::size_t known = 0;
        for (const std::string_view cell : cells) {
            const std::string_view text = trimmedText(cell);
            if (text.empty() || numberOfText(text)) {
                return false;
            }
            known += std::find(m_names.begin(), m_names.end(), text) != m_names.end() ? 1 : 0;
        }
        return known * 2 >= cells.size();
    }

    void takeRow() {
        const std::vector<std::string_view>& cells = m_cutter.cells();
        m_cells.clear();
        std::size_t texts = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i].empty() || i == m_runColumn) {
                continue;
            }
            const auto number = numberOfText(cells[i]);
            if (!number) {
                const std::string_view text = trimmedText(cells[i]);
                texts += text.empty() || isOneOf(text, kNoNumber) ? 0 : 1;
                continue;
            }
            while (i >= m_names.size()) {
                m_names.push_back("column " + std::to_string(m_names.size() + 1));
            }
            m_cells.push_back({m_names[i], *number});
        }
        if (texts > 1 && m_cells.empty() && cells.size() <= kMaxHeaderAgain && isHeader(cells)) {
            m_headers.add(m_lines.offset());
            setHeader();
            return;
        }
        const std::uint64_t offset = m_lines.offset();
        if (texts > 0) {
            m_texts.add(offset, texts);
        }
        if (m_cutter.tooMany()) {
            m_tooMany.add(offset);
        } else if (cells.size() > m_columns) {
            m_longer.add(offset);
        }
        if (cells.size() < m_columns) {
            m_shorter.add(offset);
        }
        FileRuns::Run* run = m_runs.add(m_runColumn < cells.size() ? trimmedText(cells[m_runColumn])
                                                                   : std::string_view());
        if (run != nullptr && !m_namesOnly) {
            run->rows.add(m_cells);
            if (run->rows.full()) {
                m_runs.setFull();
            }
        }
    }

    Result<HistoryPart> finish() {
        HistoryPart part;
        const auto report = [&](const Damage& damage, ErrorCode code, Sentence message,
                                Sentence unit, Severity severity = Severity::Warning) {
            damage.report(part.warnings, code, message, {}, unit, severity);
        };
        report(m_headers, ErrorCode::HistoryColumns, "The column names change within the file",
               "further headers");
        report(m_longer, ErrorCode::HistoryColumns, "Rows are longer than the header", "rows");
        report(m_shorter, ErrorCode::HistoryColumns, "Rows are shorter than the header", "rows");
        report(m_tooMany, ErrorCode::LimitExceeded, "Rows have more cells than the limit", "rows");
        report(m_broken, ErrorCode::HistoryBadRow, "Rows with an unterminated quote were skipped",
               "rows");
        report(m_texts, ErrorCode::HistoryBadRow, "Cells that are not numbers were skipped",
               "cells", Severity::Info);
        report(m_cutOff, ErrorCode::Truncated, "The last row is incomplete and was skipped", "row",
               Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        m_runs.arrange(false);
        m_runs.finish(part);
        part.bytes = m_lines.bytesRead();
        return part;
    }

    /// Limit, because the names of a repeated header are searched linearly.
    static constexpr std::size_t kMaxHeaderAgain = 2000;

    LineReader m_lines;
    RowCutter m_cutter{','};
    FileRuns m_runs; ///< one without an id, if the table is of one run
    static constexpr std::size_t kNoColumn = SeriesTable::kNoColumn;
    std::size_t m_runColumn = kNoColumn;
    bool m_namesOnly = false;
    std::string_view m_row;
    std::string m_joined;            ///< content of m_row if it spans several lines
    std::deque<std::string> m_again; ///< lines that were read as parts of a quoted cell
    bool m_isAgain = false;
    bool m_ended = false; ///< the row ended with a line break
    bool m_hasHeader = false;
    std::deque<std::string>
        m_names; ///< of the header, and generated names of further cells; stable addresses
    std::size_t m_columns = 0;
    std::vector<RowCell> m_cells;
    Damage m_headers;
    Damage m_longer;
    Damage m_shorter;
    Damage m_tooMany;
    Damage m_broken;
    Damage m_cutOff;
    Damage m_texts;
};

/// DVCLive keeps a metric "train/loss" in "plots/metrics/train/loss.tsv", whose column is named
/// "loss".
void nameByPath(const HistoryCandidate& candidate, HistoryPart& part) {
    constexpr std::string_view kFolder = "plots/metrics/";
    const std::string path = candidate.path.generic_string();
    const std::size_t at = path.rfind(kFolder);
    if (at == std::string::npos || !path.ends_with(".tsv")) {
        return;
    }
    const std::string name =
        path.substr(at + kFolder.size(), path.size() - at - kFolder.size() - 4);
    for (MetricSeries& series : part.series) {
        series.name = series.name == candidate.path.stem() ? name : series.name;
    }
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    CAIRN_TRY(HistoryPart part, TableReader(std::move(source), cancel, candidate.run).read());
    nameByPath(candidate, part);
    return part;
}

/// Only a table with a column of runs is read for them.
Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    const std::string_view head(reinterpret_cast<const char*>(candidate.head.data()),
                                candidate.head.size());
    const std::string_view text = withoutMark(head);
    const std::string_view header = text.substr(0, text.find('\n'));
    RowCutter cutter(delimiterOf(header));
    if (!cutter.cut(header) || std::ranges::none_of(cutter.cells(), [](std::string_view cell) {
            return isOneOf(trimmedText(cell), kRunColumns);
        })) {
        return std::vector<HeldRun>();
    }
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return TableReader(std::move(source), cancel, {}).list();
}

} // namespace

const HistoryReader kReader{.id = "csv",
                            .title = "CSV table",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn};

} // namespace cairn::history::csv
