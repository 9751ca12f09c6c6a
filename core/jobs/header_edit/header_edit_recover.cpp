// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/io/system_error.h"
#include "core/jobs/header_edit/header_edit.h"
#include "core/jobs/header_edit/header_edit_record.h"

namespace cairn {

Result<Recovered> recoverHeaderEdit(FileOps& ops, const std::filesystem::path& path) {
    std::error_code error;
    const auto parent =
        std::filesystem::canonical(std::filesystem::absolute(path).parent_path(), error);
    if (error) {
        return systemError(error.value(), "Cannot open this path").inFile(path.string());
    }
    const std::string name = path.filename().string();
    const std::string backup = editBackupName(name);
    CAIRN_TRY(const FolderPtr folder, Folder::open(parent));
    CAIRN_TRY(const FileHandle home, ops.openFolder(parent));
    CAIRN_TRY(const FileHandle file, ops.openForEdit(home, name));
    CAIRN_TRY(const bool locked, ops.lock(file));
    if (!locked) {
        return fail(ErrorCode::JobIsRunning, "An edit of this file is in progress")
            .inFile(path.string());
    }
    if (folder->hasFile(backup + ".new")) { // never finished, so the edit had not begun
        CAIRN_CHECK(ops.removeFile(home, backup + ".new"));
    }
    if (!folder->hasFile(backup)) {
        return Recovered::Nothing;
    }
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(backup));
    CAIRN_TRY(const EditRecord record, parseRecord(*source));
    CAIRN_TRY(const EditState state, editState(file, record));
    if (state.stage != EditStage::After) {
        CAIRN_CHECK(undoEdit(ops, file, record));
    }
    CAIRN_CHECK(ops.sync(file)); // the process may have been killed before its sync
    CAIRN_CHECK(ops.removeFile(home, backup));
    CAIRN_CHECK(ops.syncFolder(home));
    return state.stage == EditStage::After ? Recovered::Finished : Recovered::Undone;
}

} // namespace cairn
