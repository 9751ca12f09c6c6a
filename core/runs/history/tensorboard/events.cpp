// SPDX-License-Identifier: Apache-2.0
//
// An event file may be 20 GB of which the scalars are a few MB: between them are pictures and
// histograms. Records up to kWholeRecord are read whole and their checksum is compared first.
// Longer ones are walked where they are, and pictures in them are stepped over unread; only when
// such a record turns out to hold a scalar is all of it read, for its checksum.
#include "core/runs/history/tensorboard/events.h"

#include "core/codec/framing/tfrecord.h"
#include "core/codec/protobuf/source_stream.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/growing_file.h"
#include "core/runs/history/common/number_unplaced.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/tensorboard/event.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace cairn::history::tensorboard {
namespace {

constexpr std::uint64_t kWholeRecord = std::uint64_t{1} << 18U;
constexpr std::uint64_t kLongestMessage = std::uint64_t{1}
                                          << 31U;           ///< protobuf's limit for messages
constexpr std::size_t kMaxPlugins = 100'000;                ///< cached tags
constexpr std::size_t kMaxHparams = std::size_t{64} << 20U; ///< total size in one file
constexpr std::uint64_t kRecordsPerCheck = 4096;

/// What the records before an offset gave.
struct Collected {
    SeriesTable table;
    std::size_t lastColumn = 0;
    std::unordered_map<std::string, bool> isScalar; ///< tags with a plugin
    std::vector<ValueItem> settings;
    std::size_t hparamsBytes = 0;
    bool damagedSettings = false;
    std::optional<Number> purgesFrom;
    Damage badChecksums;
    Damage unreadable;
    Damage restarts;
};

/// One reading. A damaged record at the end may still be written: what follows the last valid one
/// is read again the next time.
class EventReader {
public:
    EventReader(const ByteSourcePtr& source, std::uint64_t from, Collected& collected,
                const CancelToken& cancel)
        : m_source(source), m_cancel(cancel), m_records(source, from), m_all(collected),
          m_bytes(from) {}

    Result<HistoryPart> read(Reading reading) {
        while (!m_all.table.full()) {
            if (m_count++ % kRecordsPerCheck == 0) {
                CAIRN_CHECK(m_cancel.check());
            }
            auto proceed = step();
            if (!proceed && !endsReading(proceed.error())) {
                return std::move(proceed).error();
            }
            if (!proceed || !*proceed) {
                break;
            }
        }
        if (m_all.table.full()) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded,
                      "The file exceeds the limit of points; the rest was not read")
                     .inFile(m_source->name())
                     .at(m_bytes)
                     .expecting(sentence("at most %1 points", SeriesTable::kMaxPoints))});
        }
        HistoryPart part = finish(reading);
        if (m_kept) {
            m_all = *std::move(m_kept);
        }
        return part;
    }

    /// The end of the last valid record.
    [[nodiscard]] std::uint64_t end() const { return m_end; }

private:
    /// Before what a damaged record adds.
    void keepState() {
        if (!m_kept) {
            m_kept = m_all;
        }
    }

    /// A read error after valid records is handled like damage.
    bool endsReading(const Error& error) {
        if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::ChangedOnDisk ||
            m_all.table.points() == 0) {
            return false;
        }
        m_notices.push_back({Severity::Warning, error});
        return true;
    }

    /// Reads one record; false at the end.
    Result<bool> step() {
        CAIRN_TRY(const TfRecord record, m_records.next());
        m_bytes = record.offset;
        if (record.state != TfRecordState::Record) {
            noteEnd(record);
            return false;
        }
        if (record.data.length <= kWholeRecord) {
            CAIRN_CHECK(readShort(record));
        } else if (record.data.length < kLongestMessage) {
            CAIRN_CHECK(readLong(record));
        } else {
            m_all.unreadable.add(record.offset);
        }
        return true;
    }

    void addBadChecksum(const TfRecord& record) {
        keepState();
        m_all.badChecksums.add(record.offset);
    }

    void valid(const TfRecord& record) {
        m_kept.reset();
        m_end = record.data.end() + TfRecordReader::kFootBytes;
    }

    Result<void> readShort(const TfRecord& record) {
        CAIRN_TRY(const auto content, m_records.content());
        if (!content.holds) {
            addBadChecksum(record);
            return {};
        }
        valid(record);
        protobuf::Input input(reinterpret_cast<const std::uint8_t*>(content.bytes.data()),
                              static_cast<int>(content.bytes.size()));
        if (readEvent(input, m_event)) {
            keep(record.offset);
        } else {
            m_all.unreadable.add(record.offset);
        }
        return {};
    }

    Result<void> readLong(const TfRecord& record) {
        CAIRN_CHECK(m_cancel.check());
        protobuf::SourceStream stream(*m_source, record.data);
        protobuf::Input input(&stream);
        input.PushLimit(static_cast<int>(record.data.length));
        const bool sound = readEvent(input, m_event);
        if (stream.failure()) {
            return *stream.failure();
        }
        if (!sound) {
            keepState(); // its checksum is not compared
            m_all.unreadable.add(record.offset);
        } else if (m_event.valueCount > 0 || m_event.sessionStart) {
            CAIRN_TRY(const bool holds, m_records.checksumHolds(m_cancel));
            if (holds) {
                valid(record);
                keep(record.offset);
            } else {
                addBadChecksum(record);
            }
        }
        return {};
    }

    void noteEnd(const TfRecord& record) {
        const auto note = [&](ErrorCode code, Sentence message) -> Error& {
            m_notices.push_back({Severity::Warning,
                                 fail(code, message).inFile(m_source->name()).at(record.offset)});
            return m_notices.back().error;
        };
        const Sentence rest =
            sentence("%1 bytes at the end of the file", m_source->size() - record.offset);
        switch (record.state) {
        case TfRecordState::Truncated:
            note(ErrorCode::Truncated, "The last record is truncated").hint =
                "This is normal while the run is in progress; refresh later";
            break;
        case TfRecordState::Zeros:
            note(ErrorCode::ZeroFilled, "The rest of the file contains only zeros").found = rest;
            break;
        case TfRecordState::Damaged:
            note(ErrorCode::BadChecksum,
                 "A record's length is damaged; the records after it cannot be read")
                .found = sentence("%1 skipped", rest);
            break;
        case TfRecordState::End:
            if (m_source->size() == 0) {
                note(ErrorCode::EmptyFile, "The file is empty");
            }
            m_bytes = m_source->size();
            break;
        case TfRecordState::Record:
            break;
        }
    }

    /// Keeps the values of a valid event.
    void keep(std::uint64_t offset) {
        const Number step = m_event.step;
        if (m_event.sessionStart) {
            m_all.purgesFrom = std::min(step, m_all.purgesFrom.value_or(step));
            if (m_all.table.points() > 0) {
                m_all.restarts.add(offset);
            }
        }
        for (std::size_t i = 0; i < m_event.valueCount; ++i) {
            const SummaryValue& value = m_event.values[i];
            const bool isScalar = belongsToScalars(value);
            const RowPlace place{step, kNothing, m_event.wallTime};
            if (value.simpleValue) {
                m_all.lastColumn = m_all.table.columnNear(value.tag, m_all.lastColumn + 1);
                m_all.table.add(m_all.lastColumn, place, static_cast<double>(*value.simpleValue));
            } else if (value.tensorValue && isScalar) {
                m_all.lastColumn = m_all.table.columnNear(value.tag, m_all.lastColumn + 1);
                m_all.table.add(m_all.lastColumn, place, *value.tensorValue);
            }
        }
    }

    /// Only the first value of a tag contains the plugin of its tensors.
    bool belongsToScalars(const SummaryValue& value) {
        if (value.hasPlugin && m_all.isScalar.size() < kMaxPlugins) {
            const bool isScalar = value.plugin.empty() || value.plugin == "scalars";
            const bool fresh = m_all.isScalar.emplace(value.tag, isScalar).second;
            if (fresh && value.plugin == "hparams") {
                takeHparams(value.pluginContent);
            }
        }
        if (!value.tensorValue) {
            return false;
        }
        const auto known = m_all.isScalar.find(value.tag);
        return known == m_all.isScalar.end() || known->second;
    }

    void takeHparams(const std::string& content) {
        m_all.hparamsBytes += content.size();
        if (m_all.hparamsBytes <= kMaxHparams && !readHparams(content, m_all.settings)) {
            m_all.damagedSettings = true;
        }
    }

    HistoryPart finish(Reading reading) {
        const std::string& name = m_source->name();
        HistoryPart part;
        m_all.badChecksums.report(m_notices, ErrorCode::BadChecksum,
                                  "Records with a checksum mismatch were skipped", name, "records");
        m_all.unreadable.report(m_notices, ErrorCode::BadEncoding,
                                "Records that are not events were skipped", name, "records");
        m_all.restarts.report(m_notices, ErrorCode::BeingWritten,
                              "Training was restarted and continued this file", name, "starts",
                              Severity::Info);
        if (m_all.damagedSettings) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::BadEncoding, "The settings of the hparams plugin are damaged")
                     .inFile(name)});
        }
        if (m_all.hparamsBytes > kMaxHparams) {
            m_notices.push_back({Severity::Warning,
                                 fail(ErrorCode::LimitExceeded, "More settings than can be shown")
                                     .inFile(name)
                                     .inField("settings")});
        }
        part.warnings = std::move(m_notices);
        const std::vector<Notice> limits = m_all.table.notices();
        part.warnings.insert(part.warnings.end(), limits.begin(), limits.end());
        const bool once = reading == Reading::Once;
        part.series = once ? m_all.table.take() : m_all.table.copy();
        part.bytes = m_bytes;
        part.purgesFrom = m_all.purgesFrom;
        placeByMeaning(part.series);
        numberUnplaced(part);
        if (!m_all.settings.empty()) {
            part.settings = Value::dict(m_all.settings);
        }
        return part;
    }

    /// Keras' callback logs the metrics of an epoch with the epoch as step.
    static void placeByMeaning(std::vector<MetricSeries>& all) {
        for (MetricSeries& series : all) {
            if (series.name.starts_with("epoch_")) {
                series.stepsFrom = StepsFrom::Epoch;
                series.epochs = series.steps;
            }
        }
    }

    const ByteSourcePtr& m_source;
    const CancelToken& m_cancel;
    TfRecordReader m_records;
    Event m_event;
    Collected& m_all;
    std::optional<Collected> m_kept; ///< at m_end, if damaged records followed
    std::vector<Notice> m_notices;
    std::uint64_t m_count = 0;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_end = 0;
};

/// The events of a file, and those that were appended since (growing_file.h).
class Events {
public:
    Result<HistoryPart> read(const ByteSourcePtr& source, const HistoryCandidate& /*candidate*/,
                             std::uint64_t from, Reading reading, const CancelToken& cancel) {
        EventReader reader(source, from, m_collected, cancel);
        CAIRN_TRY(HistoryPart part, reader.read(reading));
        m_end.offset = std::max(from, reader.end());
        return part;
    }

    [[nodiscard]] const ReadEnd& end() const { return m_end; }

private:
    Collected m_collected;
    ReadEnd m_end;
};

} // namespace

Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel) {
    return Events().read(source, {}, 0, Reading::Once, cancel);
}

std::unique_ptr<GrowingHistory> followEvents() {
    return GrowingFile<Events>::make();
}

} // namespace cairn::history::tensorboard
