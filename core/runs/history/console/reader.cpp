// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/growing_file.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_table.h"
#include "core/runs/history/console/line.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace cairn::history::console {
namespace {

constexpr auto kEndings = std::to_array<std::string_view>({".log", ".out", ".txt", ".err"});
constexpr auto kNames = std::to_array<std::string_view>({"stdout", "stderr", "output", "log"});

bool mayBe(std::string_view name) {
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); }) ||
           std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder || !mayBe(candidate.name)) {
        return false;
    }
    const std::string_view head(reinterpret_cast<const char*>(candidate.head.data()),
                                candidate.head.size());
    if (hasMarkOfTrainer(head)) {
        return true;
    }
    LineParser parser;
    for (std::size_t at = 0; at < head.size();) {
        const std::size_t end = std::min(head.find('\n', at), head.size());
        if (parser.parse(head.substr(at, end - at)) && !parser.numbers().empty()) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

/// Lines into points.
class Log {
public:
    [[nodiscard]] bool full() const { return m_table.full() || m_rows.full(); }

    void add(const LineParser& line) {
        if (line.rank() && !m_firstRank) {
            m_firstRank = line.rank();
        }
        if (line.kind() == LineKind::Row) {
            addRow(line);
            return;
        }
        const bool other = line.rank() && line.rank() != m_firstRank;
        m_otherRanks = m_otherRanks || other;
        RowPlace place;
        place.step = line.step();
        place.strength = line.strength();
        if (line.wall()) {
            place.wall = *line.wall();
            m_hasWall = true;
        }
        for (const PrintedNumber& number : line.numbers()) {
            m_name = line.kind() == LineKind::Validation ? "validation/"
                     : line.kind() == LineKind::Test     ? "test/"
                                                         : "";
            m_name += number.name;
            m_name += number.percent ? "(%)" : "";
            m_name += other ? " [rank " + std::to_string(*line.rank()) + "]" : "";
            m_table.add(m_name, place, number.value);
        }
    }

    void report(HistoryPart& part, Reading reading) {
        for (Notice& notice : m_table.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        if (m_otherRanks) {
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::HistoryShared,
                      "Several ranks write to this file; their curves are shown separately")});
        }
        if (m_hasWall) {
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::HistoryNoStep, "Times without a time zone are read as UTC")});
        }
        const bool once = reading == Reading::Once;
        once ? m_rows.finish(part) : m_rows.report(part); // replaces the series
        std::vector<MetricSeries> all = once ? m_table.take() : m_table.copy();
        std::ranges::move(all, std::back_inserter(part.series));
    }

private:
    void addRow(const LineParser& line) {
        m_cells.clear();
        m_names.clear();
        for (const PrintedNumber& number : line.numbers()) {
            const ColumnRole role = roleOfName(number.name).role;
            const bool isPlace = role == ColumnRole::Step || role == ColumnRole::Epoch;
            m_names.emplace_back(line.prefix().empty() || isPlace
                                     ? std::string(number.name)
                                     : std::string(line.prefix()) + "_" + std::string(number.name));
        }
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            const Number& number = line.numbers()[i].value;
            m_cells.push_back({m_names[i], number.nearest, number.rest});
        }
        m_rows.add(m_cells);
    }

    RowTable m_rows; ///< printed dicts
    std::vector<RowCell> m_cells;
    std::vector<std::string> m_names; ///< of m_cells
    SeriesTable m_table;
    std::string m_name;
    std::optional<unsigned> m_firstRank;
    bool m_otherRanks = false;
    bool m_hasWall = false;
};

/// Reads the lines of a file, and those that were appended since (growing_file.h).
class Lines {
public:
    Result<HistoryPart> read(const ByteSourcePtr& source, const HistoryCandidate& /*candidate*/,
                             std::uint64_t from, Reading reading, const CancelToken& cancel) {
        LineReader lines(source, cancel, from);
        m_end = {from, false};
        bool cutOff = false;
        while (!m_log.full() && lines.next()) {
            if (!lines.ended()) { // the last one, whose rest may follow
                cutOff = LineParser(m_parser).parse(lines.line());
                continue;
            }
            if (m_parser.parse(lines.line())) {
                m_log.add(m_parser);
            }
            m_end.offset = lines.end();
        }
        if (!lines.status() && lines.status().error().code == ErrorCode::Cancelled) {
            return lines.status().error();
        }
        HistoryPart part;
        m_log.report(part, reading);
        for (Notice& notice : lines.notices()) {
            part.warnings.push_back(std::move(notice));
            m_end = {}; // some lines were not read: the next reading begins again
        }
        if (cutOff) {
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::Truncated, "The last line is incomplete and was skipped")
                     .at(lines.offset())});
        }
        part.bytes = lines.bytesRead();
        return part;
    }

    [[nodiscard]] const ReadEnd& end() const { return m_end; }

private:
    Log m_log;
    LineParser m_parser; ///< some lines continue those before them
    ReadEnd m_end;
};

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "console",
                            .title = "Console log",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = readWhole<Lines>,
                            .follow = GrowingFile<Lines>::make};

} // namespace cairn::history::console
