// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/saved_files.h"

#include "core/base/ascii.h"
#include "core/formats/format.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLevels = 64;
constexpr std::size_t kMaxRows = 1'000'000;
constexpr std::size_t kDigest = 16; ///< least number of digits

std::optional<SavedFiles::Row> rowOf(const fs::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    SavedFiles::Row row;
    row.name = path.filename().string();
    row.kind = S_ISREG(status.st_mode)   ? EntryKind::File
               : S_ISDIR(status.st_mode) ? EntryKind::Folder
               : S_ISLNK(status.st_mode) ? EntryKind::Link
                                         : EntryKind::Other;
    const auto ns = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    };
    row.identity = {status.st_dev, status.st_ino,
                    row.kind == EntryKind::File ? static_cast<std::uint64_t>(status.st_size) : 0,
                    ns(status.st_mtim), 0};
    return row;
}

bool addFolder(SavedFiles& saved, const Folder& folder, const std::string& prefix, int level) {
    const auto entries = folder.list(kMaxRows);
    if (!entries || level > kMaxLevels || saved.rows.size() + entries->size() > kMaxRows) {
        return false;
    }
    bool whole = true;
    for (const FolderEntry& entry : *entries) {
        saved.rows.push_back({prefix + entry.name, entry.kind, entry.identity});
        saved.rows.back().identity.ctimeNs = 0;
        if (entry.kind == EntryKind::Folder) {
            const auto inner = folder.openFolder(entry.name);
            whole =
                inner && addFolder(saved, **inner, prefix + entry.name + "/", level + 1) && whole;
        }
    }
    return whole;
}

bool isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string withoutNumbers(const std::string& name) {
    std::string shape;
    for (std::size_t at = 0; at < name.size();) {
        const auto end = [&](auto&& isPart) {
            return static_cast<std::size_t>(
                std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(at), name.end(),
                                 isPart) -
                name.begin());
        };
        if (const std::size_t digest = end(isHex); digest - at >= kDigest) {
            shape += '*';
            at = digest;
        } else if (isDigit(name[at])) {
            shape += '#';
            at = end(isDigit);
        } else {
            shape += name[at++];
        }
    }
    return shape;
}

/// "0.0" of a Zarr array, "c/0/1": the number of stored chunks varies, because chunks of zeros are
/// omitted.
bool isChunk(const std::string& shape) {
    const std::size_t slash = shape.rfind('/');
    const std::string_view last =
        std::string_view(shape).substr(slash == std::string::npos ? 0 : slash + 1);
    return !last.empty() && std::ranges::all_of(last, [](char c) { return c == '#' || c == '.'; });
}

} // namespace

std::int64_t SavedFiles::oldestNs() const {
    std::int64_t oldest = INT64_MAX;
    for (const Row& row : rows) {
        oldest = row.kind != EntryKind::Folder ? std::min(oldest, row.identity.mtimeNs) : oldest;
    }
    return oldest == INT64_MAX ? 0 : oldest;
}

std::int64_t SavedFiles::newestNs() const {
    std::int64_t newest = INT64_MIN;
    for (const Row& row : rows) {
        newest = row.kind != EntryKind::Folder ? std::max(newest, row.identity.mtimeNs) : newest;
    }
    return newest == INT64_MIN ? 0 : newest;
}

std::map<std::string, std::size_t> SavedFiles::shape() const {
    std::map<std::string, std::size_t> shape;
    if (rows.size() == 1 && rows.front().kind == EntryKind::File) {
        return shape; // a single file: its name only identifies the checkpoint
    }
    for (const Row& row : rows) {
        std::string name = withoutNumbers(row.name);
        if (row.kind != EntryKind::Folder && !isChunk(name)) {
            ++shape[std::move(name)];
        }
    }
    return shape;
}

SavedFiles listSavedFiles(const fs::path& checkpoint) {
    SavedFiles saved;
    auto files = filesOfSave(checkpoint);
    if (files.empty()) {
        files.push_back(checkpoint.has_filename() ? checkpoint : checkpoint.parent_path());
    }
    saved.whole = true;
    for (const fs::path& file : files) {
        auto row = rowOf(file);
        if (!row) {
            saved.whole = false;
            continue;
        }
        const bool isFolder = row->kind == EntryKind::Folder;
        saved.rows.push_back(std::move(*row));
        if (isFolder) {
            saved.rows.back().name.clear();
            const auto folder = Folder::open(file);
            saved.whole = folder && addFolder(saved, **folder, {}, 0) && saved.whole;
        }
    }
    return saved;
}

} // namespace cairn
