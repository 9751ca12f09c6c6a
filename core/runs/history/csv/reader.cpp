// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/number_text.h"
#include "core/runs/history/common/row_table.h"
#include "core/runs/history/csv/csv_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::history::csv {
namespace {

constexpr std::size_t kMaxRow = 65536;       ///< of a row with line breaks in a quoted cell
constexpr std::size_t kMaxCells = 100'000;   ///< of one row
constexpr auto kEndings = std::to_array<std::string_view>({".csv", ".tsv"});
constexpr auto kKnownNames = std::to_array<std::string_view>(
    {"metrics.csv", "history.csv", "log.csv", "logs.csv", "training.log", "progress.csv",
     "results.csv"});

std::vector<std::string> namesIn(const std::vector<std::string_view>& cells) {
    std::vector<std::string> names;
    for (const std::string_view cell : cells) {
        names.emplace_back(trimmedText(cell));
    }
    return names;
}

bool isPlace(std::string_view name) {
    const ColumnRole role = roleOfName(name).role;
    return role == ColumnRole::Step || role == ColumnRole::Epoch;
}

std::string_view withoutMark(std::string_view line) {
    return line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
}

bool recognises(const HistoryCandidate& candidate) {
    const bool known = std::find(kKnownNames.begin(), kKnownNames.end(), candidate.name) !=
                       kKnownNames.end();
    const bool ending = std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view each) {
        return candidate.name.ends_with(each);
    });
    if (candidate.isFolder || (!known && !ending)) {
        return false;
    }
    const std::string_view head(reinterpret_cast<const char*>(candidate.head.data()),
                                candidate.head.size());
    const std::string_view header = withoutMark(trimmedText(head.substr(0, head.find('\n'))));
    RowCutter cutter(delimiterOf(header));
    if (!cutter.cut(header) || cutter.cells().size() < 2) {
        return false;
    }
    const std::vector<std::string> names = namesIn(cutter.cells());
    return std::any_of(names.begin(), names.end(), isPlace) ||
           (known && !numberOfText(names.front())) || (ending && names.front().empty());
}

class TableReader {
public:
    TableReader(ByteSourcePtr source, const CancelToken& cancel)
        : m_lines(std::move(source), cancel) {}

    Result<HistoryPart> read() {
        bool first = true;
        while (!m_table.full() && nextRow()) {
            if (first) {
                const std::string header(withoutMark(m_row));
                m_cutter = RowCutter(delimiterOf(header));
                first = false;
                if (m_cutter.cut(header)) {
                    setHeader();
                }
                continue;
            }
            if (trimmedText(m_row).empty()) {
                continue;
            }
            if (!m_cutter.cut(m_row) || m_cutter.cells().size() > kMaxCells) {
                ++(m_lines.ended() ? m_broken : m_cutOff);
                continue;
            }
            takeRow();
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        return finish();
    }

private:
    /// A line, or several where a quoted cell holds line breaks.
    bool nextRow() {
        if (!m_lines.next()) {
            return false;
        }
        m_row = m_lines.line();
        if (std::count(m_row.begin(), m_row.end(), '"') % 2 == 0) {
            return true;
        }
        m_joined = std::string(m_row);
        while (m_joined.size() < kMaxRow && m_lines.next()) {
            m_joined += '\n';
            m_joined += m_lines.line();
            if (std::count(m_lines.line().begin(), m_lines.line().end(), '"') % 2 == 1) {
                break;
            }
        }
        m_row = m_joined;
        return true;
    }

    void setHeader() {
        m_names = namesIn(m_cutter.cells());
        if (!m_names.empty() && m_names.front().empty() &&
            std::none_of(m_names.begin(), m_names.end(), [](const std::string& name) {
                return roleOfName(name).role == ColumnRole::Step;
            })) {
            m_names.front() = "step"; // pandas counts rows in a column without a name
        }
        m_columns = m_names.size();
    }

    /// A row of names: at least half of its cells are names of columns that are there.
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
            if (cells[i].empty()) {
                continue;
            }
            const auto number = numberOfText(cells[i]);
            if (!number) {
                texts += trimmedText(cells[i]).empty() ? 0 : 1;
                continue;
            }
            while (i >= m_names.size()) {
                m_names.push_back("column " + std::to_string(m_names.size() + 1));
            }
            m_cells.push_back({m_names[i], *number});
        }
        if (texts > 1 && m_cells.empty() && isHeader(cells)) {
            ++m_headers;
            m_headerAt = m_lines.offset();
            setHeader();
            return;
        }
        m_texts += texts;
        m_longer += cells.size() > m_columns ? 1 : 0;
        if (cells.size() < m_columns) {
            ++(m_lines.ended() ? m_shorter : m_cutOff);
        }
        m_table.add(m_cells);
    }

    Result<HistoryPart> finish() {
        HistoryPart part;
        const auto tell = [&](std::size_t count, ErrorCode code, const char* message,
                              const char* unit, Severity severity = Severity::Warning) {
            if (count > 0) {
                part.warnings.push_back(
                    {severity, fail(code, message).butFound(std::to_string(count) + unit)});
            }
        };
        tell(m_headers, ErrorCode::HistoryColumns, "The names of the columns change in mid-file",
             " further headers");
        tell(m_longer, ErrorCode::HistoryColumns, "Rows are longer than the header", " rows");
        tell(m_shorter, ErrorCode::HistoryColumns, "Rows are shorter than the header", " rows");
        tell(m_broken, ErrorCode::HistoryBadRow, "Rows with an open quote were left out", " rows");
        tell(m_texts, ErrorCode::HistoryBadRow, "Cells that are no numbers were left out", " cells",
             Severity::Info);
        tell(m_cutOff, ErrorCode::Truncated, "The last row is cut off", " row", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        m_table.finish(part);
        part.bytes = m_lines.bytesRead();
        return part;
    }

    LineReader m_lines;
    RowCutter m_cutter{','};
    RowTable m_table;
    std::string_view m_row;
    std::string m_joined;
    std::vector<std::string> m_names; ///< of the header, and of cells beyond it
    std::size_t m_columns = 0;
    std::vector<RowCell> m_cells;
    std::size_t m_headers = 0;
    std::uint64_t m_headerAt = 0;
    std::size_t m_longer = 0;
    std::size_t m_shorter = 0;
    std::size_t m_broken = 0;
    std::size_t m_cutOff = 0;
    std::size_t m_texts = 0;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return TableReader(std::move(source), cancel).read();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"csv", "CSV table", recognises, read};

} // namespace cairn::history::csv
