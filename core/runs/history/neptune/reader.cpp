// SPDX-License-Identifier: Apache-2.0
//
// neptune/core/components/queue/disk_queue.py: data-<version of the first operation>.log, with
// "last_put_version" beside them.
#include "core/runs/history/neptune/operations.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace cairn::history::neptune {
namespace {

constexpr std::string_view kQueue = "last_put_version";
constexpr std::uint64_t kHead = std::uint64_t{64} << 10U; ///< in which the run's name is

/// The version in "data-1.log".
std::optional<std::uint64_t> versionOf(std::string_view name) {
    constexpr std::string_view kStart = "data-";
    constexpr std::string_view kEnd = ".log";
    if (!name.starts_with(kStart) || !name.ends_with(kEnd)) {
        return std::nullopt;
    }
    const std::string_view digits =
        name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size());
    std::uint64_t version = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), version);
    return parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size()
               ? std::optional(version)
               : std::nullopt;
}

/// The files of a queue in the order of writing; none: the folder is not a queue.
std::vector<std::string> filesIn(std::span<const FolderEntry> entries) {
    std::vector<std::string> files;
    const bool isQueue =
        std::ranges::any_of(entries, [](const FolderEntry& entry) { return entry.name == kQueue; });
    for (const FolderEntry& entry : entries) {
        if (isQueue && entry.kind == EntryKind::File && versionOf(entry.name)) {
            files.push_back(entry.name);
        }
    }
    std::ranges::sort(files, {}, [](const std::string& name) { return versionOf(name); });
    return files;
}

/// A run is a folder.
bool mayBe(std::string_view /*name*/) {
    return false;
}

bool recognises(const HistoryCandidate& candidate) {
    return candidate.isFolder && !filesIn(candidate.entries).empty();
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const FolderPtr folder, candidate.openSelf());
    const std::vector<std::string> files = filesIn(candidate.entries);
    Operations operations;
    for (const std::string& file : files) {
        CAIRN_TRY(const ByteSourcePtr source, folder->openFile(file));
        CAIRN_CHECK(operations.add(source, cancel));
    }
    HistoryPart part = operations.finish();
    if (files.size() == 1) {
        part.path = candidate.path / files.front();
    }
    return part;
}

std::string runName(const Folder& folder, std::span<const FolderEntry> entries) {
    const std::vector<std::string> files = filesIn(entries);
    const auto source =
        files.empty() ? Result<ByteSourcePtr>(Error()) : folder.openFile(files.front());
    if (!source) {
        return {};
    }
    Operations operations;
    const CancelToken never;
    const auto head = makeSliceSource(*source, {0, std::min((*source)->size(), kHead)});
    const auto added = operations.add(head, never);
    return added ? operations.runName() : std::string();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "neptune",
                            .title = "Neptune offline run",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .ownsFolder = true,
                            .runName = runName,
                            .continuesOthers = false};

} // namespace cairn::history::neptune
