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

/// Names and metadata of one file changed in place: its header is rewritten, its data is neither
/// read nor copied. Where the new header is larger than its room, complete blocks are inserted
/// before the data (ext4, XFS, F2FS); where that cannot be, nothing is done: a rewrite of the file
/// is a job of another name.
///
/// A kill or power failure at any time leaves the old file, the new file, or a file that every
/// reader rejects (its first eight bytes are zero) with a backup of the header from which
/// recoverHeaderEdit() restores it. Programs that have the file open while blocks are inserted see
/// its data change.
namespace cairn {

enum class EditMethod : std::uint8_t {
    Nothing,   ///< the file already has all requested changes
    InRoom,    ///< the header keeps its size
    Insert,    ///< blocks are inserted in front of the data
    NotInPlace ///< HeaderEditPlan::why
};
/// "nothing", "in-room", "insert", "not-in-place"
std::string_view editMethodName(EditMethod method);

struct HeaderEditOptions {
    bool force = false;      ///< a file with several hard links, a shard that an index lists
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
    std::string why;              ///< NotInPlace: the reason, in words
    std::uint64_t unit = 0;       ///< bytes of a block that can be inserted; 0: none can
    std::uint64_t dataBefore = 0; ///< where the data begin
    std::uint64_t dataAfter = 0;
    std::vector<std::byte> before; ///< the file's first dataBefore bytes
    std::vector<std::byte> after;  ///< the same afterwards: dataAfter bytes
    CheckpointPtr checkpoint;      ///< as it was read
    NameRules rename;
    std::vector<Notice> notices; ///< files that will be outdated
    [[nodiscard]] std::uint64_t inserted() const { return dataAfter - dataBefore; }
};

/// Reads the file and plans the edit; writes nothing.
/// Fails: NotInPlace for what is not a regular file of its own (links and blobs of a Hugging Face
/// cache, folders, several names, indexed shards, formats whose headers cannot be edited),
/// EditInterrupted, the errors of the format's editHeader().
Result<HeaderEditPlan> planHeaderEdit(FileOps& ops, const std::filesystem::path& path,
                                      const HeaderChanges& changes,
                                      const HeaderEditOptions& options);

struct HeaderEditReport {
    std::filesystem::path backup; ///< that was kept; empty: none
    std::vector<Notice> notices;  ///< of a backup that could not be removed
    double seconds = 0;
};

/// Executes the edit, and reads the file again with the ordinary reader. A failure is undone
/// immediately, except a failed sync, after which the state is uncertain and the backup is kept.
/// Fails: ChangedOnDisk when the file changed since it was planned; JobIsRunning; NotInPlace;
/// VerifyMismatch; the errors of FileOps.
Result<HeaderEditReport> applyHeaderEdit(FileOps& ops, const HeaderEditPlan& plan,
                                         const HeaderEditOptions& options);

enum class Recovered : std::uint8_t { Nothing, Undone, Finished };

/// Recovers from an interrupted edit: finishes a completed one, undoes any other.
/// Fails: ChangedOnDisk when the file is not what such an edit leaves; JobIsRunning when the edit
/// is in progress.
Result<Recovered> recoverHeaderEdit(FileOps& ops, const std::filesystem::path& path);

/// The path of the backup that is kept after a completed edit.
std::string keptBackupName(const std::string& name);

} // namespace cairn
