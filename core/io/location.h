// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/folder.h"

#include <filesystem>
#include <string>

namespace cairn {

/// What a user named: a file or folder, as typed, dropped or passed on. The one way from such a
/// name to a Folder and a name in it, so that nothing else opens, follows or asks the kind of a
/// named path. Local paths and "file://" URLs are read; of other places ("ssh://…", "host:/path",
/// "https://…", "hf://…", "s3://…") open() says that they are not. A value; any thread. Only
/// open(), openParent() and exists() touch the disk, and block.
class Location {
public:
    Location(std::filesystem::path named); // implicit: a path is a location
    Location(const char* named) : Location(std::filesystem::path(named)) {}
    Location(const std::string& named) : Location(std::filesystem::path(named)) {}

    /// On this machine, as named.
    const std::filesystem::path& path() const { return m_path; }

    struct Opened {
        FolderPtr folder; ///< the folder itself; of a file the one that holds it, after links
        std::string name; ///< of the file, after links; empty: a folder
        [[nodiscard]] bool isFolder() const { return name.empty(); }
    };
    /// Links in the path are followed, since the user named it; what files name in turn is opened
    /// through the folder. Fails: NotFound, PermissionDenied, NotRegularFile, Unsupported.
    Result<Opened> open() const;

    /// The folder that the last part of the path names something in, whether that is there or not;
    /// links in that part are not followed. Fails as Folder::open().
    Result<FolderPtr> openParent() const;

    /// Anything is there, or may be: false only where the system says that nothing is.
    [[nodiscard]] bool exists() const;

private:
    std::filesystem::path m_path;
};

} // namespace cairn
