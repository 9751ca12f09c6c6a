// SPDX-License-Identifier: Apache-2.0
//
// stable_baselines3/common/monitor.py, ResultsWriter: a comment with a JSON object (t_start,
// env_id), a header, and for each episode its reward r, its length l, the seconds t since t_start,
// and columns that the user asked for. A resumed training appends rows.
#include "core/base/ascii.h"
#include "core/base/endian.h"
#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_cutter.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/stable_baselines3/files.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cairn::history::stable_baselines3 {
namespace {

constexpr std::string_view kStart = "#{";

/// "3.monitor.csv" -> " [env 3]": several environments write a file each.
std::string environmentOf(std::string_view file) {
    const std::string_view number = file.substr(0, file.find('.'));
    const bool isNumber =
        !number.empty() && std::ranges::all_of(number, [](char c) { return isDigit(c); });
    return isNumber ? " [env " + std::string(number) + "]" : std::string();
}

class EpisodeReader {
public:
    EpisodeReader(ByteSourcePtr source, const CancelToken& cancel, std::string_view file)
        : m_lines(std::move(source), cancel), m_environment(environmentOf(file)) {}

    Result<HistoryPart> read() {
        while (!m_table.full() && m_lines.next()) {
            const std::string_view line = trimmedText(m_lines.line());
            if (line.starts_with(kStart)) {
                readStart(line.substr(1));
                m_names.clear();
            } else if (!line.empty() && !m_lines.ended()) {
                m_cutOff.add(m_lines.offset());
            } else if (!line.empty() && m_cutter.cut(line)) {
                m_names.empty() ? setNames() : addEpisode();
            } else if (!line.empty()) {
                m_broken.add(m_lines.offset());
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        return finish();
    }

private:
    void readStart(std::string_view json) {
        const auto start = parseJson(json, "monitor.csv");
        if (!start) {
            m_broken.add(m_lines.offset());
            return;
        }
        const JsonValue* seconds = start->find("t_start");
        const auto begin = seconds != nullptr ? seconds->asReal() : Result<double>(Error());
        m_begin = begin ? *begin : kNothing;
        m_settings.clear();
        for (const JsonMember& member : start->members()) {
            if (member.key != "t_start") {
                m_settings.push_back({Value(member.key), valueOf(member.value)});
            }
        }
    }

    void setNames() {
        for (const std::string_view cell : m_cutter.cells()) {
            m_names.emplace_back(trimmedText(cell));
        }
    }

    /// The timesteps of an environment are the sum of the lengths of its episodes, as in
    /// results_plotter.py. Those of the training are more if there are several environments, or if
    /// it was resumed with another file, so that they are not matched with checkpoints.
    void addEpisode() {
        const auto& cells = m_cutter.cells();
        RowPlace place{kNothing};
        place.strength = Strength::Named;
        for (std::size_t i = 0; i < std::min(cells.size(), m_names.size()); ++i) {
            const auto number = numberOfText(cells[i]);
            if (number && m_names[i] == "l" && std::isfinite(*number)) {
                m_steps += *number;
                place.step = m_steps;
            } else if (number && m_names[i] == "t") {
                place.wall = m_begin + *number;
            }
        }
        if (cells.size() != m_names.size() || place.step.isNothing()) {
            m_broken.add(m_lines.offset());
            return;
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto number = numberOfText(cells[i]);
            if (number && m_names[i] != "t") {
                m_table.add(m_names[i] + m_environment, place, *number);
            }
        }
    }

    HistoryPart finish() {
        HistoryPart part;
        m_broken.report(part.warnings, ErrorCode::HistoryBadRow,
                        "Rows that are not episodes were skipped", {}, "rows");
        m_cutOff.report(part.warnings, ErrorCode::Truncated,
                        "The last row is incomplete and was skipped", {}, "row", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        for (Notice& notice : m_table.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        part.series = m_table.take();
        if (!m_settings.empty()) {
            part.settings = Value::dict(std::move(m_settings));
        }
        part.bytes = m_lines.bytesRead();
        return part;
    }

    LineReader m_lines;
    RowCutter m_cutter{','};
    std::string m_environment;
    std::vector<std::string> m_names;
    std::vector<ValueItem> m_settings;
    SeriesTable m_table;
    double m_begin = kNothing;
    double m_steps = 0;
    Damage m_broken;
    Damage m_cutOff;
};

} // namespace

bool isMonitor(std::span<const std::byte> head) {
    const std::string_view text = asText(head);
    const std::size_t end = text.find('\n');
    const std::string_view header =
        end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return text.starts_with(kStart) && header.starts_with("r,l,t");
}

Result<HistoryPart> readMonitor(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return EpisodeReader(std::move(source), cancel, candidate.name).read();
}

} // namespace cairn::history::stable_baselines3
