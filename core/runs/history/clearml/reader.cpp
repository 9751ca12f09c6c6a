// SPDX-License-Identifier: Apache-2.0
//
// clearml/task.py: a folder "offline-<32 digits>", and on closing a zip of it with that name.
#include "core/base/endian.h"
#include "core/codec/zip/zip_archive.h"
#include "core/runs/history/clearml/events.h"
#include "core/runs/history/common/whole_file.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::history::clearml {
namespace {

constexpr std::string_view kMetrics = "metrics.jsonl";
constexpr std::string_view kTask = "task.json";
constexpr std::string_view kPrefix = "offline-";
constexpr std::string_view kEnding = ".zip";
constexpr std::size_t kIdentity = 32;
constexpr std::size_t kFirstName = 30; ///< offset of the first entry's name in a zip archive
constexpr std::uint64_t kMaxTask = std::uint64_t{32} << 20U;
/// The task, and its printed output.
constexpr auto kCovers = std::to_array<std::string_view>({kTask, "log.jsonl"});

bool isArchiveName(std::string_view name) {
    return name.size() == kPrefix.size() + kIdentity + kEnding.size() &&
           name.starts_with(kPrefix) && name.ends_with(kEnding) &&
           name.substr(kPrefix.size(), kIdentity).find_first_not_of("0123456789abcdef") ==
               std::string_view::npos;
}

std::string_view stemOf(std::string_view archive) {
    return archive.substr(0, archive.size() - kEnding.size());
}

bool mayBe(std::string_view name) {
    return name == kMetrics || isArchiveName(name);
}

/// The folder of which the archive is a copy.
bool hasFolder(const HistoryCandidate& archive) {
    const auto folder = archive.folder->openFolder(stemOf(archive.name));
    return folder && (*folder)->openFile(kMetrics).has_value();
}

struct Archive {
    ZipArchive zip;
    const ZipEntry* metrics = nullptr;
    const ZipEntry* task = nullptr;
};

Result<Archive> openArchive(const HistoryCandidate& candidate) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    CAIRN_TRY(ZipArchive zip, openZip(std::move(source)));
    const ZipEntry* metrics = zip.find(kMetrics);
    const ZipEntry* task = zip.find(kTask);
    if (task == nullptr) {
        return fail(ErrorCode::NotACheckpoint, "Not an offline session of ClearML")
            .inFile(candidate.path.string())
            .expecting(sentence("the entry %1", kTask));
    }
    return Archive{std::move(zip), metrics, task};
}

bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder) {
        return false;
    }
    if (candidate.name == kMetrics) {
        return isEvents(asText(candidate.head));
    }
    // A damaged archive still begins with one of its entries.
    const std::string_view head = asText(candidate.head);
    const bool begins = head.starts_with("PK\x03\x04") &&
                        (head.find(kMetrics) == kFirstName || head.find(kTask) == kFirstName);
    return isArchiveName(candidate.name) && !hasFolder(candidate) &&
           (begins || openArchive(candidate).has_value());
}

void addTask(HistoryPart& part, Result<Task> task) {
    if (task) {
        part.settings = std::move(task->settings);
    } else if (task.error().code != ErrorCode::NotFound) {
        part.warnings.push_back({Severity::Warning, std::move(task).error()});
    }
}

Result<Task> taskIn(const Archive& archive) {
    CAIRN_TRY(const auto bytes, archive.zip.readEntry(*archive.task, kMaxTask));
    return taskOf(asText(bytes), kTask);
}

Result<Task> taskIn(const Folder& folder, const CancelToken& cancel) {
    CAIRN_TRY(const std::string text, readCompleteFile(folder, kTask, kMaxTask, cancel));
    return taskOf(text, kTask);
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    if (candidate.name == kMetrics) {
        CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
        CAIRN_TRY(HistoryPart part, readEvents(source, cancel));
        addTask(part, taskIn(*candidate.folder, cancel));
        return part;
    }
    CAIRN_TRY(const Archive archive, openArchive(candidate));
    HistoryPart part;
    if (archive.metrics != nullptr) { // a task without metrics has none
        CAIRN_TRY(const ByteSourcePtr source, archive.zip.openEntry(*archive.metrics));
        CAIRN_TRY(part, readEvents(source, cancel));
    }
    addTask(part, taskIn(archive));
    part.bytes = candidate.size;
    return part;
}

/// An archive is of one run, which the folder that contains several of them is not.
Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate,
                                    const CancelToken& /*cancel*/) {
    if (candidate.name == kMetrics) {
        return std::vector<HeldRun>();
    }
    CAIRN_TRY(const Archive archive, openArchive(candidate));
    const std::string id(stemOf(candidate.name));
    const auto task = taskIn(archive);
    return std::vector<HeldRun>{{id, task && !task->name.empty() ? task->name : id}};
}

std::string runName(const Folder& folder, std::span<const FolderEntry> entries) {
    const bool isSession =
        std::ranges::any_of(entries,
                            [](const FolderEntry& entry) { return entry.name == kTask; }) &&
        std::ranges::any_of(entries,
                            [](const FolderEntry& entry) { return entry.name == kMetrics; });
    const auto task = isSession ? taskIn(folder, {}) : Result<Task>(Error());
    return task ? task->name : std::string();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "clearml",
                            .title = "ClearML offline session",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runName = runName,
                            .runsIn = runsIn,
                            .covers = kCovers,
                            .continuesOthers = false};

} // namespace cairn::history::clearml
