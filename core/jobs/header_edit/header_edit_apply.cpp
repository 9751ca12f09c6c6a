// SPDX-License-Identifier: Apache-2.0
//
// Order: backup under another name, synced, renamed, its folder synced; the file's length blanked
// (or blocks of zeros inserted before it); the new header after the length; the length. A sync
// stands between any two of these. Then all is read again, and the backup goes.
#include "core/base/elapsed.h"
#include "core/formats/format.h"
#include "core/jobs/header_edit/header_edit.h"
#include "core/jobs/header_edit/header_edit_record.h"

#include <algorithm>
#include <chrono>

namespace cairn {
namespace {

std::string freshName(const std::string& name) {
    return editBackupName(name) + ".new";
}

/// Creates the backup durably under its name, or leaves nothing.
Result<void> writeBackup(FileOps& ops, const FileHandle& folder, const EditRecord& record) {
    const std::string fresh = freshName(record.file);
    const std::string name = editBackupName(record.file);
    auto file = ops.createFile(folder, fresh);
    if (!file && file.error().code == ErrorCode::OutputExists) {
        CAIRN_CHECK(ops.removeFile(
            folder, fresh)); // of a killed process; the lock proves that it is not running
        file = ops.createFile(folder, fresh);
    }
    if (!file) {
        return std::move(file).error();
    }
    const auto write = [&]() -> Result<void> {
        CAIRN_CHECK(ops.writeAt(*file, 0, recordBytes(record)));
        CAIRN_CHECK(ops.sync(*file));
        return ops.renameNoReplace(folder, fresh, folder, name);
    };
    if (auto written = write(); !written) {
        (void)ops.removeFile(folder, fresh); // the first error is reported
        return written;
    }
    if (auto synced = ops.syncFolder(folder); !synced) {
        (void)ops.removeFile(folder, name);
        return synced;
    }
    return {};
}

Result<void> change(FileOps& ops, const FileHandle& file, const EditRecord& record) {
    if (record.inserted() == 0) {
        CAIRN_CHECK(ops.writeAt(file, 0, std::vector<std::byte>(8)));
    } else {
        CAIRN_TRY(const bool inserted, ops.insertRange(file, 0, record.inserted()));
        if (!inserted) {
            return fail(ErrorCode::NotInPlace, "The file system cannot insert blocks")
                .inFile(file.name())
                .withHint("`cairn-cli rename SRC -o OUT` writes a new file");
        }
    }
    CAIRN_CHECK(ops.sync(file));
    return writeHeader(ops, file, record.after);
}

Error differs(const HeaderEditPlan& plan, const std::string& tensor, Sentence found) {
    return fail(ErrorCode::VerifyMismatch, "The edited file is not as expected")
        .inFile((plan.folder / plan.name).string())
        .inTensor(tensor)
        .butFound(std::move(found));
}

/// The reader must find the same tensors, shifted by the inserted bytes.
Result<void> compareTensors(const HeaderEditPlan& plan) {
    CAIRN_TRY(const CheckpointPtr now, openCheckpoint(plan.folder / plan.name));
    const auto before = plan.checkpoint->tensors();
    const auto after = now->tensors();
    if (before.size() != after.size() || now->format() != plan.format ||
        now->completeness() != plan.checkpoint->completeness()) {
        return differs(plan, {}, sentence("%1 tensors", after.size()));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        const TensorEntry& a = before[i];
        const TensorEntry& b = after[i];
        if (b.name != plan.rename.apply(a.name)) {
            return differs(plan, a.name, sentence("the name %1", b.name));
        }
        const bool same =
            a.dtype == b.dtype && a.shape == b.shape && a.aliasOf == b.aliasOf &&
            std::ranges::equal(a.pieces, b.pieces, [&](const Piece& p, const Piece& q) {
                return p.bytes.offset + plan.inserted() == q.bytes.offset &&
                       p.bytes.length == q.bytes.length && p.box == q.box;
            });
        if (!same) {
            return differs(plan, b.name, "a different dtype, shape or location");
        }
    }
    return {};
}

Result<void> verify(const HeaderEditPlan& plan, const FileHandle& file, const EditRecord& record) {
    CAIRN_TRY(const EditState state, editState(file, record));
    if (state.stage != EditStage::After) {
        return differs(plan, {}, "a different header");
    }
    return compareTensors(plan);
}

/// After a failure: restores the file and removes the backup; or keeps the backup, with a hint.
Error rolledBack(FileOps& ops, const FileHandle& folder, const FileHandle& file,
                 const EditRecord& record, Error error) {
    const Sentence hint = "`cairn-cli edit FILE --recover` undoes the interrupted edit";
    if (error.code == ErrorCode::SyncFailed) {
        error.hint = sentence("The state of the file is uncertain. Check the disk, then %1", hint);
        return error;
    }
    if (const auto undone = undoEdit(ops, file, record); !undone) {
        error.hint = hint;
        return error;
    }
    if (const auto removed = ops.removeFile(folder, editBackupName(record.file)); !removed) {
        error.hint = sentence("The file is unchanged, %1", hint);
        return error;
    }
    error.hint = error.hint.empty() ? "The file is unchanged" : error.hint;
    return error;
}

/// Removes the backup, or renames it if it is kept.
void settleBackup(FileOps& ops, const FileHandle& folder, const HeaderEditPlan& plan,
                  const HeaderEditOptions& options, HeaderEditReport& report) {
    const std::string name = editBackupName(plan.name);
    const std::string kept = keptBackupName(plan.name);
    const auto settle = [&]() -> Result<void> {
        if (options.keepBackup) {
            CAIRN_CHECK(ops.renameNoReplace(folder, name, folder, kept));
            report.backup = plan.folder / kept;
        } else {
            CAIRN_CHECK(ops.removeFile(folder, name));
        }
        return ops.syncFolder(folder);
    };
    if (auto settled = settle(); !settled) {
        Error error = std::move(settled).error();
        error.hint = "The edit is complete; `cairn-cli edit FILE --recover` removes its backup";
        report.notices.push_back({Severity::Warning, std::move(error)});
    }
}

} // namespace

Result<HeaderEditReport> applyHeaderEdit(FileOps& ops, const HeaderEditPlan& plan,
                                         const HeaderEditOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    HeaderEditReport report;
    if (plan.method == EditMethod::Nothing) {
        return report;
    }
    const std::string path = (plan.folder / plan.name).string();
    if (plan.method == EditMethod::NotInPlace) {
        return fail(ErrorCode::NotInPlace, "The new header does not fit into the file")
            .inFile(path)
            .butFound(plan.why)
            .withHint("`cairn-cli rename SRC -o OUT` writes a new file");
    }
    CAIRN_TRY(const FileHandle folder, ops.openFolder(plan.folder));
    CAIRN_TRY(const FileHandle file, ops.openForEdit(folder, plan.name));
    CAIRN_TRY(const bool locked, ops.lock(file));
    if (!locked) {
        return fail(ErrorCode::JobIsRunning, "The header is being edited").inFile(path);
    }
    CAIRN_TRY(const ByteSourcePtr source, sourceOf(file));
    EditRecord record{plan.name, source->identity(), plan.before, plan.after, {}};
    CAIRN_TRY(const auto header, readRange(*source, {0, plan.dataBefore}));
    if (record.identity != plan.identity || header != plan.before) {
        return fail(ErrorCode::ChangedOnDisk, "The file changed since it was examined")
            .inFile(path)
            .withHint("Try again");
    }
    if (options.keepBackup && std::filesystem::exists(plan.folder / keptBackupName(plan.name))) {
        return fail(ErrorCode::OutputExists, "A backup of an earlier edit exists")
            .inFile((plan.folder / keptBackupName(plan.name)).string())
            .withHint("Move it elsewhere");
    }
    CAIRN_TRY(record.samples, sampleData(*source, plan.dataBefore));
    CAIRN_CHECK(writeBackup(ops, folder, record));
    if (auto changed = change(ops, file, record); !changed) {
        return rolledBack(ops, folder, file, record, std::move(changed).error());
    }
    if (auto verified = verify(plan, file, record); !verified) {
        return rolledBack(ops, folder, file, record, std::move(verified).error());
    }
    settleBackup(ops, folder, plan, options, report);
    report.seconds = secondsSince(start);
    return report;
}

} // namespace cairn
