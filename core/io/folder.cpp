// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"

#include "core/base/ascii.h"
#include "core/io/near_reads.h"
#include "core/io/remote_name.h"
#include "core/io/system_error.h"

#include <climits>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace cairn {
namespace {

constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr int kFolderFlags = O_RDONLY | O_CLOEXEC | O_DIRECTORY;

bool isHexName(std::string_view name) {
    return name.size() >= 32 && name.size() <= 128 &&
           std::ranges::all_of(name, [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
}

/// Opens a path below `root`, one component at a time, without following links; for kernels without
/// openat2.
int openStepwise(int root, std::string relative, int flags) {
    int current = ::dup(root);
    std::size_t begin = 0;
    while (current >= 0) {
        const std::size_t slash = relative.find('/', begin);
        const bool last = slash == std::string::npos;
        const std::string part = relative.substr(begin, last ? std::string::npos : slash - begin);
        if (part == ".." || relative.starts_with('/')) {
            ::close(current);
            errno = EXDEV;
            return -1;
        }
        const int next =
            (part.empty() || part == ".") && !last
                ? ::dup(current)
                : ::openat(current, part.c_str(), (last ? flags : kFolderFlags) | O_NOFOLLOW);
        const int code = errno;
        ::close(current);
        errno = code;
        if (last) {
            return next;
        }
        current = next;
        begin = slash + 1;
    }
    return -1;
}

int openAt2(int root, const std::string& relative, int flags) {
    struct open_how how {};
    how.flags = static_cast<std::uint64_t>(flags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    for (int attempt = 0;; ++attempt) {
        const long fd = ::syscall(SYS_openat2, root, relative.c_str(), &how, sizeof how);
        if (fd >= 0) {
            return static_cast<int>(fd);
        }
        if (errno == ENOSYS) {
            return openStepwise(root, relative, flags);
        }
        if ((errno != EAGAIN && errno != EINTR) || attempt > 100) {
            return -1;
        }
    }
}

/// The Hugging Face cache: `<repo>/snapshots/<rev>/<name>` links to `../../blobs/<hash>`. Opens
/// that blob, which must not be a link itself, if the folder is in such a cache.
int openHuggingFaceBlob(int root, const std::filesystem::path& rootPath,
                        const std::string& relative) {
    const std::filesystem::path inside(relative);
    if (std::ranges::any_of(inside, [](const auto& part) { return part == ".." || part == "/"; })) {
        return -1;
    }
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlinkat(root, relative.c_str(), target.data(), target.size());
    if (length <= 0 || static_cast<std::size_t>(length) >= target.size()) {
        return -1;
    }
    const std::filesystem::path link(std::string(target.data(), static_cast<std::size_t>(length)));
    std::error_code error;
    const auto base = std::filesystem::canonical(rootPath / inside.parent_path(), error);
    const auto blob = (base / link).lexically_normal();
    const auto repo = blob.parent_path().parent_path();
    const bool fits = !error && link.is_relative() && isHexName(blob.filename().string()) &&
                      blob.parent_path().filename() == "blobs" &&
                      base.string().starts_with((repo / "snapshots").string() + "/");
    return fits ? ::open(blob.c_str(), kFileFlags | O_NOFOLLOW) : -1;
}

EntryKind kindOf(mode_t mode) {
    if (S_ISREG(mode)) {
        return EntryKind::File;
    }
    if (S_ISDIR(mode)) {
        return EntryKind::Folder;
    }
    return S_ISLNK(mode) ? EntryKind::Link : EntryKind::Other;
}

/// The names in a folder, in the order of the kernel. Has a position of its own, so that several
/// threads can read one folder. Unlike readdir() it asks for nothing but the names.
class NameStream {
public:
    explicit NameStream(int folder) : m_fd(::openat(folder, ".", kFolderFlags)) {}
    NameStream(const NameStream&) = delete;
    NameStream& operator=(const NameStream&) = delete;
    ~NameStream() {
        if (isOpen()) {
            ::close(m_fd);
        }
    }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }

    /// Valid until the next call. Null at the end.
    const char* next() {
        if (m_at >= m_filled) {
            m_block.resize(kBlock);
            const long filled = ::syscall(SYS_getdents64, m_fd, m_block.data(), m_block.size());
            m_at = 0;
            m_filled = filled > 0 ? static_cast<std::size_t>(filled) : 0;
        }
        if (m_at >= m_filled) {
            return nullptr;
        }
        const char* entry = m_block.data() + m_at;
        std::uint16_t length = 0;
        std::memcpy(&length, entry + kLengthAt, sizeof length);
        m_at += length;
        return entry + kNameAt;
    }

private:
    static constexpr std::size_t kBlock = 32768;
    static constexpr std::size_t kLengthAt = 16; ///< of linux_dirent64, see getdents64(2)
    static constexpr std::size_t kNameAt = 19;

    int m_fd;
    std::vector<char> m_block;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
};

class DiskFolder final : public Folder {
public:
    DiskFolder(int fd, std::filesystem::path path) : Folder(std::move(path)), m_fd(fd) {}
    DiskFolder(const DiskFolder&) = delete;
    DiskFolder& operator=(const DiskFolder&) = delete;
    ~DiskFolder() override { ::close(m_fd); }

    Result<ByteSourcePtr> openFile(std::string_view relative) const override;
    Result<FolderPtr> openFolder(std::string_view relative) const override;
    Result<std::vector<FolderEntry>> list(std::size_t limit) const override;
    bool hasFile(std::string_view relative) const override;

private:
    Result<int> openBeneath(std::string_view relative, int flags) const;

    int m_fd;
};

Result<int> DiskFolder::openBeneath(std::string_view relative, int flags) const {
    const std::string name(relative);
    const std::string shown = (path() / name).string();
    if (name.empty() || name.find('\0') != std::string::npos) {
        return fail(ErrorCode::OutsideFolder, "Not a file name").inFile(shown);
    }
    int fd = openAt2(m_fd, name, flags);
    const bool wantsFile = (flags & O_DIRECTORY) == 0; // blobs are files
    if (fd < 0 && wantsFile && (errno == EXDEV || errno == ELOOP)) {
        const int code = errno;
        fd = openHuggingFaceBlob(m_fd, path(), name);
        errno = code;
    }
    if (fd < 0) {
        const int code = errno;
        return systemError(code, code == EXDEV || code == ELOOP
                                     ? Sentence("The name points outside the checkpoint's folder")
                                     : "Cannot open the file")
            .inFile(shown);
    }
    return fd;
}

Result<ByteSourcePtr> DiskFolder::openFile(std::string_view relative) const {
    CAIRN_TRY(const int fd, openBeneath(relative, kFileFlags));
    CAIRN_TRY(ByteSourcePtr file, makeFileSource(fd, (path() / relative).string()));
    return joinNearReads(std::move(file));
}

Result<FolderPtr> DiskFolder::openFolder(std::string_view relative) const {
    CAIRN_TRY(const int fd, openBeneath(relative, kFolderFlags));
    return FolderPtr(std::make_shared<const DiskFolder>(fd, path() / relative));
}

bool DiskFolder::hasFile(std::string_view relative) const {
    const std::string name(relative);
    struct stat status {};
    const bool isOwn = name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
    if (!isOwn || (::fstatat(m_fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISLNK(status.st_mode))) {
        return openFile(relative).has_value(); // which decides where a path may lead
    }
    return S_ISREG(status.st_mode) && ::faccessat(m_fd, name.c_str(), R_OK, 0) == 0;
}

Result<std::vector<FolderEntry>> DiskFolder::list(std::size_t limit) const {
    NameStream stream(m_fd);
    if (!stream.isOpen()) {
        return systemError(errno, "Cannot list the folder").inFile(path().string());
    }
    std::vector<FolderEntry> entries;
    while (const char* item = stream.next()) {
        const std::string_view name = item;
        struct stat status {};
        if (name == "." || name == ".." ||
            ::fstatat(m_fd, item, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (entries.size() == limit) {
            return fail(ErrorCode::LimitExceeded, "The folder has too many entries")
                .inFile(path().string())
                .expecting(sentence("at most %1", limit));
        }
        const auto ns = [](const timespec& t) {
            return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
        };
        FolderEntry entry{std::string(name), kindOf(status.st_mode), {}};
        entry.identity = {status.st_dev, status.st_ino,
                          S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0,
                          ns(status.st_mtim), ns(status.st_ctim)};
        entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries,
                      [](const auto& a, const auto& b) { return naturalLess(a.name, b.name); });
    return entries;
}

} // namespace

Result<FolderPtr> Folder::open(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), kFolderFlags);
    if (fd < 0 && errno == ENOENT && namesRemote(path.native())) {
        CAIRN_TRY(RemotePlace place, openRemote(path));
        if (place.name.empty()) {
            return std::move(place.folder);
        }
        return systemError(ENOTDIR, "Cannot open the folder").inFile(path.string());
    }
    if (fd < 0) {
        return systemError(errno, "Cannot open the folder").inFile(path.string());
    }
    return FolderPtr(std::make_shared<const DiskFolder>(fd, path));
}

bool naturalLess(std::string_view left, std::string_view right) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() && j < right.size()) {
        if (isDigit(left[i]) && isDigit(right[j])) {
            const auto skipZeros = [](std::string_view text, std::size_t at) {
                while (at < text.size() && text[at] == '0') {
                    ++at;
                }
                return at;
            };
            const auto skipDigits = [](std::string_view text, std::size_t at) {
                while (at < text.size() && isDigit(text[at])) {
                    ++at;
                }
                return at;
            };
            const bool isFraction = i > 0 && left[i - 1] == '.'; // then also of the other name
            const std::size_t a = isFraction ? i : skipZeros(left, i);
            const std::size_t b = isFraction ? j : skipZeros(right, j);
            const std::size_t aEnd = skipDigits(left, a);
            const std::size_t bEnd = skipDigits(right, b);
            // "lr0.0003" is less than "lr0.001", but "v1.9" less than "v1.10".
            const bool hasZeros = isFraction && (left[i] == '0' || right[j] == '0');
            if (aEnd - a != bEnd - b && !hasZeros) {
                return aEnd - a < bEnd - b;
            }
            if (const int order = left.substr(a, aEnd - a).compare(right.substr(b, bEnd - b));
                order != 0) {
                return order < 0;
            }
            i = aEnd;
            j = bEnd;
        } else if (left[i] != right[j]) {
            return static_cast<unsigned char>(left[i]) < static_cast<unsigned char>(right[j]);
        } else {
            ++i;
            ++j;
        }
    }
    if (left.size() - i != right.size() - j) {
        return left.size() - i < right.size() - j;
    }
    return left < right; // "07" and "7" are different names
}

} // namespace cairn
