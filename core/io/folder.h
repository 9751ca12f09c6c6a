// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

enum class EntryKind : std::uint8_t { File, Folder, Link, Other };

struct FolderEntry {
    std::string name;
    EntryKind kind = EntryKind::Other; ///< of the entry itself; a link is not followed
    FileIdentity identity;             ///< of the entry itself; size is 0 for folders
};

class Folder;
using FolderPtr = std::shared_ptr<const Folder>;

/// A folder, and the only way to open names that were found in files. A folder on the disk is an
/// open descriptor: the kernel resolves every path beneath it (openat2 with RESOLVE_BENEATH |
/// RESOLVE_NO_MAGICLINKS), so that neither "..", nor an absolute path, nor a link can lead outside.
/// The one exception is the Hugging Face cache's pattern `snapshots/<rev>/… -> ../../blobs/<hash>`.
/// Anything but regular files (FIFO, device) is refused without blocking. Other folders are not on
/// the disk (io/member_folder.h). Any thread; immutable.
class Folder {
public:
    /// Opens a folder on the disk or, if there is none, the one that "host:/path" names.
    static Result<FolderPtr> open(const std::filesystem::path& path);
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    virtual ~Folder() = default;

    const std::filesystem::path& path() const { return m_path; }

    /// `relative` may contain sub-folders. Fails: NotFound, PermissionDenied, OutsideFolder,
    /// NotRegularFile.
    virtual Result<ByteSourcePtr> openFile(std::string_view relative) const = 0;
    virtual Result<FolderPtr> openFolder(std::string_view relative) const = 0;

    /// One level, in natural order (shard_2 before shard_10). `limit` bounds memory on hostile or
    /// enormous folders.
    virtual Result<std::vector<FolderEntry>> list(std::size_t limit = kMostEntries) const = 0;
    static constexpr std::size_t kMostEntries = 1'000'000;

    /// True if `relative` is a regular file that can be opened (links are followed under the same
    /// rule). Does not open a file whose name is in this folder itself.
    virtual bool hasFile(std::string_view relative) const = 0;

protected:
    explicit Folder(std::filesystem::path path) : m_path(std::move(path)) {}

private:
    std::filesystem::path m_path;
};

/// The entries of a folder that may not have opened: list(), or the error of opening it.
inline Result<std::vector<FolderEntry>> entriesOf(const Result<FolderPtr>& folder,
                                                  std::size_t limit = Folder::kMostEntries) {
    return folder.and_then([&](const FolderPtr& opened) { return opened->list(limit); });
}

/// Natural order: digits compare as numbers, "step-900" < "step-1000".
bool naturalLess(std::string_view left, std::string_view right);

} // namespace cairn
