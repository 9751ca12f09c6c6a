// SPDX-License-Identifier: Apache-2.0
//
// {"schema": "cairn/1", "pairs": [{"source": "ef53-…", "output": "ef53-…",
//   "work": {"copy": {"bytes": 4000000000, "seconds": 3.7}, …}}, …]}, the latest pair
//   first.
#include "core/jobs/engine/disk_rates.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/file_system_id.h"
#include "core/io/folder.h"
#include "core/io/user_folder.h"
#include "core/jobs/engine/output_place.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFileName = "disk-rates.json";
constexpr std::string_view kUnfinishedRates = ".disk-rates-";
constexpr std::int64_t kAbandonedWriteNs = 3'600'000'000'000;
constexpr std::uint64_t kMaxFile = std::uint64_t{256} << 10U;
constexpr std::size_t kMaxId = 1024;
/// Plausible limits for the rate of a disk, in bytes per second.
constexpr double kSlowest = 1e3;
constexpr double kFastest = 1e12;
constexpr double kMostBytes = 1e18;

struct Tally {
    double bytes = 0;
    double seconds = 0;
    [[nodiscard]] bool possible() const {
        return bytes > 0 && bytes <= kMostBytes && seconds > 0 && bytes >= kSlowest * seconds &&
               bytes <= kFastest * seconds;
    }
};

struct Known {
    FileSystemPair pair;
    std::array<Tally, kWorkKinds> work;
    [[nodiscard]] Tally& of(WorkKind kind) { return work.at(static_cast<std::size_t>(kind)); }
};

std::string idIn(const JsonValue& json, std::string_view key) {
    const JsonValue* value = json.find(key);
    std::string text(value != nullptr ? value->asString().value_or("") : "");
    return text.size() <= kMaxId ? text : std::string();
}

double realIn(const JsonValue& json, std::string_view key) {
    const JsonValue* value = json.find(key);
    return value != nullptr ? value->asReal().value_or(0) : 0;
}

std::vector<Known> knownIn(const JsonValue& json) {
    std::vector<Known> all;
    const JsonValue* pairs = json.find("pairs");
    for (const JsonValue& each :
         pairs != nullptr ? pairs->elements() : std::span<const JsonValue>()) {
        Known known{{idIn(each, "source"), idIn(each, "output")}, {}};
        const JsonValue* work = each.find("work");
        const bool whole = !known.pair.source.empty() && !known.pair.output.empty() &&
                           work != nullptr && all.size() < DiskRates::kMaxPairs &&
                           std::ranges::find(all, known.pair, &Known::pair) == all.end();
        for (std::size_t i = 0; whole && i < kWorkKinds; ++i) {
            const JsonValue* tally = work->find(workKindName(static_cast<WorkKind>(i)));
            const Tally read = tally != nullptr
                                   ? Tally{realIn(*tally, "bytes"), realIn(*tally, "seconds")}
                                   : Tally();
            known.work.at(i) = read.possible() ? read : Tally();
        }
        if (whole) {
            all.push_back(std::move(known));
        }
    }
    return all;
}

/// Empty if it is not a valid file.
std::vector<Known> readFrom(const fs::path& path) {
    const auto folder = Folder::open(path);
    const auto file =
        folder.and_then([&](const FolderPtr& opened) { return opened->openFile(kFileName); });
    if (!file || (*file)->size() > kMaxFile) {
        return {};
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>((*file)->size()));
    const auto json = (*file)->readAt(0, bytes) ? parseJson(asText(bytes), kFileName)
                                                : Result<JsonValue>(Error());
    return json ? knownIn(*json) : std::vector<Known>();
}

std::string documentOf(const std::vector<Known>& all) {
    Json pairs = Json::array();
    for (const Known& known : all) {
        Json work = Json::object();
        for (std::size_t i = 0; i < kWorkKinds; ++i) {
            if (const Tally& tally = known.work.at(i); tally.bytes > 0) {
                work[std::string(workKindName(static_cast<WorkKind>(i)))] = {
                    {"bytes", std::llround(tally.bytes)}, {"seconds", tally.seconds}};
            }
        }
        pairs.push_back({{"source", known.pair.source},
                         {"output", known.pair.output},
                         {"work", std::move(work)}});
    }
    const Json json = {{"schema", "cairn/1"}, {"pairs", std::move(pairs)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Removes temporary files of processes that were killed.
void removeAbandoned(FileOps& fileOps, const FileHandle& handle, const fs::path& path) {
    const auto folder = Folder::open(path);
    const auto entries = entriesOf(folder);
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        if (entry.kind == EntryKind::File && entry.name.starts_with(kUnfinishedRates) &&
            now - entry.identity.mtimeNs > kAbandonedWriteNs) {
            (void)fileOps.removeFile(handle, entry.name); // another process may have removed it
        }
    }
}

Result<void> writeTo(FileOps& fileOps, const fs::path& path, const std::string& document) {
    static std::atomic<std::uint64_t> count{0};
    CAIRN_TRY(const FileHandle folder, openUserFolder(fileOps, path));
    removeAbandoned(fileOps, folder, path);
    const std::string begun = std::string(kUnfinishedRates) + std::to_string(::getpid()) + "-" +
                              std::to_string(count.fetch_add(1));
    CAIRN_TRY(FileHandle file, fileOps.createFile(folder, begun));
    auto done = fileOps.writeAt(file, 0, asBytes(document));
    done =
        done ? fileOps.sync(file) : done; // without a sync, a power failure may leave an empty file
    done = done ? fileOps.close(std::move(file)) : done;
    done = done ? fileOps.replaceOwn(folder, begun, kFileName) : done;
    if (!done) {
        (void)fileOps.removeFile(folder, begun); // the first error is reported
    }
    return done;
}

} // namespace

FileSystemPair fileSystemsOf(const Checkpoint& source, const fs::path& output) {
    return {source.path().empty() ? std::string() : fileSystemId(source.path()),
            fileSystemId(existingFolder(output))};
}

DiskRates::DiskRates(fs::path folder) : m_folder(std::move(folder)) {}

fs::path DiskRates::defaultFolder() {
    return userFolder("XDG_STATE_HOME", ".local/state");
}

WorkRates DiskRates::of(const FileSystemPair& pair) const {
    WorkRates rates;
    if (m_folder.empty() || pair.source.empty() || pair.output.empty()) {
        return rates;
    }
    const std::vector<Known> all = readFrom(m_folder);
    const auto known = std::ranges::find(all, pair, &Known::pair);
    for (std::size_t i = 0; known != all.end() && i < kWorkKinds; ++i) {
        const Tally& tally = known->work.at(i);
        rates.bytesPerSecond.at(i) = tally.possible() ? tally.bytes / tally.seconds : 0;
    }
    return rates;
}

Result<void> DiskRates::learn(FileOps& fileOps, const FileSystemPair& pair,
                              const MeasuredWork& work) const {
    const Tally tally{static_cast<double>(work.bytes), work.seconds};
    const bool recorded = !pair.source.empty() && !pair.output.empty() &&
                          pair.source.size() <= kMaxId && pair.output.size() <= kMaxId;
    if (m_folder.empty() || !recorded || work.bytes < kLeastBytes || !tally.possible()) {
        return {};
    }
    std::vector<Known> all = readFrom(m_folder);
    const auto found = std::ranges::find(all, pair, &Known::pair);
    Known known = found != all.end() ? std::move(*found) : Known{pair, {}};
    if (found != all.end()) {
        all.erase(found);
    }
    Tally& sum = known.of(work.kind);
    sum = {sum.bytes / 2 + tally.bytes, sum.seconds / 2 + tally.seconds};
    all.insert(all.begin(), std::move(known));
    all.resize(std::min(all.size(), kMaxPairs));
    return writeTo(fileOps, m_folder, documentOf(all));
}

} // namespace cairn
