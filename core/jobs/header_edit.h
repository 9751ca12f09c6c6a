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

/// Names and metadata of one file changed in place: its header is rewritten, its data are neither
/// read nor copied. Where the new header is larger than its room, whole blocks are inserted before
/// the data (ext4, XFS, F2FS); where that cannot be, nothing is done: a rewrite of the file is a
/// job of another name.
///
/// A kill or power cut at any instant leaves the file as it was, or as it is to be, or such that
/// every reader refuses it (its first eight bytes are zero) beside a backup of the header from
/// which recoverHeaderEdit() mends it. Who has the file open while blocks are inserted sees its
/// data move.
namespace cairn {

enum class EditMethod : std::uint8_t {
    Nothing,   ///< no change is asked for that is not there already
    InRoom,    ///< the header keeps its size
    Insert,    ///< blocks are inserted in front of the data
    NotInPlace ///< HeaderEditPlan::why
};
/// "nothing", "in-room", "insert", "not-in-place"
std::string_view editMethodName(EditMethod method);

struct HeaderEditOptions {
    bool force = false;      ///< a file of several names, a shard that an index speaks of
    bool keepBackup = false; ///< under keptBackupName()
};

/// What would be done. Value; holds both headers (at most 100 MB each).
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
    std::vector<Notice> notices; ///< what else will be out of date
    [[nodiscard]] std::uint64_t inserted() const { return dataAfter - dataBefore; }
};

/// Reads the file and works out everything; writes nothing.
/// Fails: NotInPlace for what is no regular file of its own (links and blobs of a Hugging Face
/// cache, folders, several names, indexed shards, formats whose headers cannot be edited),
/// EditInterrupted, what the format's editHeader() says.
Result<HeaderEditPlan> planHeaderEdit(FileOps& ops, const std::filesystem::path& path,
                                      const HeaderChanges& changes,
                                      const HeaderEditOptions& options);

struct HeaderEditReport {
    std::filesystem::path backup; ///< that was kept; empty: none
    std::vector<Notice> notices;  ///< of a backup that could not be removed
    double seconds = 0;
};

/// Does it, and reads the file again with the ordinary reader. Whatever fails is undone at once,
/// except a failed sync, after which nothing is certain: the backup stays then.
/// Fails: ChangedOnDisk when it is not the file that was planned for; JobIsRunning; NotInPlace;
/// VerifyMismatch; what FileOps says.
Result<HeaderEditReport> applyHeaderEdit(FileOps& ops, const HeaderEditPlan& plan,
                                         const HeaderEditOptions& options);

enum class Recovered : std::uint8_t { Nothing, Undone, Finished };

/// Ends an edit that was interrupted: finishes one that was through, undoes any other.
/// Fails: ChangedOnDisk when the file is not what such an edit leaves; JobIsRunning when the edit
/// is going on.
Result<Recovered> recoverHeaderEdit(FileOps& ops, const std::filesystem::path& path);

/// Where the backup of an edit that is through is kept.
std::string keptBackupName(const std::string& name);

} // namespace cairn
