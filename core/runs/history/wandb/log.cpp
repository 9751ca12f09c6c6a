// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/log.h"

#include "core/base/endian.h"
#include "core/codec/framing/block_log.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/block_log_notices.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/growing_file.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/wandb/record.h"
#include "core/runs/history/wandb/settings.h"
#include "core/runs/history/wandb/step_axes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace cairn::history::wandb {
namespace {

constexpr std::size_t kHeadBytes = 7;
constexpr std::uint16_t kMagic = 0xBEE1;
constexpr std::size_t kMaxRecord = std::size_t{64} << 20U;
constexpr std::uint64_t kRecordsPerCheck = 256;
constexpr std::size_t kFirstRecords = 8; ///< one of the first records describes the run

std::optional<Number> numberOf(std::string_view json) {
    double value = 0;
    const char* end = json.data() + json.size();
    const auto [stop, error] = std::from_chars(json.data(), end, value);
    if (error == std::errc() && stop == end) {
        // including "inf" and "nan", which from_chars accepts but JSON does not contain
        return Number{value, restOfText(json)};
    }
    if (json == "NaN") {
        return Number{std::numeric_limits<double>::quiet_NaN()};
    }
    if (json == "Infinity" || json == "-Infinity") {
        const double infinity = std::numeric_limits<double>::infinity();
        return Number{json.front() == '-' ? -infinity : infinity};
    }
    return std::nullopt;
}

/// What the records before an offset gave.
struct Collected {
    SeriesTable table;
    std::size_t column = 0;
    StepAxes axes;
    std::vector<MetricGoal> goals;
    Settings settings;
    Damage unreadable;
    std::optional<std::int64_t> exitCode;
    BlockLogDamage damage; ///< of the log before that offset
};

/// One reading. What follows the last complete record is read again the next time.
class LogReader {
public:
    LogReader(const ByteSourcePtr& source, std::uint64_t from, Collected& collected,
              const CancelToken& cancel)
        : m_source(source), m_cancel(cancel),
          m_log(source, std::max<std::uint64_t>(from, kHeadBytes), kMaxRecord, cancel,
                collected.damage),
          m_all(collected), m_end(from) {}

    Result<HistoryPart> read(Reading reading) {
        for (std::uint64_t count = 0; !m_all.table.full(); ++count) {
            if (count % kRecordsPerCheck == 0) {
                CAIRN_CHECK(m_cancel.check());
            }
            m_offset = m_log.position();
            auto bytes = m_log.next();
            if (!bytes) {
                CAIRN_CHECK(endOfReading(std::move(bytes).error()));
                break;
            }
            if (!*bytes) {
                break;
            }
            take(**bytes);
            m_end = m_log.position();
            m_all.damage = m_log.damage();
        }
        return finish(reading);
    }

    /// The end of the last complete record.
    [[nodiscard]] std::uint64_t end() const { return m_end; }

private:
    /// A read error after valid records is handled like damage.
    Result<void> endOfReading(Error error) {
        if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::ChangedOnDisk ||
            m_all.table.points() == 0) {
            return error;
        }
        m_notices.push_back({Severity::Warning, std::move(error)});
        return {};
    }

    void take(std::span<const std::byte> bytes) {
        protobuf::Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                              static_cast<int>(bytes.size()));
        if (!readRecord(input, m_record)) {
            m_all.unreadable.add(m_offset);
            return;
        }
        switch (m_record.kind) {
        case Record::Kind::History:
            takeRow();
            break;
        case Record::Kind::Config:
            m_all.settings.apply(m_record);
            break;
        case Record::Kind::Metric:
            takeMetric(m_record.metric);
            break;
        case Record::Kind::Exit:
            m_all.exitCode = m_record.exitCode;
            break;
        case Record::Kind::Other:
            break;
        }
    }

    void takeMetric(const MetricDefinition& metric) {
        MetricGoal goal{metric.name, names::Direction::Unknown, metric.goal != 0, {}};
        if (metric.goal != 0 || metric.smallest != metric.largest) {
            const bool larger = metric.goal != 0 ? metric.goal == 2 : metric.largest;
            goal.better = larger ? names::Direction::Larger : names::Direction::Smaller;
            m_all.goals.push_back(goal);
        }
        if (!metric.stepMetric.empty()) {
            m_all.axes.define(std::move(goal), metric.stepMetric);
        }
    }

    void takeRow() {
        RowPlace place{kNothing, kNothing, kNothing};
        place.step = m_record.step.value_or(0);
        m_numbers.resize(m_record.itemCount);
        findObjects();
        for (std::size_t i = 0; i < m_record.itemCount; ++i) {
            const Item& item = m_record.items[i];
            m_numbers[i] = numberOf(item.json);
            if (!m_numbers[i]) {
                continue;
            }
            if (item.name == "_step") {
                place.step = *m_numbers[i];
            } else if (item.name == "_timestamp") {
                place.wall = m_numbers[i]->nearest;
            } else if (namesEpoch(item.name)) {
                place.epoch = m_numbers[i]->nearest;
            }
            if (item.name != "_step") {
                m_all.axes.note(item.name, *m_numbers[i]);
            }
        }
        m_all.axes.noteCall(place.step);
        for (std::size_t i = 0; i < m_record.itemCount; ++i) {
            const Item& item = m_record.items[i];
            if (item.name == "_step" || item.name == "_timestamp" || item.name == "_runtime" ||
                isOfObject(item.name)) {
                continue;
            }
            if (m_numbers[i]) {
                add(item.name, place, *m_numbers[i]);
            } else if (item.json.starts_with('{')) {
                takeObject(item, place);
            }
        }
    }

    /// A table or an image is a dict with "_type", which the writer may have split into its
    /// members.
    void findObjects() {
        constexpr std::string_view kType = "._type";
        m_objects.clear();
        for (std::size_t i = 0; i < m_record.itemCount; ++i) {
            const std::string_view name = m_record.items[i].name;
            if (name.ends_with(kType)) {
                m_objects.push_back(
                    name.substr(0, name.size() - kType.size() + 1)); // including the dot
            }
        }
    }
    [[nodiscard]] bool isOfObject(std::string_view name) const {
        return std::ranges::any_of(
            m_objects, [&](std::string_view object) { return name.starts_with(object); });
    }

    void add(std::string_view name, const RowPlace& row, Number value) {
        m_all.column = m_all.table.columnNear(name, m_all.column + 1);
        m_all.table.add(m_all.column, m_all.axes.placeOf(name, row), value);
    }

    /// Numbers in a dict, unless W&B marks it as an image, a table or a histogram.
    void takeObject(const Item& item, const RowPlace& place) {
        JsonOptions options;
        options.maxDepth = 64;
        options.maxValues = 100'000;
        const auto json = parseJson(item.json, "history", options);
        if (!json) {
            m_all.unreadable.add(m_offset);
            return;
        }
        std::vector<std::pair<std::string, const JsonValue*>> open{{item.name, &*json}};
        while (!open.empty()) {
            const auto [name, value] = std::move(open.back());
            open.pop_back();
            if (value->find("_type") != nullptr) {
                continue;
            }
            const auto members = value->members();
            for (auto member = members.rbegin(); member != members.rend(); ++member) {
                open.emplace_back(name + "." + member->key, &member->value);
            }
            if (const auto number = value->asNumber()) {
                add(name, place, *number);
            }
        }
    }

    void noteLogDamage() {
        const std::string& name = m_source->name();
        noteDamage(m_log.damage(), name, m_notices);
        m_all.unreadable.report(m_notices, ErrorCode::BadEncoding,
                                "Records that are not W&B records were skipped", name, "records");
    }

    void noteSettings() {
        Damage damaged;
        if (m_all.settings.damaged() > 0) {
            damaged.add(0, m_all.settings.damaged());
        }
        damaged.report(m_notices, ErrorCode::JsonSyntax, "Settings could not be read",
                       m_source->name(), "settings");
        if (m_all.settings.full()) {
            m_notices.push_back({Severity::Warning,
                                 fail(ErrorCode::LimitExceeded, "More settings than can be shown")
                                     .inFile(m_source->name())
                                     .inField("settings")});
        }
    }

    void noteEnd() {
        if (m_all.table.full()) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded,
                      "The file exceeds the limit of points; the rest was not read")
                     .inFile(m_source->name())
                     .at(m_log.position())
                     .expecting(sentence("at most %1 points", SeriesTable::kMaxPoints))});
        } else if (!m_all.exitCode) {
            m_notices.push_back(
                {Severity::Info,
                 fail(ErrorCode::BeingWritten, "The log does not record the end of the run")
                     .inFile(m_source->name())
                     .withHint("The run is in progress, or was killed")});
        } else if (*m_all.exitCode != 0) {
            m_notices.push_back(
                {Severity::Info, fail(ErrorCode::BeingWritten, "The run ended with an error")
                                     .inFile(m_source->name())
                                     .butFound(sentence("exit code %1", *m_all.exitCode))});
        }
    }

    HistoryPart finish(Reading reading) {
        noteLogDamage();
        noteSettings();
        noteEnd();
        HistoryPart part;
        part.warnings = std::move(m_notices);
        const std::vector<Notice> limits = m_all.table.notices();
        part.warnings.insert(part.warnings.end(), limits.begin(), limits.end());
        part.series = reading == Reading::Once ? m_all.table.take() : m_all.table.copy();
        for (MetricSeries& series : part.series) {
            series.stepsStrength =
                m_all.axes.callsAreSteps() ? Strength::Recorded : series.stepsStrength;
        }
        part.settings = m_all.settings.value();
        part.goals = m_all.goals;
        part.bytes = m_log.position();
        return part;
    }

    const ByteSourcePtr& m_source;
    const CancelToken& m_cancel;
    BlockLogReader m_log;
    Record m_record;
    std::vector<std::optional<Number>> m_numbers; ///< numbers of the row's items
    std::vector<std::string_view> m_objects;      ///< prefixes of names in the row
    Collected& m_all;
    std::vector<Notice> m_notices;
    std::uint64_t m_offset = 0;
    std::uint64_t m_end;
};

/// Whether the file is a log. Fails: NotACheckpoint, Unsupported, and the errors of reading.
Result<void> checkHead(const ByteSource& source) {
    std::array<std::byte, kHeadBytes> head{};
    if (source.size() >= head.size()) {
        CAIRN_CHECK(source.readAt(0, head));
    }
    if (!isLogHead(head)) {
        return fail(ErrorCode::NotACheckpoint, "Not a W&B log")
            .inFile(source.name())
            .at(0)
            .expecting("the bytes 3a 57 26 42 e1 be");
    }
    if (head[6] != std::byte{0}) {
        return fail(ErrorCode::Unsupported, "Unsupported log version")
            .inFile(source.name())
            .at(6)
            .butFound(sentence("version %1", static_cast<int>(head[6])))
            .expecting("version 0");
    }
    return {};
}

/// The records of a file, and those that were appended since (growing_file.h).
class Log {
public:
    Result<HistoryPart> read(const ByteSourcePtr& source, const HistoryCandidate& /*candidate*/,
                             std::uint64_t from, Reading reading, const CancelToken& cancel) {
        if (source->size() == 0) {
            HistoryPart part;
            part.warnings.push_back(
                {Severity::Warning,
                 fail(ErrorCode::EmptyFile, "The file is empty").inFile(source->name())});
            return part;
        }
        CAIRN_CHECK(checkHead(*source));
        LogReader reader(source, from, m_collected, cancel);
        CAIRN_TRY(HistoryPart part, reader.read(reading));
        m_end.offset = reader.end();
        return part;
    }

    [[nodiscard]] const ReadEnd& end() const { return m_end; }

private:
    Collected m_collected;
    ReadEnd m_end;
};

} // namespace

bool isLogHead(std::span<const std::byte> head) {
    return head.size() >= kHeadBytes && asText(head).starts_with(":W&B") &&
           loadLittle<std::uint16_t>(head, 4) == kMagic;
}

std::string runNameIn(const ByteSourcePtr& source) {
    std::array<std::byte, kHeadBytes> head{};
    if (source->size() < head.size() || !source->readAt(0, head) || !isLogHead(head)) {
        return {};
    }
    BlockLogReader log(source, kHeadBytes, kMaxRecord);
    Record record;
    for (std::size_t i = 0; i < kFirstRecords && record.runName.empty(); ++i) {
        const auto bytes = log.next();
        if (!bytes || !*bytes) {
            break;
        }
        protobuf::Input input(reinterpret_cast<const std::uint8_t*>((*bytes)->data()),
                              static_cast<int>((*bytes)->size()));
        if (!readRecord(input, record)) {
            break;
        }
    }
    return record.runName;
}

Result<HistoryPart> readLog(const ByteSourcePtr& source, const CancelToken& cancel) {
    return Log().read(source, {}, 0, Reading::Once, cancel);
}

std::unique_ptr<GrowingHistory> followLog() {
    return GrowingFile<Log>::make();
}

} // namespace cairn::history::wandb
