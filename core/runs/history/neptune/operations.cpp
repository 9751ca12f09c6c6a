// SPDX-License-Identifier: Apache-2.0
//
// neptune/core/components/queue/disk_queue.py: a line is {"obj": operation, "version", "at"}, with
// versions from 1; neptune/internal/operation.py: {"type", "path": [name…]} and
//   LogFloats                    "values": [{"value", "step" or null, "ts"}]
//   AssignFloat, Int, Bool, String  "value"
//   ClearFloatLog, DeleteAttribute
// Without a step the server counts from the last one.
#include "core/runs/history/neptune/operations.h"

#include "core/base/number_text.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_roles.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace cairn::history::neptune {
namespace {

constexpr std::size_t kMaxDepth = 64;       ///< names of a path
constexpr std::size_t kMaxSettings = 5'000; ///< of one group
/// What Neptune records of the process and its code.
constexpr auto kOfNeptune =
    std::to_array<std::string_view>({"sys", "monitoring", "source_code", "integrations"});
constexpr auto kAssigned =
    std::to_array<std::string_view>({"AssignFloat", "AssignInt", "AssignBool", "AssignString"});

/// The names joined with "/"; empty: not a path.
std::string joined(std::span<const JsonValue> path) {
    std::string name;
    for (const JsonValue& each : path) {
        const auto part = each.asString();
        if (!part || part->empty() || path.size() > kMaxDepth) {
            return {};
        }
        name += name.empty() ? "" : "/";
        name += *part;
    }
    return name;
}

} // namespace

Result<void> Operations::add(const ByteSourcePtr& source, const CancelToken& cancel) {
    LineReader lines(source, cancel);
    Damage broken;
    Damage cutOff;
    while (!full() && lines.next()) {
        const std::string_view line = trimmedText(lines.line());
        if (!line.empty() && !addLine(line, source->name())) {
            lines.ended() ? broken.add(lines.offset()) : cutOff.add(lines.offset());
        }
    }
    if (!lines.status() && lines.status().error().code == ErrorCode::Cancelled) {
        return lines.status().error();
    }
    broken.report(m_notices, ErrorCode::HistoryBadRow,
                  "Lines that are not operations of Neptune were skipped", source->name(), "lines");
    cutOff.report(m_notices, ErrorCode::Truncated, "The last line is truncated", source->name(),
                  "line", Severity::Info);
    std::ranges::move(lines.notices(), std::back_inserter(m_notices));
    m_bytes += lines.bytesRead();
    return {};
}

bool Operations::addLine(std::string_view line, const std::string& file) {
    const auto record = parseJson(line, file, {.maxDepth = kMaxDepth});
    const JsonValue* operation = record ? record->find("obj") : nullptr;
    const JsonValue* version = record ? record->find("version") : nullptr;
    const auto number = version != nullptr ? version->asUnsigned() : Result<std::uint64_t>(Error());
    if (operation == nullptr || !number || !apply(*operation)) {
        return false;
    }
    noteVersion(*number);
    return true;
}

void Operations::noteVersion(std::uint64_t version) {
    m_missing += version > m_version + 1 ? version - m_version - 1 : 0;
    m_version = std::max(m_version, version);
}

/// False: it is not an operation. Those of text, images and files are not used.
bool Operations::apply(const JsonValue& operation) {
    const std::string type = textIn(operation, "type");
    const JsonValue* names = operation.find("path");
    const auto path = names != nullptr ? names->elements() : std::span<const JsonValue>();
    const std::string name = joined(path);
    if (type.empty() || name.empty()) {
        return false;
    }
    if (type == "LogFloats") {
        return addFloats(name, operation);
    }
    if (type == "ClearFloatLog" || type == "DeleteAttribute") {
        const auto curve = m_curves.find(name);
        if (curve != m_curves.end()) {
            m_points -= curve->second.points.points();
            m_curves.erase(curve);
        }
        if (type == "DeleteAttribute") {
            assign(path, {});
        }
    }
    if (std::ranges::find(kAssigned, type) != kAssigned.end()) {
        const JsonValue* value = operation.find("value");
        if (value == nullptr) {
            return false;
        }
        m_name = name == "sys/name" ? textIn(operation, "value") : m_name;
        const std::string_view first = std::string_view(name).substr(0, name.find('/'));
        if (std::ranges::find(kOfNeptune, first) == kOfNeptune.end()) {
            assign(path, valueOf(*value));
        }
    }
    return true;
}

bool Operations::addFloats(const std::string& name, const JsonValue& operation) {
    const JsonValue* values = operation.find("values");
    if (values == nullptr || name.size() > SeriesTable::kMaxName) {
        return values != nullptr;
    }
    for (const JsonValue& each : values->elements()) {
        const JsonValue* value = each.find("value");
        const JsonValue* step = each.find("step");
        const JsonValue* time = each.find("ts");
        const auto number = value != nullptr ? value->asNumber() : Result<Number>(Error());
        if (!number) {
            return false;
        }
        if (m_curves.size() >= SeriesTable::kMaxColumns && !m_curves.contains(name)) {
            return true;
        }
        Curve& curve = m_curves[name];
        const auto given = step != nullptr ? step->asNumber() : Result<Number>(Error());
        RowPlace place{given ? *given : curve.last + 1};
        place.stepFrom = given ? StepsFrom::Source : StepsFrom::Count;
        const auto seconds = time != nullptr ? time->asReal() : Result<double>(Error());
        place.wall = seconds ? wallTime(*seconds).value_or(kNothing) : kNothing;
        curve.points.add(name, place, *number);
        curve.last = place.step;
        ++m_points;
    }
    return true;
}

void Operations::assign(std::span<const JsonValue> path, Value value) {
    Setting* at = &m_settings;
    for (const JsonValue& each : path) {
        const std::string key(each.asString().value_or(std::string_view()));
        auto member = std::ranges::find(at->members, key, &Setting::key);
        if (member == at->members.end()) {
            if (at->members.size() >= kMaxSettings) {
                return;
            }
            at->members.push_back({key});
            member = std::prev(at->members.end());
        }
        at = &*member;
    }
    at->value = std::move(value);
}

Value Operations::settingsOf(const std::vector<Setting>& members) {
    std::vector<ValueItem> items;
    for (const Setting& setting : members) {
        Value value = setting.members.empty() ? setting.value : settingsOf(setting.members);
        if (value.kind() != ValueKind::Null) {
            items.push_back({Value(std::string_view(setting.key)), std::move(value)});
        }
    }
    return items.empty() ? Value() : Value::dict(std::move(items));
}

HistoryPart Operations::finish() {
    HistoryPart part;
    part.warnings = std::move(m_notices);
    for (auto& [name, curve] : m_curves) {
        std::ranges::move(curve.points.take(), std::back_inserter(part.series));
    }
    if (m_missing > 0) {
        part.warnings.push_back(
            {Severity::Warning,
             fail(ErrorCode::NotFound, "Operations are missing; their files may have been uploaded")
                 .butFound(sentence("%1 of %2 operations", m_version - m_missing, m_version))});
    }
    if (full()) {
        part.warnings.push_back(
            {Severity::Warning,
             fail(ErrorCode::LimitExceeded, "The log has too many points; the rest was not read")});
    }
    part.settings = settingsOf(m_settings.members);
    part.bytes = m_bytes;
    return part;
}

} // namespace cairn::history::neptune
