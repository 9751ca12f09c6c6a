// SPDX-License-Identifier: Apache-2.0
//
// The file of an entry: magic and version (8 bytes), length of the rest (u64), CRC-32 of the rest
// (u32), the entry's name with its length (u64), the content. The file's name is a digest of the
// entry's, which begins with the version; the name inside distinguishes two that should ever meet.
#include "core/io/cache_folder.h"

#include "core/base/endian.h"
#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/io/user_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "CAIRNIXB";
constexpr std::size_t kHead = 20;
constexpr std::string_view kBegun = ".begun-";
const std::string kLimit = "limit"; ///< a file with a number of bytes in decimal digits
constexpr std::uint64_t kMostDigits = 20;
constexpr std::int64_t kAbandonedWriteNs = 3'600'000'000'000;
constexpr std::int64_t kUseNs = 600'000'000'000; ///< how exactly the time of the last use is known

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string fileNameOf(std::string_view entry, std::string_view ending) {
    Sha256 hash;
    hash.add(asBytes(entry));
    const Sha256Digest digest = hash.finish();
    return hexText(std::span(digest).first(16)) + std::string(ending);
}

/// Removes the oldest files beyond the limit, and incomplete ones left by a crash. `newest` is the
/// file that was just written: file systems count time in steps of milliseconds, so that an older
/// file can have the same time.
void makeRoom(FileOps& ops, const FileHandle& handle, const fs::path& path, std::uint64_t limit,
              std::string_view ending, std::string_view newest) {
    const auto folder = Folder::open(path);
    auto entries = entriesOf(folder);
    if (!entries) {
        return;
    }
    const std::int64_t now = nowNs();
    std::uint64_t total = 0;
    for (const FolderEntry& entry : *entries) {
        total += entry.identity.size;
    }
    std::ranges::sort(*entries, {}, [&](const FolderEntry& entry) {
        return std::pair(entry.name == newest, entry.identity.mtimeNs);
    });
    for (const FolderEntry& entry : *entries) {
        const bool isEntry = entry.name.ends_with(ending);
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
    (void)::fchmod(file.fd(), 0600); // fails where modes are not supported
    auto done = ops.writeAt(file, 0, head);
    done = done ? ops.writeAt(file, head.size(), content) : done;
    done = done ? ops.close(std::move(file)) : done;
    if (done) {
        done = ops.replaceOwn(folder, begun, name);
    }
    if (!done) {
        (void)ops.removeFile(folder, begun); // the first error is reported
    }
    return done;
}

} // namespace

struct CacheFolder::Written {
    std::atomic<std::uint64_t> bytes = UINT64_MAX; ///< the folder was not looked at yet
};

CacheFolder CacheFolder::ofUser(std::string_view name, CacheKind kind) {
    const char* wish = std::getenv("CAIRN_CACHE");
    const fs::path cache = wish != nullptr && std::string_view(wish) == "off"
                               ? fs::path()
                               : userFolder("XDG_CACHE_HOME", ".cache");
    return {cache.empty() ? cache : cache / name, std::move(kind)};
}

CacheFolder::CacheFolder(fs::path folder, CacheKind kind)
    : m_folder(std::move(folder)), m_kind(std::move(kind)), m_written(std::make_shared<Written>()) {
}

std::optional<std::vector<std::byte>> CacheFolder::read(std::string_view called) const {
    const std::string entry = m_kind.version + " " + std::string(called);
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const std::string name = fileNameOf(entry, m_kind.ending);
    const auto source = folder ? (*folder)->openFile(name) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() < kHead ||
        (*source)->size() > m_kind.mostEntry + kHead + 65536) {
        return std::nullopt;
    }
    auto bytes = readRange(**source, {0, (*source)->size()});
    const std::size_t begin = kHead + 8 + entry.size();
    if (!bytes || bytes->size() < begin || asText(*bytes).substr(0, kMagic.size()) != kMagic ||
        loadLittle<std::uint64_t>(*bytes, 8) != bytes->size() - kHead) {
        return std::nullopt;
    }
    const std::span rest = std::span<const std::byte>(*bytes).subspan(kHead);
    if (loadLittle<std::uint32_t>(*bytes, 16) != crc32(0, rest) ||
        loadLittle<std::uint64_t>(rest) != entry.size() ||
        asText(rest.subspan(8, entry.size())) != entry) {
        return std::nullopt;
    }
    if (m_kind.byUse && nowNs() - (*source)->identity().mtimeNs > kUseNs) {
        RealFileOps ops;
        const auto handle = ops.openFolder(m_folder);
        const auto file = handle ? ops.openFile(*handle, name) : Result<FileHandle>(Error());
        if (file) {
            (void)::futimens(file->fd(), nullptr); // only its place in the order
        }
    }
    bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(begin));
    return std::move(*bytes);
}

bool CacheFolder::write(std::string_view called, std::span<const std::byte> content) const {
    const std::string entry = m_kind.version + " " + std::string(called);
    const std::uint64_t most = limit();
    if (!isOn() || content.size() > std::min(m_kind.mostEntry, most)) {
        return false;
    }
    std::vector<std::byte> head(kHead + 8 + entry.size());
    std::ranges::copy(asBytes(kMagic), head.begin());
    storeLittle(std::span(head), 8, std::uint64_t{8 + entry.size() + content.size()});
    storeLittle(std::span(head), kHead, std::uint64_t{entry.size()});
    std::ranges::copy(asBytes(entry), head.begin() + static_cast<std::ptrdiff_t>(kHead + 8));
    const std::span named = std::span<const std::byte>(head).subspan(kHead);
    storeLittle(std::span(head), 16, crc32(crc32(0, named), content));
    RealFileOps ops;
    const auto folder = openUserFolder(ops, m_folder);
    const std::string name = fileNameOf(entry, m_kind.ending);
    if (!folder || !writeEntry(ops, *folder, name, head, content)) {
        return false;
    }
    const std::uint64_t size = head.size() + content.size();
    const std::uint64_t before = m_written->bytes.load();
    if (m_kind.lookEvery == 0 || before >= m_kind.lookEvery) {
        m_written->bytes = size;
        makeRoom(ops, *folder, m_folder, most, m_kind.ending, name);
    } else {
        m_written->bytes += size;
    }
    return true;
}

std::uint64_t CacheFolder::limit() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto source = folder ? (*folder)->openFile(kLimit) : Result<ByteSourcePtr>(Error());
    if (!source || (*source)->size() > kMostDigits) {
        return m_kind.mostFolder;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    std::uint64_t limit = 0;
    const std::string_view text = bytes ? asText(*bytes) : std::string_view();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    return error == std::errc() && end == text.data() + text.size() ? limit : m_kind.mostFolder;
}

bool CacheFolder::setLimit(std::uint64_t bytes) const {
    RealFileOps ops;
    const auto folder = isOn() ? openUserFolder(ops, m_folder) : Result<FileHandle>(Error());
    const std::string text = std::to_string(bytes);
    if (!folder || !writeEntry(ops, *folder, kLimit, {}, asBytes(text))) {
        return false;
    }
    makeRoom(ops, *folder, m_folder, bytes, m_kind.ending, {});
    return true;
}

std::uint64_t CacheFolder::used() const {
    const auto folder = isOn() ? Folder::open(m_folder) : Result<FolderPtr>(Error());
    const auto entries = entriesOf(folder);
    std::uint64_t total = 0;
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        total += entry.name.ends_with(m_kind.ending) ? entry.identity.size : 0;
    }
    return total;
}

void CacheFolder::clear() const {
    RealFileOps ops;
    if (isOn() && Folder::open(m_folder)) { // is not created here
        if (const auto folder = openUserFolder(ops, m_folder)) {
            makeRoom(ops, *folder, m_folder, 0, m_kind.ending, {});
        }
    }
}

} // namespace cairn
