// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/lost_shard.h"

#include "core/io/location.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::uint64_t kCopyBlock = std::uint64_t{8} << 20U;

Result<void> copyInto(FileOps& ops, const FileHandle& to, const ByteSource& from,
                      std::atomic<std::uint64_t>* progress, const CancelToken& cancel) {
    for (std::uint64_t at = 0; at < from.size(); at += kCopyBlock) {
        CAIRN_CHECK(cancel.check());
        const std::uint64_t length = std::min(kCopyBlock, from.size() - at);
        CAIRN_TRY(const auto bytes, readRange(from, {at, length}));
        CAIRN_CHECK(ops.writeAt(to, at, bytes));
        if (progress != nullptr) {
            *progress += length;
        }
    }
    return ops.sync(to);
}

} // namespace

std::vector<std::string> lostFiles(const Checkpoint& checkpoint) {
    std::vector<std::string> names;
    for (const CheckpointFile& file : checkpoint.files()) {
        if (file.missing) {
            names.push_back(file.path);
        }
    }
    return names;
}

Result<std::filesystem::path> restoreLostFile(FileOps& ops, const Checkpoint& checkpoint,
                                              const std::filesystem::path& found,
                                              std::atomic<std::uint64_t>* progress,
                                              const CancelToken& cancel) {
    const std::vector<std::string> lost = lostFiles(checkpoint);
    const auto which = std::ranges::find_if(lost, [&](const std::string& name) {
        return std::filesystem::path(name).filename() == found.filename();
    });
    if (which == lost.end()) {
        return fail(ErrorCode::InvalidArgument, "The checkpoint lacks no file of this name")
            .inFile(found.string())
            .expecting(lost.empty() ? Sentence("no file") : verbatim(lost.front()));
    }
    CAIRN_TRY(const Location::Opened opened, Location(found).open());
    CAIRN_TRY(const ByteSourcePtr source, opened.folder->openFile(opened.name));
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(checkpoint.path(), error);
    const std::filesystem::path base =
        isFolder ? checkpoint.path() : checkpoint.path().parent_path();
    const std::filesystem::path target = base / *which;
    CAIRN_TRY(const FileHandle folder, ops.openFolder(target.parent_path()));
    const std::string name = target.filename().string();
    const std::string hidden = "." + name + ".cairn-copy";
    CAIRN_TRY(const FileHandle file, ops.createFile(folder, hidden));
    const auto finish = [&]() -> Result<void> {
        CAIRN_CHECK(copyInto(ops, file, *source, progress, cancel));
        CAIRN_CHECK(ops.renameNoReplace(folder, hidden, folder, name));
        return ops.syncFolder(folder);
    };
    if (auto done = finish(); !done) {
        (void)ops.removeFile(folder, hidden); // the first error is reported
        return std::move(done).error();
    }
    return target;
}

} // namespace cairn
