// SPDX-License-Identifier: Apache-2.0
//
// clearml/backend_interface/metrics/interface.py: a line is a list of requests; events.py:
//   {"type": "training_stats_scalar", "metric", "variant", "iter", "value", "timestamp" (ms)}
// Logger.report_single_value has the iteration -2^31. "model_event": of a model, not of the task.
// clearml/task.py: task.json has "name" and "hyperparams": {section: {name: {"type", "value"}}}.
#include "core/runs/history/clearml/events.h"

#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_table.h"
#include "core/runs/history/common/series_table.h"

#include <charconv>
#include <utility>

namespace cairn::history::clearml {
namespace {

constexpr std::string_view kScalar = "training_stats_scalar";
constexpr double kSingle = -2147483648.0; ///< iteration of a value without one

class EventReader {
public:
    EventReader(const ByteSourcePtr& source, const CancelToken& cancel) : m_lines(source, cancel) {}

    Result<HistoryPart> read() {
        while (!m_table.full() && m_lines.next()) {
            const std::string_view line = trimmedText(m_lines.line());
            if (!line.empty() && !takeList(line)) {
                m_lines.ended() ? m_broken.add(m_lines.offset()) : m_cutOff.add(m_lines.offset());
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        HistoryPart part;
        m_broken.report(part.warnings, ErrorCode::HistoryBadRow,
                        "Lines that are not lists of events were skipped", {}, "lines");
        m_cutOff.report(part.warnings, ErrorCode::Truncated, "The last line is truncated", {},
                        "line", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        for (Notice& notice : m_table.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        part.series = m_table.take();
        part.bytes = m_lines.bytesRead();
        return part;
    }

private:
    /// False: the list is not complete. Nothing of it is used then.
    bool takeList(std::string_view line) {
        if (!line.starts_with('[') || endOfJsonValue(line, 0) != line.size()) {
            return false;
        }
        for (std::size_t at = 1; at + 1 < line.size();) {
            if (line[at] != '{') { // a comma or a space
                ++at;
                continue;
            }
            const std::size_t end = endOfJsonValue(line, at);
            if (end == std::string_view::npos || !m_row.parse(line.substr(at, end - at))) {
                return false;
            }
            take();
            at = end;
        }
        return true;
    }

    void take() {
        if (m_row.text("type") != kScalar) {
            return;
        }
        Number step{kNothing};
        Number value{kNothing};
        double milliseconds = kNothing;
        bool hasValue = false;
        for (const JsonNumber& number : m_row.numbers()) {
            if (number.name == "iter") {
                step = {number.value, number.rest};
            } else if (number.name == "value") {
                value = {number.value, number.rest};
                hasValue = true;
            } else if (number.name == "timestamp") {
                milliseconds = number.value;
            }
        }
        const std::string title(m_row.text("metric"));
        const std::string series(m_row.text("variant"));
        if (title.empty() || !hasValue) {
            return;
        }
        RowPlace place;
        place.step = step;
        if (step.nearest == kSingle || std::isnan(step.nearest)) {
            place.step = 0;
            place.stepFrom = StepsFrom::Count;
        }
        place.wall = wallTime(milliseconds).value_or(kNothing);
        m_table.add(series.empty() || series == title ? title : title + "/" + series, place, value);
    }

    LineReader m_lines;
    JsonRow m_row;
    SeriesTable m_table;
    Damage m_broken;
    Damage m_cutOff;
};

/// Values are texts with the name of their Python type.
Value typed(std::string_view text, std::string_view type) {
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, integer);
    if (type == "int" && parsed.ec == std::errc() && parsed.ptr == end) {
        return Value(integer);
    }
    if (const auto real = type == "float" ? numberOfText(text) : std::nullopt) {
        return Value(*real);
    }
    return type == "bool" && (text == "True" || text == "False") ? Value(text == "True")
                                                                 : Value(text);
}

} // namespace

bool isEvents(std::string_view head) {
    head = trimmedText(head);
    if (!head.starts_with('[')) {
        return false;
    }
    const std::string_view first = trimmedText(head.substr(1));
    return first.starts_with('{') && first.find("\"task\"") != std::string_view::npos &&
           first.find("\"type\"") != std::string_view::npos;
}

Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel) {
    return EventReader(source, cancel).read();
}

Result<Task> taskOf(std::string_view json, std::string_view file) {
    CAIRN_TRY(const JsonValue task, parseJson(json, file));
    Task found{textIn(task, "name"), {}};
    const JsonValue* sections = task.find("hyperparams");
    std::vector<ValueItem> settings;
    for (std::size_t i = 0; sections != nullptr && i < sections->members().size(); ++i) {
        const JsonMember& section = sections->members()[i];
        std::vector<ValueItem> values;
        for (const JsonMember& each : section.value.members()) {
            values.push_back({Value(std::string_view(each.key)),
                              typed(textIn(each.value, "value"), textIn(each.value, "type"))});
        }
        if (!values.empty()) {
            settings.push_back(
                {Value(std::string_view(section.key)), Value::dict(std::move(values))});
        }
    }
    found.settings = settings.empty() ? Value() : Value::dict(std::move(settings));
    return found;
}

} // namespace cairn::history::clearml
