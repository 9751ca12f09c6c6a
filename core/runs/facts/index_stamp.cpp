// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/index_stamp.h"

#include "core/formats/format.h"
#include "core/io/hash.h"
#include "core/runs/facts/index_bytes.h"

#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kLevels = 8; ///< below the checkpoint's folder

void addToStamp(IndexWriter& stamp, const Folder& folder, std::span<const FolderEntry> entries,
                int depth) {
    for (const FolderEntry& entry : entries) {
        stamp.put(entry.name);
        stamp.put(entry.identity.inode);
        if (entry.kind == EntryKind::Folder) {
            const auto inner =
                depth < kLevels ? folder.openFolder(entry.name) : Result<FolderPtr>(Error());
            if (const auto inside = entriesOf(inner)) {
                addToStamp(stamp, **inner, *inside, depth + 1);
            }
            continue;
        }
        stamp.put(entry.identity.size);
        stamp.put(entry.identity.mtimeNs);
        stamp.put(entry.identity.ctimeNs);
    }
}

} // namespace

std::optional<IndexStamp> stampOf(const fs::path& path) {
    return stamped(path).stamp;
}

Stamped stamped(const fs::path& path) {
    Stamped result;
    IndexWriter all;
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        auto listed = Location(path).list();
        if (!listed || !listed->place.isFolder()) {
            return {};
        }
        all.put(std::uint64_t{status.st_ino});
        addToStamp(all, *listed->place.folder, listed->entries, 0);
        result.folder = std::move(*listed);
    } else {
        const auto files = exists ? std::vector<fs::path>() : filesOfSave(path);
        for (const fs::path& file : files) {
            struct stat part {};
            if (::stat(file.c_str(), &part) != 0) {
                return {};
            }
            all.put(file.filename().string());
            all.put(std::uint64_t{part.st_ino});
            all.put(std::int64_t{part.st_size});
            all.put(part.st_mtim);
            all.put(part.st_ctim);
            status = file == files.front() ? part : status; // the index
        }
        if (!exists && files.empty()) {
            return {};
        }
        all.put(std::uint64_t{status.st_ino});
        all.put(std::int64_t{status.st_size});
        all.put(status.st_mtim);
        all.put(status.st_ctim);
    }
    Sha256 hash;
    hash.add(all.bytes());
    const Sha256Digest digest = hash.finish();
    std::copy_n(digest.begin(), result.stamp.emplace().size(), result.stamp->begin());
    return result;
}

} // namespace cairn
