// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// A file or folder that the user named: typed, dropped or passed as an argument. Only this class
/// turns such a name into a Folder and a name in it. Local paths and "file://" URLs are supported,
/// and in programs with a store (core/store) "host:/path" and "ssh://…"; for others ("https://…",
/// "hf://…", "s3://…") open() fails with Unsupported. A local path that exists is local, whatever
/// its form. A value; any thread. open(), list(), openParent() and exists() access the
/// disk or the network, and block.
class Location {
public:
    Location() = default;                  ///< empty: names nothing
    Location(std::filesystem::path named); // implicit: a path is a location
    Location(const char* named) : Location(std::filesystem::path(named)) {}
    Location(const std::string& named) : Location(std::filesystem::path(named)) {}

    /// The path as the user named it; of a remote location "host:/path", which only this class and
    /// Folder::open() can open.
    const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] bool empty() const { return m_path.empty(); }

    /// The same independent of the current folder; unchanged if it is empty or not local.
    [[nodiscard]] Location absolute() const;

    friend bool operator==(const Location&, const Location&) = default;

    struct Opened {
        FolderPtr folder; ///< the folder itself, or the folder that contains the file, after links
        std::string name; ///< of the file, after links; empty: a folder
        [[nodiscard]] bool isFolder() const { return name.empty(); }
    };
    /// Opens the location. Links in the path are followed, since the user named it. Fails:
    /// NotFound, PermissionDenied, NotRegularFile, Unsupported.
    Result<Opened> open() const;

    struct Listed {
        Opened place;
        std::vector<FolderEntry> entries; ///< of a folder
    };
    /// Opens the location and, if it is a folder, lists it. Whoever asks about a folder and opens a
    /// checkpoint in it afterwards passes this on. Fails as open() and Folder::list().
    Result<Listed> list() const;

    /// Opens the folder that contains the last component of the path, which need not exist; links
    /// in that component are not followed. Fails as Folder::open().
    Result<FolderPtr> openParent() const;

    /// False only if the system reports that the path does not exist.
    [[nodiscard]] bool exists() const;

private:
    std::filesystem::path m_path;
};

} // namespace cairn
