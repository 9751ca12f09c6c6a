// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The desktop's wastebasket: freedesktop.org Trash specification 1.0. Nothing is ever deleted and
/// nothing is copied: a file or folder is renamed within its mount, so that it takes no time and
/// can be put back by any file manager.
///
/// Own code and not GIO's g_file_trash(): that would bring GLib and its modules into the command
/// line, refuses everything on mounts that it calls internal (a cluster's scratch), and would write
/// past FileOps.
namespace cairn {

/// Where wastebaskets are; from the environment, given here so that tests have their own.
struct WastebasketPlaces {
    std::filesystem::path home;       ///< "$XDG_DATA_HOME/Trash"; empty: none
    std::filesystem::path homeParent; ///< an existing folder on the same mount as `home`
    std::uint64_t user = 0;           ///< numeric id

    /// $XDG_DATA_HOME, else ~/.local/share; the real user.
    static WastebasketPlaces ofUser();
};

/// Moves `path` into the wastebasket of its mount: that of the home folder when it is on the same
/// one (a bind mount is one of its own), else $topdir/.Trash/$uid when an administrator has made a
/// sticky .Trash there, else $topdir/.Trash-$uid. The last is used only when it is a folder of this
/// user that nobody else can write to, never through a link. The info file is there before anything
/// moves: killed at any time, the wastebasket lists whatever is in it. Returns the new place.
/// Fails: NotFound, PermissionDenied for a wastebasket that someone else has prepared, and Io with
/// the system's words when there is no wastebasket on that mount and none can be made: then
/// everything is as it was.
Result<std::filesystem::path> moveToWastebasket(FileOps& ops, const std::filesystem::path& path,
                                                const WastebasketPlaces& places);

/// Several files of one folder, in this order, as one entry: a folder called as the last part of
/// `path`, where nothing is. When one of them cannot be moved, those before it are put back.
Result<std::filesystem::path> moveToWastebasket(FileOps& ops, const std::filesystem::path& path,
                                                const std::vector<std::filesystem::path>& files,
                                                const WastebasketPlaces& places);

/// The text of a .trashinfo file: `path` percent-encoded (RFC 2396), local time.
std::string trashInfoText(const std::filesystem::path& path, std::int64_t secondsSince1970);

} // namespace cairn
