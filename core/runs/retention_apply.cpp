// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention_apply.h"

#include "core/formats/format.h"

namespace cairn {
namespace {

Result<std::filesystem::path> apply(FileOps& ops, const RetentionPlan::Removal& removal,
                                    const WastebasketPlaces& places, const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    if (listSavedFiles(removal.supersededBy) != removal.supersededByFiles) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The checkpoint that supersedes it has changed; nothing was moved")
            .inFile(removal.path.string())
            .butFound(removal.supersededBy.string());
    }
    if (listSavedFiles(removal.path) != removal.files) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The checkpoint has changed since it was examined; it was not moved")
            .inFile(removal.path.string());
    }
    const auto files = filesOfSave(removal.path); // empty: it is a single file or folder
    return files.empty() ? moveToWastebasket(ops, removal.path, places)
                         : moveToWastebasket(ops, removal.path, files, places);
}

} // namespace

std::vector<Result<std::filesystem::path>> applyRetention(FileOps& ops, const RetentionPlan& plan,
                                                          const WastebasketPlaces& places,
                                                          const CancelToken& cancel) {
    std::vector<Result<std::filesystem::path>> moved;
    moved.reserve(plan.remove.size());
    for (const RetentionPlan::Removal& removal : plan.remove) {
        moved.push_back(apply(ops, removal, places, cancel));
    }
    return moved;
}

} // namespace cairn
