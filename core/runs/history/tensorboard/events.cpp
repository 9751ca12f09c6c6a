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
#include "core/runs/history/common/number_unplaced.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/tensorboard/event.h"

#include <algorithm>
#include <unordered_map>

namespace cairn::history::tensorboard {
namespace {

constexpr std::uint64_t kWholeRecord = std::uint64_t{1} << 18U;
constexpr std::uint64_t kLongestMessage = std::uint64_t{1}
                                          << 31U;           ///< protobuf's limit for messages
constexpr std::size_t kMaxPlugins = 100'000;                ///< cached tags
constexpr std::size_t kMaxHparams = std::size_t{64} << 20U; ///< total size in one file
constexpr std::uint64_t kRecordsPerCheck = 4096;

class EventReader {
public:
    EventReader(const ByteSourcePtr& source, const CancelToken& cancel)
        : m_source(source), m_cancel(cancel), m_records(source) {}

    Result<HistoryPart> read() {
        while (!m_table.full()) {
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
        if (m_table.full()) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded,
                      "The file exceeds the limit of points; the rest was not read")
                     .inFile(m_source->name())
                     .at(m_bytes)
                     .expecting(sentence("at most %1 points", SeriesTable::kMaxPoints))});
        }
        return finish();
    }

private:
    /// A read error after valid records is handled like damage.
    bool endsReading(const Error& error) {
        if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::ChangedOnDisk ||
            m_table.points() == 0) {
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
            m_unreadable.add(record.offset);
        }
        return true;
    }

    Result<void> readShort(const TfRecord& record) {
        CAIRN_TRY(const auto content, m_records.content());
        if (!content.holds) {
            m_badChecksums.add(record.offset);
            return {};
        }
        protobuf::Input input(reinterpret_cast<const std::uint8_t*>(content.bytes.data()),
                              static_cast<int>(content.bytes.size()));
        if (readEvent(input, m_event)) {
            keep(record.offset);
        } else {
            m_unreadable.add(record.offset);
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
            m_unreadable.add(record.offset);
        } else if (m_event.valueCount > 0 || m_event.sessionStart) {
            CAIRN_TRY(const bool holds, m_records.checksumHolds(m_cancel));
            if (holds) {
                keep(record.offset);
            } else {
                m_badChecksums.add(record.offset);
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
        const auto step = static_cast<double>(m_event.step);
        if (m_event.sessionStart) {
            m_purgesFrom = std::min(step, m_purgesFrom.value_or(step));
            if (m_table.points() > 0) {
                m_restarts.add(offset);
            }
        }
        for (std::size_t i = 0; i < m_event.valueCount; ++i) {
            const SummaryValue& value = m_event.values[i];
            const bool isScalar = belongsToScalars(value);
            const RowPlace place{step, kNothing, m_event.wallTime};
            if (value.simpleValue) {
                m_lastColumn = m_table.columnNear(value.tag, m_lastColumn + 1);
                m_table.add(m_lastColumn, place, static_cast<double>(*value.simpleValue));
            } else if (value.tensorValue && isScalar) {
                m_lastColumn = m_table.columnNear(value.tag, m_lastColumn + 1);
                m_table.add(m_lastColumn, place, *value.tensorValue);
            }
        }
    }

    /// Only the first value of a tag contains the plugin of its tensors.
    bool belongsToScalars(const SummaryValue& value) {
        if (value.hasPlugin && m_isScalar.size() < kMaxPlugins) {
            const bool isScalar = value.plugin.empty() || value.plugin == "scalars";
            const bool fresh = m_isScalar.emplace(value.tag, isScalar).second;
            if (fresh && value.plugin == "hparams") {
                takeHparams(value.pluginContent);
            }
        }
        if (!value.tensorValue) {
            return false;
        }
        const auto known = m_isScalar.find(value.tag);
        return known == m_isScalar.end() || known->second;
    }

    void takeHparams(const std::string& content) {
        m_hparamsBytes += content.size();
        if (m_hparamsBytes <= kMaxHparams && !readHparams(content, m_settings)) {
            m_damagedSettings = true;
        }
    }

    Result<HistoryPart> finish() {
        const std::string& name = m_source->name();
        HistoryPart part;
        m_badChecksums.report(m_notices, ErrorCode::BadChecksum,
                              "Records with a checksum mismatch were skipped", name, "records");
        m_unreadable.report(m_notices, ErrorCode::BadEncoding,
                            "Records that are not events were skipped", name, "records");
        m_restarts.report(m_notices, ErrorCode::BeingWritten,
                          "Training was restarted and continued this file", name, "starts",
                          Severity::Info);
        if (m_damagedSettings) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::BadEncoding, "The settings of the hparams plugin are damaged")
                     .inFile(name)});
        }
        if (m_hparamsBytes > kMaxHparams) {
            m_notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded, "More settings than can be shown").inFile(name)});
        }
        part.warnings = std::move(m_notices);
        const std::vector<Notice> limits = m_table.notices();
        part.warnings.insert(part.warnings.end(), limits.begin(), limits.end());
        part.series = m_table.take();
        part.bytes = m_bytes;
        part.purgesFrom = m_purgesFrom;
        placeByMeaning(part.series);
        numberUnplaced(part);
        if (!m_settings.empty()) {
            part.settings = Value::dict(std::move(m_settings));
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
    SeriesTable m_table;
    std::size_t m_lastColumn = 0;
    std::unordered_map<std::string, bool> m_isScalar; ///< tags with a plugin
    std::vector<ValueItem> m_settings;
    std::size_t m_hparamsBytes = 0;
    bool m_damagedSettings = false;
    std::optional<double> m_purgesFrom;
    std::vector<Notice> m_notices;
    Damage m_badChecksums;
    Damage m_unreadable;
    Damage m_restarts;
    std::uint64_t m_count = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace

Result<HistoryPart> readEvents(const ByteSourcePtr& source, const CancelToken& cancel) {
    return EventReader(source, cancel).read();
}

} // namespace cairn::history::tensorboard
