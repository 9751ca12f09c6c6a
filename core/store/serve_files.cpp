// SPDX-License-Identifier: Apache-2.0
#include "core/store/serve_files.h"

#include "core/base/endian.h"
#include "core/io/location.h"

#include <algorithm>
#include <cstdlib>
#include <deque>

namespace cairn::store {
namespace {

constexpr std::size_t kOpenFolders = 64;
constexpr std::size_t kOpenFiles = 128;

// What is sent ahead when a folder is opened: enough for the index of most checkpoints, and little
// beside the time that one more request takes (80 ms at 10 MB/s: 800 kB).
constexpr std::size_t kAheadEntries = 4096;
constexpr std::size_t kAheadFolders = kMaxListedFolders;
constexpr std::uint64_t kAheadBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kWholeFile = std::uint64_t{64} << 10U;
constexpr std::uint64_t kFileEnd = std::uint64_t{16} << 10U; ///< first and last bytes of others
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kNamedFileEnd = std::uint64_t{128} << 10U; ///< of the file that was named

template <class Entry, class Key> auto findKept(std::list<Entry>& kept, const Key& key) {
    const auto at =
        std::ranges::find_if(kept, [&](const Entry& each) { return each.first == key; });
    if (at != kept.end()) {
        kept.splice(kept.begin(), kept, at);
    }
    return at;
}

std::string withHome(std::string_view path) {
    const char* home = std::getenv("HOME");
    if (path == "~" || path.starts_with("~/")) {
        return std::string(home != nullptr ? home : "/") + std::string(path.substr(1));
    }
    return std::string(path);
}

std::vector<ListedEntry> listedOf(const Folder& folder, std::vector<FolderEntry> entries) {
    std::vector<ListedEntry> listed;
    listed.reserve(entries.size());
    for (FolderEntry& entry : entries) {
        std::optional<FileIdentity> file;
        if (entry.kind == EntryKind::File && folder.hasFile(entry.name)) {
            file = entry.identity;
        } else if (entry.kind == EntryKind::Link) {
            const auto target = folder.openFile(entry.name);
            file = target ? std::optional((*target)->identity()) : std::nullopt;
        }
        listed.push_back({std::move(entry), file});
    }
    return listed;
}

Result<void> sendListing(const std::vector<std::string>& inner,
                         const std::vector<ListedEntry>& entries, const SendPart& send) {
    for (const std::string& part : encodeListing(inner, entries)) {
        CAIRN_CHECK(send(FrameKind::Listing, part));
    }
    return {};
}

/// False: it could not be read, which the near end finds out when it asks.
Result<bool> sendRange(const ByteSource& source, AheadBytes about, ByteRange range,
                       const SendPart& send) {
    const auto bytes = readRange(source, range);
    if (!bytes || !source.checkUnchanged()) {
        return false;
    }
    about.identity = source.identity();
    about.offset = range.offset;
    about.bytes = asText(*bytes);
    CAIRN_CHECK(send(FrameKind::Ahead, encode(about)));
    return true;
}

/// The first and last bytes of a file, or all of it: how many were sent.
Result<std::uint64_t> sendEnds(const ByteSourcePtr& source, const AheadBytes& about,
                               std::uint64_t end, const SendPart& send) {
    const std::uint64_t size = source->size();
    const bool whole = size <= std::max(kWholeFile, 2 * end);
    CAIRN_TRY(const bool read, sendRange(*source, about, {0, whole ? size : end}, send));
    if (whole || !read) {
        return whole ? size : end;
    }
    const std::uint64_t begin = (size - end) / kPage * kPage; // the near end keeps complete pages
    CAIRN_CHECK(sendRange(*source, about, {begin, size - begin}, send));
    return end + (size - begin);
}

} // namespace

Result<FolderPtr> ServedFiles::folderOf(const FolderRef& ref) {
    if (const auto at = findKept(m_folders, ref); at != m_folders.end()) {
        return at->second;
    }
    CAIRN_TRY(FolderPtr folder, Folder::open(ref.root));
    for (const std::string& name : ref.inner) {
        CAIRN_TRY(folder, folder->openFolder(name));
    }
    keep(ref, folder);
    return folder;
}

void ServedFiles::keep(const FolderRef& ref, const FolderPtr& folder) {
    forget(ref);
    m_folders.emplace_front(ref, folder);
    m_folders.resize(std::min(m_folders.size(), kOpenFolders));
}

void ServedFiles::forget(const FolderRef& ref) {
    std::erase_if(m_folders, [&](const auto& each) { return each.first == ref; });
}

Result<ByteSourcePtr> ServedFiles::fileOf(const ReadRequest& request) {
    const std::pair key{request.file.folder, request.file.name};
    if (const auto at = findKept(m_files, key); at != m_files.end()) {
        if (at->second->identity() == request.identity) {
            return at->second;
        }
        m_files.erase(at); // replaced since
    }
    CAIRN_TRY(const FolderPtr folder, folderOf(request.file.folder));
    CAIRN_TRY(ByteSourcePtr file, folder->openFile(request.file.name));
    if (file->identity() != request.identity) {
        return fail(ErrorCode::ChangedOnDisk, "The file changed while it was in use")
            .inFile(file->name())
            .withHint("Refresh after the writer has finished");
    }
    m_files.emplace_front(key, file);
    m_files.resize(std::min(m_files.size(), kOpenFiles));
    return file;
}

Result<void> ServedFiles::sendFolders(const FolderPtr& top, const KnownTags& known,
                                      const SendPart& send) {
    struct Next {
        std::vector<std::string> inner;
        FolderPtr folder;
    };
    struct Big {
        std::vector<std::string> inner;
        std::string name;
        FolderPtr folder;
    };
    std::deque<Next> next{{{}, top}};
    std::vector<Big> files;
    std::size_t folders = 0;
    std::size_t entries = 0;
    while (!next.empty() && folders < kAheadFolders) {
        const Next now = std::move(next.front());
        next.pop_front();
        auto listed = now.folder->list();
        if (!listed && folders > 0) {
            continue; // the near end finds out when it asks
        }
        if (!listed) {
            return std::move(listed).error();
        }
        if (folders > 0 && entries + listed->size() > kAheadEntries) {
            break;
        }
        ++folders;
        entries += listed->size();
        const auto all = listedOf(*now.folder, *std::move(listed));
        CAIRN_CHECK(sendListing(now.inner, all, send));
        for (const ListedEntry& each : all) {
            if (each.entry.kind == EntryKind::Folder && next.size() < kAheadFolders &&
                now.inner.size() < kMaxLevels) {
                if (auto inner = now.folder->openFolder(each.entry.name)) {
                    auto names = now.inner;
                    names.push_back(each.entry.name);
                    next.push_back({std::move(names), std::move(*inner)});
                }
            } else if (each.file && files.size() < kAheadEntries &&
                       !known.contains(identityTag(*each.file))) {
                files.push_back({now.inner, each.entry.name, now.folder});
            }
        }
    }
    std::uint64_t left = kAheadBytes;
    for (const Big& each : files) {
        const auto source = each.folder->openFile(each.name);
        if (!source || (*source)->size() == 0) {
            continue;
        }
        const std::uint64_t size = (*source)->size();
        const std::uint64_t cost = size <= kWholeFile ? size : 2 * kFileEnd + kPage;
        if (cost > left) {
            continue;
        }
        CAIRN_TRY(const std::uint64_t sent,
                  sendEnds(*source, {each.inner, each.name, {}, 0, {}}, kFileEnd, send));
        left -= std::min(left, sent);
    }
    return {};
}

Result<void> ServedFiles::open(const OpenPlaceRequest& request, const SendPart& send) {
    CAIRN_TRY(const Location::Opened opened, Location(withHome(request.path)).open());
    const KnownTags known(request.known.begin(), request.known.end());
    FolderRef ref{std::filesystem::absolute(opened.folder->path()).string(), {}};
    WireWriter place;
    place.put(std::string_view(ref.root));
    place.put(std::string_view(opened.name));
    CAIRN_CHECK(send(FrameKind::Place, place.bytes()));
    keep(ref, opened.folder);
    if (opened.isFolder()) {
        return sendFolders(opened.folder, known, send);
    }
    auto entries = opened.folder->list(kAheadEntries);
    if (entries) { // what is beside the file may belong to it
        CAIRN_CHECK(sendListing({}, listedOf(*opened.folder, *std::move(entries)), send));
    }
    CAIRN_TRY(const ByteSourcePtr file, opened.folder->openFile(opened.name));
    if (!known.contains(identityTag(file->identity()))) {
        CAIRN_CHECK(sendEnds(file, {{}, opened.name, {}, 0, {}}, kNamedFileEnd, send));
    }
    return {};
}

Result<void> ServedFiles::list(const FolderRef& ref, const SendPart& send) {
    forget(ref); // another folder may have its name now
    CAIRN_TRY(const FolderPtr folder, folderOf(ref));
    CAIRN_TRY(auto entries, folder->list());
    return sendListing({}, listedOf(*folder, std::move(entries)), send);
}

Result<void> ServedFiles::stat(const std::vector<FileRef>& files, const SendPart& send) {
    for (const FileRef& each : files) {
        const auto file = folderOf(each.folder).and_then([&](const FolderPtr& folder) {
            return folder->openFile(each.name);
        });
        WireWriter status;
        status.put(static_cast<std::uint8_t>(file ? 1 : 0));
        if (file) {
            putIdentity(status, (*file)->identity());
        } else {
            putError(status, file.error());
        }
        CAIRN_CHECK(send(FrameKind::Status, status.bytes()));
    }
    return {};
}

Result<void> ServedFiles::read(const ReadRequest& request, const SendPart& send) {
    CAIRN_TRY(const ByteSourcePtr file, fileOf(request));
    std::vector<std::byte> buffer;
    for (const ByteRange& range : request.ranges) {
        for (std::uint64_t at = 0; at < range.length;) {
            const std::uint64_t part = std::min(kDataPart, range.length - at);
            buffer.resize(part);
            CAIRN_CHECK(file->readAt(range.offset + at, buffer));
            CAIRN_CHECK(send(FrameKind::Data, asText(buffer)));
            at += part;
        }
    }
    return file->checkUnchanged(); // before the near end uses anything of it
}

Result<std::vector<GatheredBytes>> ServedFiles::gatherOne(const ReadRequest& request,
                                                          std::uint32_t place) {
    CAIRN_TRY(const ByteSourcePtr file, fileOf(request));
    std::vector<GatheredBytes> parts;
    for (const ByteRange& range : request.ranges) {
        for (std::uint64_t at = 0; at < range.length; at += kDataPart) {
            const std::uint64_t begin = range.offset + at;
            CAIRN_TRY(const auto bytes,
                      readRange(*file, {begin, std::min(kDataPart, range.length - at)}));
            parts.push_back({place, begin, std::string(asText(bytes))});
        }
    }
    CAIRN_CHECK(file->checkUnchanged());
    return parts;
}

Result<void> ServedFiles::gather(const std::vector<ReadRequest>& requests, const SendPart& send) {
    std::uint32_t place = 0;
    for (const ReadRequest& each : requests) {
        const auto parts = gatherOne(each, place++);
        if (!parts) {
            continue; // the near end finds out when it reads there
        }
        for (const GatheredBytes& part : *parts) {
            CAIRN_CHECK(send(FrameKind::Gathered, encode(part)));
        }
    }
    return {};
}

} // namespace cairn::store
