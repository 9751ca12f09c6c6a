// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/model/checkpoint.h"
#include "core/model/header_edit.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Changes names and metadata of one file in place: its header is rewritten, its data is neither
/// read nor copied. If the new header is larger than the available room, complete blocks are
/// inserted before the data (ext4, XFS, F2FS); if that is not possible, nothing is done: rewriting
/// the file is a different job.
///
/// A kill or power failure at any time leaves the old file, the new file, or a file that every
/// reader rejects (its first eight bytes are zero) with a backup of the header from which
/// recoverHeaderEdit() restores it. Programs that have the file open while blocks are inserted see
/// its data change.
namespace cairn {

enum class EditMethod : std::uint8_t {
    Nothing,   ///< the file already has all requested changes
    InRoom,    ///< the new header fits into the room of the old one
    Insert,    ///< blocks are inserted before the data
    NotInPlace ///< see HeaderEditPlan::why
};
/// "nothing", "in-room", "insert", "not-in-place"
std::string_view editMethodName(EditMethod method);

struct HeaderEditOptions {
    bool force = false; ///< also for a file with several hard links, or a shard that an index lists
    bool keepBackup = false; ///< under keptBackupName()
};

/// A planned edit. A value; contains both headers (at most 100 MB each).
struct HeaderEditPlan {
    std::filesystem::path folder; ///< resolved
    std::string name;
    std::string format;
    FileIdentity identity;
    EditedHeader edited;
    EditMethod method = EditMethod::Nothing;
    Sentence why;                 ///< NotInPlace: the reason
    std::uint64_t unit = 0;       ///< size of a block that can be inserted; 0: not supported
    std::uint64_t dataBefore = 0; ///< offset of the data
    std::uint64_t dataAfter = 0;
    std::vector<std::byte> before; ///< the file's first dataBefore bytes
    std::vector<std::byte> after;  ///< the new first dataAfter bytes
    CheckpointPtr checkpoint;      ///< before the edit
    NameRules rename;
    std::vector<Notice> notices; ///< about files that will be outdated
    [[nodiscard]] std::uint64_t inserted() const { return dataAfter - dataBefore; }
};

/// Reads the file and plans the edit; writes nothing. Fails: NotInPlace for anything but a regular
/// file with one name (links and blobs of a Hugging Face cache, folders, several hard links,
/// indexed shards, formats whose headers cannot be edited), EditInterrupted, the errors of the
/// format's editHeader().
Result<HeaderEditPlan> planHeaderEdit(FileOps& ops, const std::filesystem::path& path,
                                      const HeaderChanges& changes,
                                      const HeaderEditOptions& options);

struct HeaderEditReport {
    std::filesystem::path backup; ///< path of the kept backup; empty: none
    std::vector<Notice> notices;  ///< about a backup that could not be removed
    double seconds = 0;
};

/// Executes the edit, and reads the file again with its reader. A failure is undone immediately,
/// except a failed sync, after which the state is uncertain and the backup is kept. Fails:
/// ChangedOnDisk if the file changed since it was planned; JobIsRunning; NotInPlace;
/// VerifyMismatch; the errors of FileOps.
Result<HeaderEditReport> applyHeaderEdit(FileOps& ops, const HeaderEditPlan& plan,
                                         const HeaderEditOptions& options);

enum class Recovered : std::uint8_t { Nothing, Undone, Finished };

/// Recovers from an interrupted edit: finishes a completed one, undoes any other. Fails:
/// ChangedOnDisk if the file is not in a state that such an edit leaves; JobIsRunning if the edit
/// is in progress.
Result<Recovered> recoverHeaderEdit(FileOps& ops, const std::filesystem::path& path);

/// The changes that take the plan's edit back once it was applied: the old names, one rule each,
/// and the old entries. Fails with Unsupported for names that no rule can write, and for more than
/// 2,000 of them.
Result<HeaderChanges> changesBack(const HeaderEditPlan& plan);

/// The path of the backup that is kept after a completed edit.
std::string keptBackupName(const std::string& name);

} // namespace cairn
