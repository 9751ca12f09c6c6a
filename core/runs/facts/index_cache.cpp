// SPDX-License-Identifier: Apache-2.0
//
// The file of an entry: magic and version (8 bytes), length of the rest (u64), CRC-32 of the rest
// (u32), the entry's name with its length, the content. The file's name is a digest of the entry's,
// which begins with the version of Cairn; the name inside distinguishes two that should ever meet.
#include "core/runs/facts/index_cache.h"

#include "core/base/endian.h"
#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/io/user_folder.h"
#include "core/runs/facts/index_bytes.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "CAIRNIXB";
constexpr std::size_t kHead = 20;
constexpr std::string_view kEnding = ".index";
constexpr std::string_view kBegun = ".begun-";
const std::string kLimit = "limit"; ///< a file with a number of bytes in decimal digits
constexpr std::uint64_t kMostDigits = 20;
constexpr std::int64_t kAbandonedWriteNs = 3'600'000'000'000;

std::string nameOf(std::string_view entry) {
    return std::string(CAIRN_VERSION " ") += entry;
}

std::string fileNameOf(std::string_view entry) {
    Sha256 hash;
    hash.add(asBytes(entry));
    const Sha256Digest digest = hash.finish();
    return hexText(std::span(digest).first(16)) + std::string(kEnding);
}

/// Removes the oldest files beyond the limit, and incomplete ones left by a crash.
void makeRoom(FileOps& ops, const FileHandle& handle, const fs::path& path, std::uint64_t limit) {
    const auto folder = Folder::open(path);
    auto entries = entriesOf(folder);
    if (!entries) {
        return;
    }
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    std::uint64_t total = 0;
    for (const FolderEntry& entry : *entries) {
        total += entry.identity.size;
    }
    std::ranges::sort(*entries, {},
                      [](const FolderEntry& entry) { return entry.identity.mtimeNs; });
    for (const FolderEntry& entry : *entries) {
        const bool isEntry = entry.name.ends_with(kEnding);
        const bool abandoned =
            entry.name.starts_with(kBegun) && now - entry.identity.mtimeNs > kAbandonedWriteNs;
        if (entry.kind == EntryKind::File && (abandoned || (isEntry && total > limit)) &&
            ops.removeFile(handle, entry.name)) {
            total -= entry.identity.size;
        }
    }
}

Result<void> writeEntry(FileOps& ops, const FileHandle& folder, const std::string& name,
                        std::span<const std::byte> head, std::span<const std::byte> content) {
    static std::atomic<std::uint64_t> count{0};
    const std::string begun = std::string(kBegun) + std::to_string(::getpid()) + "-" +
                              std::to_string(count.fetch_add(1)) + "-" + name;
    CAIRN_TRY(FileHandle file, ops.createFile(folder, begun));
    auto done = ops.writeAt(file, 0, head);
    done = done ? ops.writeAt(file, head.size(), content) : done;
    done = done ? ops.close(std::move(file)) : done;
    if (done) {
        (void)ops.removeFile(folder, name); // may not exist
        done = ops.renameNoReplace(folder, begun, folder, name);
    }
    if (!done) {
        (void)ops.removeFile(folder, begun); // the first error is reported
    }
    return done;
}

} // namespace

IndexCache IndexCache::ofUser() {
    const char* wish = std::getenv("CAIRN_CACHE");
    if (wish != nullptr && std::string_view(wish) == "off") {
        return IndexCache({});
    }
    const fs::path cache = userFolder("XDG_CACHE_HOME", ".cache");
    return IndexCache(cache.empty() ? cache : cache / "index");
}

std::optional<std::vector<std::byte>> IndexCache::read(std::string_view called) const {
    const std::string entry = nameOf(called);
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto source =
        folder ? (*folder)->openFile(fileNameOf(entry)) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() < kHead || (*source)->size() > kMaxEntry + kHead + 65536) {
        return std::nullopt;
    }
    auto bytes = readRange(**source, {0, (*source)->size()});
    if (!bytes || asText(*bytes).substr(0, kMagic.size()) != kMagic ||
        loadLittle<std::uint64_t>(*bytes, 8) != bytes->size() - kHead) {
        return std::nullopt;
    }
    const std::span rest = std::span<const std::byte>(*bytes).subspan(kHead);
    if (loadLittle<std::uint32_t>(*bytes, 16) != crc32(0, rest)) {
        return std::nullopt;
    }
    IndexReader reader(rest);
    if (reader.getText() != entry || !reader.good()) {
        return std::nullopt;
    }
    const std::size_t begin = kHead + 8 + entry.size();
    bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(begin));
    return std::move(*bytes);
}

bool IndexCache::write(std::string_view called, std::span<const std::byte> content) const {
    const std::string entry = nameOf(called);
    const std::uint64_t most = limit();
    if (!isOn() || content.size() > std::min(kMaxEntry, most)) {
        return false;
    }
    IndexWriter name;
    name.put(entry);
    std::vector<std::byte> head(kHead);
    std::ranges::copy(asBytes(kMagic), head.begin());
    storeLittle(std::span(head), 8, std::uint64_t{name.bytes().size() + content.size()});
    storeLittle(std::span(head), 16, crc32(crc32(0, name.bytes()), content));
    head.insert(head.end(), name.bytes().begin(), name.bytes().end());
    RealFileOps ops;
    const auto folder = openUserFolder(ops, m_folder);
    if (!folder || !writeEntry(ops, *folder, fileNameOf(entry), head, content)) {
        return false;
    }
    makeRoom(ops, *folder, m_folder, most);
    return true;
}

std::uint64_t IndexCache::limit() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto source = folder ? (*folder)->openFile(kLimit) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() > kMostDigits) {
        return kMaxFolder;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    std::uint64_t limit = 0;
    const std::string_view text = bytes ? asText(*bytes) : std::string_view();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    return error == std::errc() && end == text.data() + text.size() ? limit : kMaxFolder;
}

bool IndexCache::setLimit(std::uint64_t bytes) const {
    RealFileOps ops;
    const auto folder = isOn() ? openUserFolder(ops, m_folder) : Result<FileHandle>(Error());
    const std::string text = std::to_string(bytes);
    if (!folder || !writeEntry(ops, *folder, kLimit, {}, asBytes(text))) {
        return false;
    }
    makeRoom(ops, *folder, m_folder, bytes);
    return true;
}

std::uint64_t IndexCache::used() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto entries = entriesOf(folder);
    std::uint64_t total = 0;
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        total += entry.name.ends_with(kEnding) ? entry.identity.size : 0;
    }
    return total;
}

void IndexCache::clear() const {
    RealFileOps ops;
    if (isOn() && Folder::open(m_folder)) { // is not created here
        if (const auto folder = openUserFolder(ops, m_folder)) {
            makeRoom(ops, *folder, m_folder, 0);
        }
    }
}

} // namespace cairn
