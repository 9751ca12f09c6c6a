// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/runs/history/history.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::tensorboard {
extern const HistoryReader kReader;
}
namespace cairn::history::wandb {
extern const HistoryReader kReader;
}
namespace cairn::history::mlflow {
extern const HistoryReader kReader;
}
namespace cairn::history::mlflow_db {
extern const HistoryReader kReader;
}
namespace cairn::history::optuna {
extern const HistoryReader kReader;
}
namespace cairn::history::trackio {
extern const HistoryReader kReader;
}
namespace cairn::history::ray_tune {
extern const HistoryReader kReader;
}
namespace cairn::history::stable_baselines3 {
extern const HistoryReader kReader;
}
namespace cairn::history::swanlab {
extern const HistoryReader kReader;
}
namespace cairn::history::clearml {
extern const HistoryReader kReader;
}
namespace cairn::history::neptune {
extern const HistoryReader kReader;
}
namespace cairn::history::comet {
extern const HistoryReader kReader;
}
namespace cairn::history::dvclive {
extern const HistoryReader kReader;
}

/// Files built byte by byte, and short functions to read them.
namespace cairn::history_test {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// Processor time of this process since construction; independent of other load on the machine.
class CpuTime {
public:
    [[nodiscard]] double seconds() const {
        return static_cast<double>(std::clock() - m_begin) / CLOCKS_PER_SEC;
    }

private:
    std::clock_t m_begin = std::clock();
};

inline std::string readAll(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline ByteSourcePtr memory(std::string_view bytes) {
    const auto span = asBytes(bytes);
    return makeMemorySource({span.begin(), span.end()}, "test file");
}

/// A path as the finder passes it to the readers; keeps alive the objects that the candidate refers
/// to.
struct Offered {
    HistoryCandidate candidate;
    std::string head;
    std::vector<FolderEntry> entries;

    explicit Offered(const fs::path& path) {
        candidate.folder = *Folder::open(path.parent_path());
        candidate.name = path.filename().string();
        candidate.path = path;
        candidate.isFolder = fs::is_directory(path);
        if (candidate.isFolder) {
            entries = *(*Folder::open(path))->list();
            candidate.entries = entries;
        } else {
            head = readAll(path).substr(0, 65536);
            candidate.size = fs::file_size(path);
            candidate.head = asBytes(head);
        }
    }
    Offered(const Offered&) = delete;
    Offered& operator=(const Offered&) = delete;
};

inline Result<HistoryPart> readWith(const HistoryReader& reader, const fs::path& path,
                                    const CancelToken& cancel = {}) {
    const Offered offered(path);
    EXPECT_TRUE(reader.recognises(offered.candidate)) << path;
    return reader.read(offered.candidate, cancel);
}

inline const MetricSeries* find(const HistoryPart& part, std::string_view name) {
    for (const MetricSeries& series : part.series) {
        if (series.name == name) {
            return &series;
        }
    }
    return nullptr;
}

inline std::vector<double> stepsOf(const HistoryPart& part, std::string_view name) {
    const MetricSeries* series = find(part, name);
    return series == nullptr ? std::vector<double>() : series->steps.get();
}

inline const Notice* findNotice(const HistoryPart& part, ErrorCode code) {
    for (const Notice& notice : part.warnings) {
        if (notice.error.code == code) {
            return &notice;
        }
    }
    return nullptr;
}

inline std::string allNotices(const HistoryPart& part) {
    std::string text;
    for (const Notice& notice : part.warnings) {
        text += describe(notice.error) + "\n";
    }
    return text;
}

// Protocol Buffers, written by hand.

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7U) {
        bytes += static_cast<char>(value | 0x80U);
    }
    return bytes + static_cast<char>(value);
}
template <class T> std::string little(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
}
inline std::string varintField(std::uint32_t number, std::uint64_t value) {
    return varint(number << 3U) + varint(value);
}
inline std::string bytesField(std::uint32_t number, std::string_view content) {
    return varint(number << 3U | 2U) + varint(content.size()) + std::string(content);
}
inline std::string doubleField(std::uint32_t number, double value) {
    return varint(number << 3U | 1U) + little(value);
}
inline std::string floatField(std::uint32_t number, float value) {
    return varint(number << 3U | 5U) + little(value);
}

// TensorBoard.

inline std::string tfRecord(std::string_view data) {
    const std::string length = little(static_cast<std::uint64_t>(data.size()));
    return length + little(maskedCrc32c(crc32c(0, asBytes(length)))) + std::string(data) +
           little(maskedCrc32c(crc32c(0, asBytes(data))));
}
inline std::string event(std::int64_t step, std::string_view values, double wall = 1.5) {
    return doubleField(1, wall) + varintField(2, static_cast<std::uint64_t>(step)) +
           bytesField(5, values);
}
inline std::string scalarValue(std::string_view tagText, float value) {
    return bytesField(1, bytesField(1, tagText) + floatField(2, value));
}
inline std::string scalarRecord(std::string_view tagText, std::int64_t step, float value) {
    return tfRecord(event(step, scalarValue(tagText, value)));
}

// W&B.

inline std::string historyItem(std::string_view key, std::string_view json) {
    return bytesField(1, bytesField(1, key) + bytesField(16, json));
}
inline std::string historyRow(std::int64_t step, std::string_view items) {
    return bytesField(2, std::string(items) + historyItem("_step", std::to_string(step)));
}
inline std::string blockPiece(std::uint8_t type, std::string_view data) {
    const std::string covered = static_cast<char>(type) + std::string(data);
    return little(crc32(0, asBytes(covered))) + little(static_cast<std::uint16_t>(data.size())) +
           covered;
}
inline const std::string kLogHead{":W&B\xE1\xBE\0", 7};

/// Appends a record, cut at block boundaries.
inline void appendRecord(std::string& log, std::string_view record) {
    bool first = true;
    do {
        std::size_t left = 32768 - log.size() % 32768;
        if (left < 7) {
            log.append(left, '\0');
            left = 32768;
        }
        const std::string_view data = record.substr(0, left - 7);
        record.remove_prefix(data.size());
        const int type = first ? (record.empty() ? 1 : 2) : (record.empty() ? 4 : 3);
        log += blockPiece(static_cast<std::uint8_t>(type), data);
        first = false;
    } while (!record.empty());
}

} // namespace cairn::history_test
