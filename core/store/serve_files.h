// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/message.h"

#include <functional>
#include <list>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

/// What the far end answers about files.
namespace cairn::store {

/// Sends one frame of the answer that is being worked on. Fails with Io if the stream is broken.
using SendPart = std::function<Result<void>(FrameKind kind, std::string_view payload)>;

/// Keeps recently used folders and files open. Not thread-safe.
class ServedFiles {
public:
    /// Resolves what a user named; a folder's entries and the first and last bytes of its files
    /// follow, up to a limit; not of files that are known.
    Result<void> open(const OpenPlaceRequest& request, const SendPart& send);
    Result<void> list(const FolderRef& ref, const SendPart& send);
    Result<void> stat(const std::vector<FileRef>& files, const SendPart& send);
    Result<void> read(const ReadRequest& request, const SendPart& send);
    /// As far as the files can be read, and are the same.
    Result<void> gather(const std::vector<ReadRequest>& requests, const SendPart& send);

private:
    Result<FolderPtr> folderOf(const FolderRef& ref);
    void keep(const FolderRef& ref, const FolderPtr& folder);
    void forget(const FolderRef& ref);
    Result<ByteSourcePtr> fileOf(const ReadRequest& request);
    Result<std::vector<GatheredBytes>> gatherOne(const ReadRequest& request, std::uint32_t place);
    using KnownTags = std::unordered_set<std::uint64_t>;
    Result<void> sendFolders(const FolderPtr& top, const KnownTags& known, const SendPart& send);

    std::list<std::pair<FolderRef, FolderPtr>> m_folders; ///< the latest first
    std::list<std::pair<std::pair<FolderRef, std::string>, ByteSourcePtr>> m_files;
};

} // namespace cairn::store
