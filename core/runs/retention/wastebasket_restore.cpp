// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/wastebasket.h"

#include <sys/stat.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0;
}

Error nothingThere(const fs::path& entry) {
    return fail(ErrorCode::NotFound, "The wastebasket does not contain it any more")
        .inFile(entry.string())
        .withHint("It was restored or deleted by another program");
}

Error takenMeanwhile(Error error, const fs::path& path) {
    if (error.code != ErrorCode::OutputExists) {
        return error;
    }
    return fail(ErrorCode::OutputExists, "A file or folder with this name exists again")
        .inFile(path.string())
        .withHint("Rename it, then restore again; nothing was replaced");
}

/// A remaining info file would list nothing; what it described is restored all the same.
void removeInfo(FileOps& ops, const fs::path& entry) {
    if (const auto info = ops.openFolder(entry.parent_path().parent_path() / "info")) {
        (void)ops.removeFile(*info, entry.filename().string() + ".trashinfo");
    }
}

} // namespace

Result<void> restoreFromWastebasket(FileOps& ops, const fs::path& entry, const fs::path& path) {
    if (!isThere(entry)) {
        return nothingThere(entry);
    }
    CAIRN_TRY(const FileHandle from, ops.openFolder(entry.parent_path()));
    CAIRN_TRY(const FileHandle to, ops.openFolder(path.parent_path()));
    auto moved = ops.renameNoReplace(from, entry.filename().string(), to, path.filename().string());
    if (!moved) {
        return takenMeanwhile(std::move(moved).error(), path);
    }
    removeInfo(ops, entry);
    return {};
}

Result<void> restoreFromWastebasket(FileOps& ops, const fs::path& entry,
                                    const std::vector<fs::path>& files) {
    if (!isThere(entry) || files.empty()) {
        return nothingThere(entry);
    }
    CAIRN_TRY(const FileHandle basket, ops.openFolder(entry.parent_path()));
    CAIRN_TRY(const FileHandle from, ops.openFolderIn(basket, entry.filename().string()));
    CAIRN_TRY(const FileHandle to, ops.openFolder(files.front().parent_path()));
    for (std::size_t i = files.size(); i-- > 0;) {
        const std::string name = files[i].filename().string();
        auto moved = ops.renameNoReplace(from, name, to, name);
        if (moved) {
            continue;
        }
        for (std::size_t k = i + 1; k < files.size(); ++k) {
            const std::string back = files[k].filename().string();
            (void)ops.renameNoReplace(to, back, from, back); // the first error is reported
        }
        return takenMeanwhile(std::move(moved).error(), files[i]);
    }
    if (ops.removeFolder(basket, entry.filename().string())) { // others may have put files into it
        removeInfo(ops, entry);
    }
    return {};
}

} // namespace cairn
