// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The desktop's wastebasket: freedesktop.org Trash specification 1.0. Nothing is deleted or
/// copied: a file or folder is renamed within its mount, which is immediate, and any file manager
/// can restore it.
///
/// Not GIO's g_file_trash(), because that would add GLib and its modules to the command line,
/// refuses all mounts that it considers internal (such as a cluster's scratch), and would bypass
/// FileOps.
namespace cairn {

/// Locations of wastebaskets, from the environment; a parameter so that tests can use their own.
struct WastebasketPlaces {
    std::filesystem::path home;       ///< "$XDG_DATA_HOME/Trash"; empty: none
    std::filesystem::path homeParent; ///< an existing folder on the same mount as `home`
    std::uint64_t user = 0;           ///< numeric id

    /// $XDG_DATA_HOME, else ~/.local/share; the real user.
    static WastebasketPlaces ofUser();
};

/// Moves `path` to the wastebasket of its mount: that of the home folder if it is on the same mount
/// (a bind mount is a separate one), else $topdir/.Trash/$uid if an administrator has created a
/// sticky .Trash there, else $topdir/.Trash-$uid. The last is used only if it is a folder of this
/// user to which nobody else can write, never through a link. The info file is written before
/// anything moves: if the process is killed at any time, the wastebasket lists everything in it.
/// Returns the new location. Fails without changes: NotFound, PermissionDenied for a wastebasket
/// prepared by another user, and Io with the system's message if there is no wastebasket on that
/// mount and none can be created.
Result<std::filesystem::path> moveToWastebasket(FileOps& ops, const std::filesystem::path& path,
                                                const WastebasketPlaces& places);

/// Moves several files of one folder, in this order, as one entry: a folder with the name of the
/// last component of `path`, which must not exist. If one of them cannot be moved, those before it
/// are put back.
Result<std::filesystem::path> moveToWastebasket(FileOps& ops, const std::filesystem::path& path,
                                                const std::vector<std::filesystem::path>& files,
                                                const WastebasketPlaces& places);

/// Moves an entry of a wastebasket, as moveToWastebasket() returned it, back to `path`, and removes
/// its info file. Never replaces anything: fails with OutputExists if `path` exists again, and with
/// NotFound if the entry or the folder of `path` does not exist any more; nothing is moved then.
Result<void> restoreFromWastebasket(FileOps& ops, const std::filesystem::path& entry,
                                    const std::filesystem::path& path);

/// Moves the files that an entry holds back to these paths, which are in one folder, the last one
/// first. If one of them cannot be moved, those before it are put back into the entry.
Result<void> restoreFromWastebasket(FileOps& ops, const std::filesystem::path& entry,
                                    const std::vector<std::filesystem::path>& files);

/// The text of a .trashinfo file: `path` percent-encoded (RFC 2396), local time.
std::string trashInfoText(const std::filesystem::path& path, std::int64_t secondsSince1970);

} // namespace cairn
