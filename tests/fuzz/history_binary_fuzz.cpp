// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/io/hash.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/mlflow/metric_file.h"
#include "core/runs/history/mlflow/run_info.h"
#include "core/runs/history/mlflow_db/store.h"
#include "core/runs/history/optuna/store.h"
#include "core/runs/history/swanlab/log.h"
#include "core/runs/history/tensorboard/events.h"
#include "core/runs/history/trackio/store.h"
#include "core/runs/history/wandb/log.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The first byte chooses a source, the rest is its file. For any content there is a result, the
// columns of a curve have equal length, and no more bytes are reported than exist.

namespace {

using namespace cairn;
using Bytes = std::span<const std::byte>;

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

void examine(const Result<HistoryPart>& part, std::size_t size) {
    if (!part) {
        require(!part.error().message.empty());
        return;
    }
    require(part->bytes <= size);
    for (const MetricSeries& series : part->series) {
        require(series.size() > 0 && series.steps.size() == series.size());
        require(series.epochs.empty() || series.epochs.size() == series.size());
        require(series.wall.empty() || series.wall.size() == series.size());
        const std::vector<std::size_t> restarts = restartsOf(series);
        require(std::is_sorted(restarts.begin(), restarts.end()));
        require(restarts.empty() || restarts.back() < series.size());
    }
}

ByteSourcePtr sourceOf(Bytes bytes) {
    return makeMemorySource({bytes.begin(), bytes.end()}, "fuzz");
}

template <class T> void append(std::vector<std::byte>& out, T number) {
    std::array<std::byte, sizeof(T)> bytes{};
    storeLittle(std::span(bytes), 0, number);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

/// The bytes as one TensorFlow record with correct checksums, so that the message is parsed.
std::vector<std::byte> asRecord(Bytes message) {
    std::vector<std::byte> file;
    append(file, static_cast<std::uint64_t>(message.size()));
    append(file, maskedCrc32c(crc32c(0, file)));
    file.insert(file.end(), message.begin(), message.end());
    append(file, maskedCrc32c(crc32c(0, message)));
    return file;
}

/// The bytes as one piece of a W&B log.
std::vector<std::byte> asLog(Bytes message) {
    const Bytes head = asBytes(std::string_view(":W&B\xE1\xBE\0", 7));
    std::vector<std::byte> file(head.begin(), head.end());
    std::vector<std::byte> covered{std::byte{1}};
    const Bytes fitting = message.first(std::min<std::size_t>(message.size(), 32000));
    covered.insert(covered.end(), fitting.begin(), fitting.end());
    append(file, crc32(0, covered));
    append(file, static_cast<std::uint16_t>(fitting.size()));
    file.insert(file.end(), covered.begin(), covered.end());
    return file;
}

void readMetrics(Bytes bytes) {
    history::SeriesTable table;
    std::vector<Notice> notices;
    const auto read = history::mlflow::readMetricFile(sourceOf(bytes), "m", table, notices, {});
    require(read && *read == bytes.size());
    HistoryPart part;
    part.series = table.take();
    examine(part, 0);
}

/// Two bytes give the size in KiB of the write-ahead log at the end.
void readDatabase(const history::sqlite::Store& store, Bytes bytes) {
    const std::size_t log =
        bytes.size() < 2 ? 0 : std::size_t{loadLittle<std::uint16_t>(bytes)} * 1024;
    bytes = bytes.subspan(std::min<std::size_t>(bytes.size(), 2));
    const Bytes database = bytes.first(bytes.size() - std::min(log, bytes.size()));
    history::sqlite::DatabaseFiles files{sourceOf(database), nullptr, nullptr};
    if (database.size() < bytes.size()) {
        files.wal = sourceOf(bytes.subspan(database.size()));
    }
    examine(history::sqlite::readStore(store, std::move(files), {}, {}), bytes.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    switch (data[0]) {
    case 'e':
        examine(history::tensorboard::readEvents(sourceOf(bytes), {}), bytes.size());
        break;
    case 'E': {
        const auto file = asRecord(bytes);
        examine(history::tensorboard::readEvents(sourceOf(file), {}), file.size());
        break;
    }
    case 'w':
        examine(history::wandb::readLog(sourceOf(bytes), {}), bytes.size());
        break;
    case 'W': {
        const auto file = asLog(bytes);
        examine(history::wandb::readLog(sourceOf(file), {}), file.size());
        break;
    }
    case 'm':
        readMetrics(bytes);
        break;
    case 'y':
        static_cast<void>(history::mlflow::parseRunInfo(std::string(asText(bytes)), "meta.yaml"));
        break;
    case 'd':
        readDatabase(history::mlflow_db::kStore, bytes);
        break;
    case 's':
        examine(history::swanlab::readLog(sourceOf(bytes), {}), bytes.size());
        break;
    case 'o':
        readDatabase(history::optuna::kStore, bytes);
        break;
    case 't':
        readDatabase(history::trackio::kStore, bytes);
        break;
    default:
        return -1; // not useful in the corpus
    }
    return 0;
}
