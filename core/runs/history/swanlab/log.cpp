// SPDX-License-Identifier: Apache-2.0
//
// swanlab/sdk/internal/core_python/store: a header of seven bytes (":SWL", the magic number 0xE1D6,
// version 2), then records in LevelDB's blocks. swanlab/proto, in swanlab 0.10:
//   Record       10 start, 11 finish, 13 scalar
//   StartRecord  4 name
//   ScalarRecord 1 key, 2 step, 4 timestamp, 5 value
//   Timestamp    1 seconds, 2 nanoseconds; ScalarValue 1 number
// Fields that are 0 are not written.
#include "core/runs/history/swanlab/log.h"

#include "core/base/endian.h"
#include "core/codec/protobuf/wire.h"
#include "core/runs/history/common/block_log_notices.h"
#include "core/runs/history/common/call_steps.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/series_table.h"

#include <optional>
#include <string>

namespace cairn::history::swanlab {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr std::string_view kHead(":SWL\xD6\xE1\x02", 7);
constexpr std::size_t kMaxRecord = std::size_t{64} << 20U;
constexpr int kMaxName = 4096;
constexpr std::int64_t kLatest = 4'102'444'800; ///< seconds: the year 2100
constexpr std::size_t kFirstRecords = 10;       ///< in which the run's name is

struct Scalar {
    std::string key;
    std::int64_t step = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    double value = 0;
};

struct Record {
    std::optional<Scalar> scalar;
    std::string name; ///< of the run
    bool isEnd = false;
};

bool readScalar(Input& input, Scalar& scalar) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readName(input, scalar.key, kMaxName);
        case tag(2, Wire::Varint):
            return protobuf::readInt64(input, scalar.step);
        case tag(4, Wire::Length):
            return protobuf::walkMessage(input, [&](std::uint32_t part) {
                return part == tag(1, Wire::Varint) ? protobuf::readInt64(input, scalar.seconds)
                       : part == tag(2, Wire::Varint)
                           ? protobuf::readInt64(input, scalar.nanoseconds)
                           : protobuf::skipField(input, part);
            });
        case tag(5, Wire::Length):
            return protobuf::walkMessage(input, [&](std::uint32_t part) {
                return part == tag(1, Wire::Fixed64) ? protobuf::readDouble(input, scalar.value)
                                                     : protobuf::skipField(input, part);
            });
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readRecord(std::span<const std::byte> bytes, Record& record) {
    Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                static_cast<int>(bytes.size()));
    return protobuf::walkFields(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(10, Wire::Length):
            return protobuf::walkMessage(input, [&](std::uint32_t part) {
                return part == tag(4, Wire::Length)
                           ? protobuf::readName(input, record.name, kMaxName)
                           : protobuf::skipField(input, part);
            });
        case tag(11, Wire::Length):
            record.isEnd = true;
            return protobuf::skipField(input, field);
        case tag(13, Wire::Length):
            return readScalar(input, record.scalar.emplace());
        default:
            return protobuf::skipField(input, field);
        }
    });
}

} // namespace

bool isLogHead(std::span<const std::byte> head) {
    return asText(head).starts_with(kHead);
}

Result<HistoryPart> readLog(const ByteSourcePtr& source, const CancelToken& cancel) {
    BlockLogReader log(source, kHead.size(), kMaxRecord, cancel);
    SeriesTable table;
    CallSteps calls;
    Damage unreadable;
    HistoryPart part;
    bool isEnded = false;
    while (!table.full()) {
        CAIRN_TRY(const auto bytes, log.next());
        if (!bytes) {
            break;
        }
        Record record;
        if (!readRecord(*bytes, record)) {
            unreadable.add(log.position());
            continue;
        }
        isEnded = isEnded || record.isEnd;
        if (record.scalar) {
            const Scalar& scalar = *record.scalar;
            RowPlace place;
            place.step = scalar.step;
            place.strength = Strength::Named;
            if (scalar.seconds > 0 && scalar.seconds < kLatest && scalar.nanoseconds >= 0 &&
                scalar.nanoseconds < 1'000'000'000) {
                place.wall =
                    static_cast<double>(scalar.seconds * 1'000'000 + scalar.nanoseconds / 1000) /
                    1e6;
            }
            calls.note(place.step);
            table.add(scalar.key, place, scalar.value);
        }
    }
    noteDamage(log.damage(), source->name(), part.warnings);
    unreadable.report(part.warnings, ErrorCode::BadEncoding,
                      "Records that are not SwanLab records were skipped", source->name(),
                      "records");
    for (Notice& notice : table.notices()) {
        part.warnings.push_back(std::move(notice));
    }
    if (!isEnded) {
        part.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::BeingWritten, "The log does not record the end of the run")
                 .inFile(source->name())
                 .withHint("The run is in progress, or was killed")});
    }
    part.series = table.take();
    for (MetricSeries& series : part.series) {
        series.stepsStrength = calls.ofCaller() ? Strength::Recorded : series.stepsStrength;
    }
    part.bytes = log.position();
    return part;
}

std::string runNameIn(const ByteSourcePtr& source) {
    BlockLogReader log(source, kHead.size(), kMaxRecord);
    Record record;
    for (std::size_t i = 0; i < kFirstRecords && record.name.empty(); ++i) {
        const auto bytes = log.next();
        if (!bytes || !*bytes || !readRecord(**bytes, record)) {
            break;
        }
    }
    return record.name;
}

} // namespace cairn::history::swanlab
