// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/retention_apply.h"

#include "core/formats/format.h"
#include "core/runs/retention/open_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace cairn {
namespace {

using OpenFiles = std::set<std::pair<std::uint64_t, std::uint64_t>>;

Result<std::filesystem::path> apply(FileOps& ops, const RetentionPlan::Removal& removal,
                                    const OpenFiles& written, const WastebasketPlaces& places,
                                    const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    const bool isSuperseded = !removal.supersededBy.empty(); // else the user chose it
    if (isSuperseded && listSavedFiles(removal.supersededBy) != removal.supersededByFiles) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The checkpoint that supersedes it has changed; nothing was moved")
            .inFile(removal.path.string())
            .butFound(verbatim(removal.supersededBy.string()));
    }
    if (listSavedFiles(removal.path) != removal.files) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The checkpoint has changed since it was examined; it was not moved")
            .inFile(removal.path.string());
    }
    if (std::ranges::any_of(removal.files.rows, [&](const SavedFiles::Row& row) {
            return written.contains({row.identity.device, row.identity.inode});
        })) {
        return fail(ErrorCode::ChangedOnDisk,
                    "A process has a file of the checkpoint open for writing; it was not moved")
            .inFile(removal.path.string());
    }
    const auto files = filesOfSave(removal.path); // empty: it is a single file or folder
    return files.empty() ? moveToWastebasket(ops, removal.path, places)
                         : moveToWastebasket(ops, removal.path, files, places);
}

bool isSame(const std::filesystem::path& path, const SavedFiles::Row& row) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && status.st_dev == row.identity.device &&
           status.st_ino == row.identity.inode;
}

/// The entry is the folder or file that was moved. An inode number alone may have been given to
/// something else since; not when a file in the folder is the same, too.
bool isMoved(const std::filesystem::path& entry, const SavedFiles& files) {
    if (files.rows.empty() || !isSame(entry, files.rows.front())) {
        return false;
    }
    const bool isFolder = files.rows.front().kind == EntryKind::Folder;
    return !isFolder || files.rows.size() == 1 ||
           std::any_of(files.rows.begin() + 1, files.rows.end(),
                       [&](const SavedFiles::Row& row) { return isSame(entry / row.name, row); });
}

} // namespace

std::vector<Result<std::filesystem::path>> applyRetention(FileOps& ops, const RetentionPlan& plan,
                                                          const WastebasketPlaces& places,
                                                          const CancelToken& cancel) {
    std::vector<Result<std::filesystem::path>> moved;
    moved.reserve(plan.remove.size());
    // Once: reading the descriptors of all processes takes longer than all moves. What is written
    // since changes the files, which are compared before each move.
    const OpenFiles written = plan.remove.empty() ? OpenFiles() : filesOpenForWriting();
    for (const RetentionPlan::Removal& removal : plan.remove) {
        moved.push_back(apply(ops, removal, written, places, cancel));
    }
    return moved;
}

Result<void> undoRemoval(FileOps& ops, const RetentionPlan::Removal& removal,
                         const std::filesystem::path& movedTo) {
    const auto& rows = removal.files.rows;
    if (isMoved(movedTo, removal.files)) {
        return restoreFromWastebasket(ops, movedTo, removal.path);
    }
    std::vector<std::filesystem::path> files; // of a save of several files
    bool same = true;
    for (const SavedFiles::Row& row : rows) {
        files.push_back(removal.path.parent_path() / row.name);
        same = same && isSame(movedTo / row.name, row);
    }
    struct stat status {};
    if (!same && ::lstat(movedTo.c_str(), &status) == 0) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The wastebasket contains something else under this name; nothing was moved")
            .inFile(movedTo.string());
    }
    return restoreFromWastebasket(ops, movedTo, files);
}

} // namespace cairn
