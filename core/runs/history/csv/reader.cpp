// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/csv/reader.h"

#include "core/base/number_text.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/growing_file.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_cutter.h"
#include "core/runs/history/common/row_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
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
constexpr std::size_t kMaxRuns = 10'000;
/// A column with the name of the checkpoint that was saved with the row (Ray Tune).
constexpr std::string_view kSaveColumn = "checkpoint_dir_name";

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

/// The rows of a run.
struct RunRows {
    std::string id;
    RowTable table = {};
};

/// What the rows before an offset gave.
struct Collected {
    char delimiter = ',';
    std::vector<RunRows> runs; ///< one without an id, if the table is of one run
    std::map<std::string, std::size_t, std::less<>> places;
    std::size_t lastRun = 0;
    std::size_t runColumn = SeriesTable::kNoColumn;
    std::size_t saveColumn = SeriesTable::kNoColumn;
    std::vector<RecordedSave> saves;
    bool full = false;
    bool tooManyRuns = false;
    bool hasHeader = false;
    std::deque<std::string>
        names; ///< of the header, and generated names of further cells; stable addresses
    std::size_t columns = 0;
    Damage headers;
    Damage longer;
    Damage shorter;
    Damage tooMany;
    Damage broken;
    Damage cutOff;
    Damage texts;
};

/// One reading. The last row, if it may continue, is read again the next time.
class TableReader {
public:
    /// `only`: the run to read, of a table of several; empty: all.
    TableReader(ByteSourcePtr source, std::uint64_t from, Collected& collected,
                const CancelToken& cancel, std::string_view only)
        : m_lines(std::move(source), cancel, from), m_all(collected), m_cutter(collected.delimiter),
          m_end(from), m_only(only) {}

    /// The runs in the table, in the order of their first rows; empty if it is of one run.
    Result<std::vector<HeldRun>> list() {
        m_namesOnly = true;
        CAIRN_TRY(const HistoryPart part, read(Reading::Once));
        std::vector<HeldRun> runs;
        for (const RunRows& run : m_all.runs) {
            runs.push_back({run.id, run.id});
        }
        return runs.size() < 2 || m_all.tooManyRuns ? std::vector<HeldRun>() : runs;
    }

    Result<HistoryPart> read(Reading reading) {
        m_reading = reading;
        while (!m_all.full && nextRow()) {
            if (m_all.hasHeader) {
                takeRow();
            } else {
                m_all.hasHeader = true;
                setHeader();
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        HistoryPart part = finish(reading);
        if (m_kept) {
            m_all = *std::move(m_kept);
        }
        return part;
    }

    /// The end of the last row that cannot continue; 0 if not all rows were read.
    [[nodiscard]] std::uint64_t end() const { return m_end; }

private:
    /// Reads the next row that is not blank.
    bool nextRow() {
        while (nextLine()) {
            if (trimmedText(m_row).empty()) {
                moveEnd();
                continue;
            }
            if (!m_all.hasHeader) {
                m_row = withoutMark(m_row);
                m_all.delimiter = delimiterOf(m_row);
                m_cutter = RowCutter(m_all.delimiter);
            }
            const bool whole = m_cutter.cut(m_row) || (!m_isAgain && joinLines());
            if (!m_ended) {
                keepState();
                m_mayContinue = true;
            }
            if (whole && (m_ended || !m_all.hasHeader || endsWithQuote())) {
                moveEnd();
                return true;
            }
            // A last row without a line break is truncated, possibly inside a number; a closed
            // quote in the last column is also an end.
            m_ended ? m_all.broken.add(m_lines.offset()) : m_all.cutOff.add(m_lines.offset());
            moveEnd();
        }
        return false;
    }

    /// Before a row that the end of the file may have truncated, or whose lines become several
    /// rows.
    void keepState() {
        if (!m_kept && m_reading == Reading::Growing) {
            m_kept = m_all;
        }
    }

    /// After a row, and the lines that it spans.
    void moveEnd() {
        if (!m_mayContinue && m_again.empty() && m_ended) {
            m_kept.reset();
            m_end = m_lines.end();
        }
    }

    [[nodiscard]] bool endsWithQuote() const {
        return m_row.ends_with('"') && m_cutter.cells().size() == m_all.columns;
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
        keepState();
        m_mayContinue = m_mayContinue || m_joined.size() < kMaxRow; // with the end of the cell
        m_ended = !lines.empty() || m_lines.ended();
        m_again = std::move(lines);
        return false;
    }

    void setHeader() {
        m_all.names = namesIn(m_cutter.cells());
        if (!m_all.names.empty() && m_all.names.front().empty() &&
            std::none_of(m_all.names.begin(), m_all.names.end(), [](const std::string& name) {
                return roleOfName(name).role == ColumnRole::Step;
            })) {
            m_all.names.front() = "_step"; // pandas writes row numbers in a column without a name
        }
        m_all.columns = m_all.names.size();
        const auto save = std::ranges::find(m_all.names, kSaveColumn);
        m_all.saveColumn = save == m_all.names.end()
                               ? kNoColumn
                               : static_cast<std::size_t>(save - m_all.names.begin());
        m_all.runColumn = kNoColumn;
        for (std::size_t i = 0; i < m_all.columns && m_all.runColumn == kNoColumn; ++i) {
            m_all.runColumn = isOneOf(m_all.names[i], kRunColumns) ? i : kNoColumn;
        }
    }

    /// The rows of a run; null if they are not wanted.
    RunRows* runOf(const std::vector<std::string_view>& cells) {
        const std::string_view id = m_all.runColumn < cells.size()
                                        ? trimmedText(cells[m_all.runColumn])
                                        : std::string_view();
        if (m_all.lastRun < m_all.runs.size() && m_all.runs[m_all.lastRun].id == id) {
            return &m_all.runs[m_all.lastRun];
        }
        if (!m_only.empty() && id != m_only) {
            return nullptr;
        }
        const auto [at, isNew] = m_all.places.try_emplace(std::string(id), m_all.runs.size());
        if (isNew && m_all.runs.size() == kMaxRuns) {
            m_all.tooManyRuns = true;
            m_all.places.erase(at);
            return nullptr;
        }
        if (isNew) {
            m_all.runs.push_back({std::string(id)});
        }
        m_all.lastRun = at->second;
        return &m_all.runs[m_all.lastRun];
    }

    /// A repeated header: at least half of its cells are names of existing columns.
    [[nodiscard]] bool isHeader(const std::vector<std::string_view>& cells) const {
        std::size_t known = 0;
        for (const std::string_view cell : cells) {
            const std::string_view text = trimmedText(cell);
            if (text.empty() || numberOfText(text)) {
                return false;
            }
            known += std::find(m_all.names.begin(), m_all.names.end(), text) != m_all.names.end()
                         ? 1
                         : 0;
        }
        return known * 2 >= cells.size();
    }

    void takeRow() {
        const std::vector<std::string_view>& cells = m_cutter.cells();
        m_cells.clear();
        std::size_t texts = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i].empty() || i == m_all.runColumn || i == m_all.saveColumn) {
                continue;
            }
            const auto number = numberOfText(cells[i]);
            if (!number) {
                const std::string_view text = trimmedText(cells[i]);
                texts += text.empty() || isOneOf(text, kNoNumber) ? 0 : 1;
                continue;
            }
            while (i >= m_all.names.size()) {
                m_all.names.push_back("column " + std::to_string(m_all.names.size() + 1));
            }
            m_cells.push_back({m_all.names[i], *number, restOfText(trimmedText(cells[i]))});
        }
        if (texts > 1 && m_cells.empty() && cells.size() <= kMaxHeaderAgain && isHeader(cells)) {
            m_all.headers.add(m_lines.offset());
            setHeader();
            return;
        }
        const std::uint64_t offset = m_lines.offset();
        if (texts > 0) {
            m_all.texts.add(offset, texts);
        }
        if (m_cutter.tooMany()) {
            m_all.tooMany.add(offset);
        } else if (cells.size() > m_all.columns) {
            m_all.longer.add(offset);
        }
        if (cells.size() < m_all.columns) {
            m_all.shorter.add(offset);
        }
        RunRows* run = runOf(cells);
        if (run != nullptr && !m_namesOnly) {
            const RowPlace place = run->table.add(m_cells);
            const std::string_view save = m_all.saveColumn < cells.size()
                                              ? trimmedText(cells[m_all.saveColumn])
                                              : std::string_view();
            if (!save.empty()) {
                m_all.saves.push_back({std::string(save), place.step});
            }
            m_all.full = run->table.full();
        }
    }

    HistoryPart finish(Reading reading) {
        HistoryPart part;
        const auto report = [&](const Damage& damage, ErrorCode code, Sentence message,
                                Sentence unit, Severity severity = Severity::Warning) {
            damage.report(part.warnings, code, message, {}, unit, severity);
        };
        report(m_all.headers, ErrorCode::HistoryColumns, "The column names change within the file",
               "further headers");
        report(m_all.longer, ErrorCode::HistoryColumns, "Rows are longer than the header", "rows");
        report(m_all.shorter, ErrorCode::HistoryColumns, "Rows are shorter than the header",
               "rows");
        report(m_all.tooMany, ErrorCode::LimitExceeded, "Rows have more cells than the limit",
               "rows");
        report(m_all.broken, ErrorCode::HistoryBadRow,
               "Rows with an unterminated quote were skipped", "rows");
        report(m_all.texts, ErrorCode::HistoryBadRow, "Cells that are not numbers were skipped",
               "cells", Severity::Info);
        report(m_all.cutOff, ErrorCode::Truncated, "The last row is incomplete and was skipped",
               "row", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
            m_end = 0; // some lines were not read: the next reading begins again
        }
        if (m_all.tooManyRuns) {
            part.warnings.push_back(
                {Severity::Warning, fail(ErrorCode::LimitExceeded, "More runs than can be shown")
                                        .expecting(sentence("at most %1", kMaxRuns))});
        }
        for (RunRows& run : m_all.runs) {
            HistoryPart own;
            reading == Reading::Once ? run.table.finish(own) : run.table.report(own);
            std::ranges::move(own.warnings, std::back_inserter(part.warnings));
            for (MetricSeries& series : own.series) {
                series.name = m_all.runs.size() == 1 ? series.name : run.id + "/" + series.name;
                part.series.push_back(std::move(series));
            }
        }
        if (m_all.runs.size() == 1) {
            part.saves = m_all.saves;
        }
        part.bytes = m_lines.bytesRead();
        return part;
    }

    /// Limit, because the names of a repeated header are searched linearly.
    static constexpr std::size_t kMaxHeaderAgain = 2000;

    static constexpr std::size_t kNoColumn = SeriesTable::kNoColumn;

    LineReader m_lines;
    Collected& m_all;
    std::optional<Collected> m_kept; ///< at m_end, if what follows it may continue
    RowCutter m_cutter;
    std::uint64_t m_end;
    bool m_mayContinue = false; ///< the rest of the file
    Reading m_reading = Reading::Once;
    std::string m_only;
    bool m_namesOnly = false;
    std::string_view m_row;
    std::string m_joined;            ///< content of m_row if it spans several lines
    std::deque<std::string> m_again; ///< lines that were read as parts of a quoted cell
    bool m_isAgain = false;
    bool m_ended = false; ///< the row ended with a line break
    std::vector<RowCell> m_cells;
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

/// The rows of a file, and those that were appended since (growing_file.h).
class Table {
public:
    Result<HistoryPart> read(const ByteSourcePtr& source, const HistoryCandidate& candidate,
                             std::uint64_t from, Reading reading, const CancelToken& cancel) {
        TableReader reader(source, from, m_collected, cancel, candidate.run);
        CAIRN_TRY(HistoryPart part, reader.read(reading));
        m_end.offset = reader.end();
        nameByPath(candidate, part);
        return part;
    }

    [[nodiscard]] const ReadEnd& end() const { return m_end; }

private:
    Collected m_collected;
    ReadEnd m_end;
};

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
    Collected collected;
    return TableReader(std::move(source), 0, collected, cancel, {}).list();
}

} // namespace

const HistoryReader kReader{.id = "csv",
                            .title = "CSV table",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = readWhole<Table>,
                            .follow = GrowingFile<Table>::make,
                            .runsIn = runsIn};

} // namespace cairn::history::csv
