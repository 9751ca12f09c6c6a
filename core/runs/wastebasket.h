// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <filesystem>
#include <string>

/// The desktop's wastebasket: freedesktop.org Trash specification 1.0. Nothing is ever deleted and
/// nothing is copied: a file or folder is renamed within its file system, so that it takes no time
/// and can be put back by any file manager.
///
/// Own code and not GIO's g_file_trash(): that would bring GLib and its modules into the command
/// line, refuses everything on mounts that it calls internal (a cluster's scratch), and would write
/// past FileOps.
namespace cairn {

/// Where wastebaskets are; from the environment, given here so that tests have their own.
struct WastebasketPlaces {
    std::filesystem::path home;       ///< "$XDG_DATA_HOME/Trash"; empty: none
    std::filesystem::path homeParent; ///< an existing folder on the same device as `home`
    std::uint64_t user = 0;           ///< numeric id

    /// $XDG_DATA_HOME, else ~/.local/share; the real user.
    static WastebasketPlaces ofUser();
};

/// Moves `path` into the wastebasket of its file system: that of the home folder when it lies on
/// the same device, else $topdir/.Trash/$uid when an administrator has made a sticky .Trash there,
/// else $topdir/.Trash-$uid. Returns where it lies now. Fails: NotFound, and Io with the system's
/// words when there is no wastebasket on that file system and none can be made: then everything is
/// as it was.
Result<std::filesystem::path> moveToWastebasket(FileOps& ops, const std::filesystem::path& path,
                                                const WastebasketPlaces& places);

/// The text of a .trashinfo file: `path` percent-encoded (RFC 2396), local time.
std::string trashInfoText(const std::filesystem::path& path, std::int64_t secondsSince1970);

} // namespace cairn
