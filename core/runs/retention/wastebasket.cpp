// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/wastebasket.h"

#include "core/base/ascii.h"
#include "core/base/endian.h"
#include "core/io/system_error.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNames = 10'000; // attempts to find a free name
constexpr std::size_t kLongestName =
    240; // leaves room for a number and ".trashinfo" within 255 bytes
constexpr std::string_view kInfo = ".trashinfo";

struct Basket {
    FileHandle folder; ///< contains "files" and "info"
    fs::path path;
    fs::path topdir; ///< paths in info files are relative to it; empty: absolute
};

std::optional<struct stat> statusOf(const fs::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// Identifies a rename domain: device and mount, because bind mounts of one device differ.
struct Mount {
    std::uint64_t device = 0;
    std::uint64_t id = 0; ///< 0: not reported by the kernel
    friend bool operator==(const Mount&, const Mount&) = default;
};

/// A failure is never taken for another mount: it would choose another wastebasket.
Result<Mount> mountOf(const fs::path& path) {
    struct statx status {};
    int failed = 0;
    do {
        failed = ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &status);
    } while (failed != 0 && errno == EINTR);
    if (failed != 0) {
        return systemError(errno, "Cannot read the status").inFile(path.string());
    }
    const std::uint64_t device = std::uint64_t{status.stx_dev_major} << 32U | status.stx_dev_minor;
    return Mount{device, (status.stx_mask & STATX_MNT_ID) != 0 ? status.stx_mnt_id : 0};
}

/// The topmost folder on the same mount, starting at `folder`.
Result<fs::path> topOf(const fs::path& folder, const Mount& mount) {
    fs::path top = folder;
    while (top.has_relative_path()) {
        CAIRN_TRY(const Mount above, mountOf(top.parent_path()));
        if (above != mount) {
            break;
        }
        top = top.parent_path();
    }
    return top;
}

/// Opens a sub-folder; creates it for this user only if it is missing.
Result<FileHandle> ensureFolder(FileOps& ops, const FileHandle& parent, const std::string& name) {
    if (auto known = ops.openFolderIn(parent, name)) {
        return known;
    }
    const auto made = ops.makeFolder(parent, name);
    if (!made && made.error().code != ErrorCode::OutputExists) {
        return made.error();
    }
    auto folder = ops.openFolderIn(parent, name);
    if (!folder && !made) {
        return fail(ErrorCode::PermissionDenied,
                    "The wastebasket is a link or not a folder; it is not used")
            .inFile((fs::path(parent.name()) / name).string())
            .withHint("Remove it, and a wastebasket will be created there");
    }
    if (folder && made && ::fchmod(folder->fd(), 0700) != 0 &&
        errno != EPERM) { // EPERM: FAT and similar file systems
        return systemError(errno, "Cannot restrict the wastebasket's permissions");
    }
    return folder;
}

Result<FileHandle> ensurePath(FileOps& ops, const fs::path& path) {
    if (auto known = ops.openFolder(path)) {
        return known;
    }
    if (!path.has_relative_path()) {
        return fail(ErrorCode::NotFound, "No location for a wastebasket").inFile(path.string());
    }
    CAIRN_TRY(const FileHandle parent, ensurePath(ops, path.parent_path()));
    return ensureFolder(ops, parent, path.filename().string());
}

std::string octal(unsigned mode) {
    std::array<char, 8> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), mode, 8).ptr;
    return "0" + std::string(text.data(), end);
}

/// Refuses a folder of another user, or one that others can write to, where everybody may have
/// created it.
Result<void> checkOwner(const FileHandle& folder, const WastebasketPlaces& places) {
    struct stat status {};
    if (::fstat(folder.fd(), &status) != 0) {
        return systemError(errno, "Cannot read the wastebasket's status").inFile(folder.name());
    }
    if (status.st_uid != places.user || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(ErrorCode::PermissionDenied,
                    "The wastebasket is not private to this user; it is not used")
            .inFile(folder.name())
            .butFound(sentence("owner %1, mode %2", status.st_uid, octal(status.st_mode & 07777U)))
            .expecting(sentence("owner %1, not writable by others", places.user));
    }
    return {};
}

/// $topdir/.Trash/$uid, if an administrator has created .Trash correctly; otherwise it must not be
/// used.
Result<FileHandle> openShared(FileOps& ops, const FileHandle& top,
                              const WastebasketPlaces& places) {
    CAIRN_TRY(const FileHandle shared, ops.openFolderIn(top, ".Trash"));
    struct stat status {};
    if (::fstat(shared.fd(), &status) != 0 || (status.st_mode & S_ISVTX) == 0) {
        return fail(ErrorCode::PermissionDenied,
                    "A shared wastebasket without the sticky bit is not used")
            .inFile(shared.name());
    }
    CAIRN_TRY(FileHandle own, ensureFolder(ops, shared, std::to_string(places.user)));
    CAIRN_CHECK(checkOwner(own, places));
    return own;
}

Result<Basket> openBasket(FileOps& ops, const fs::path& parent, const WastebasketPlaces& places) {
    CAIRN_TRY(const Mount mount, mountOf(parent));
    if (!places.home.empty()) {
        CAIRN_TRY(const Mount home, mountOf(places.homeParent));
        if (home == mount) {
            CAIRN_TRY(FileHandle folder, ensurePath(ops, places.home));
            return Basket{std::move(folder), places.home, {}};
        }
    }
    CAIRN_TRY(const fs::path top, topOf(parent, mount));
    const std::string user = std::to_string(places.user);
    CAIRN_TRY(const FileHandle folder, ops.openFolder(top));
    if (auto shared = openShared(ops, folder, places)) {
        return Basket{std::move(*shared), top / ".Trash" / user, top};
    }
    CAIRN_TRY(FileHandle own, ensureFolder(ops, folder, ".Trash-" + user));
    CAIRN_CHECK(checkOwner(own, places));
    return Basket{std::move(own), top / (".Trash-" + user), top};
}

Result<void> writeInfo(FileOps& ops, const FileHandle& info, const std::string& name,
                       std::string_view text) {
    CAIRN_TRY(FileHandle file, ops.createFile(info, name));
    auto written = ops.writeAt(file, 0, asBytes(text));
    written = written ? ops.sync(file) : written;
    written = written ? ops.close(std::move(file)) : written;
    if (!written) {
        (void)ops.removeFile(info, name); // the first error is reported
    }
    return written;
}

/// `name` truncated at a character boundary to leave room for a number and the suffix.
std::string shortened(std::string name) {
    if (name.size() > kLongestName) {
        std::size_t end = kLongestName;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        name.resize(end);
    }
    return name;
}

/// Moves several files into a folder of the wastebasket. If one fails, those already moved are put
/// back.
Result<void> moveTogether(FileOps& ops, const FileHandle& parent,
                          const std::vector<std::string>& names, const FileHandle& files,
                          const std::string& claimed) {
    CAIRN_CHECK(ops.makeFolder(files, claimed));
    auto folder = ops.openFolderIn(files, claimed);
    if (!folder) {
        (void)ops.removeFolder(files, claimed);
        return std::move(folder).error();
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto moved = ops.renameNoReplace(parent, names[i], *folder, names[i]);
        if (moved) {
            continue;
        }
        bool back = true;
        for (std::size_t k = i; k-- > 0;) {
            back = ops.renameNoReplace(*folder, names[k], parent, names[k]).has_value() && back;
        }
        if (!back || !ops.removeFolder(files, claimed)) {
            return std::move(moved).error().withHint(
                sentence("Some of its files are in the wastebasket: restore %1", claimed));
        }
        return moved;
    }
    return {};
}

Result<fs::path> moveInto(FileOps& ops, const fs::path& whole,
                          const std::vector<std::string>& names, const Basket& basket) {
    CAIRN_TRY(const FileHandle files, ensureFolder(ops, basket.folder, "files"));
    CAIRN_TRY(const FileHandle info, ensureFolder(ops, basket.folder, "info"));
    CAIRN_TRY(const FileHandle parent, ops.openFolder(whole.parent_path()));
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    const fs::path recorded =
        basket.topdir.empty() ? whole : whole.lexically_relative(basket.topdir);
    const std::string name = shortened(whole.filename().string());
    for (int i = 1; i < kMaxNames; ++i) {
        const std::string claimed = i == 1 ? name : name + "." + std::to_string(i);
        const std::string infoName = claimed + std::string(kInfo);
        auto moved = writeInfo(ops, info, infoName, trashInfoText(recorded, now));
        if (moved) {
            moved = names.empty()
                        ? ops.renameNoReplace(parent, whole.filename().string(), files, claimed)
                        : moveTogether(ops, parent, names, files, claimed);
            if (moved) {
                // A crash must not bring the entry back, or lose it. It has been moved in any case.
                (void)ops.syncFolder(files);
                (void)ops.syncFolder(info);
                (void)ops.syncFolder(parent);
                return basket.path / "files" / claimed;
            }
            struct stat status {};
            if (::fstatat(files.fd(), claimed.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                moved.error().code == ErrorCode::OutputExists) {
                (void)ops.removeFile(info, infoName); // it would list nothing
            }
        }
        if (moved.error().code != ErrorCode::OutputExists) {
            return std::move(moved).error();
        }
    }
    return fail(ErrorCode::OutputExists, "The wastebasket contains too many entries with this name")
        .butFound(verbatim(name));
}

Result<fs::path> moveAll(FileOps& ops, const fs::path& path, const std::vector<std::string>& names,
                         const WastebasketPlaces& places) {
    std::error_code error;
    const fs::path parent = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
    const fs::path whole = parent / path.filename();
    const bool there = names.empty() ? statusOf(whole).has_value()
                                     : std::ranges::all_of(names, [&](const std::string& name) {
                                           return statusOf(parent / name).has_value();
                                       });
    if (error || path.filename().empty() || !there) {
        return fail(ErrorCode::NotFound, "It no longer exists").inFile(path.string());
    }
    CAIRN_TRY(const Basket basket, openBasket(ops, parent, places));
    return moveInto(ops, whole, names, basket);
}

} // namespace

WastebasketPlaces WastebasketPlaces::ofUser() {
    WastebasketPlaces places;
    places.user = ::getuid();
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data != nullptr && data[0] == '/') {
        places.home = fs::path(data) / "Trash";
    } else if (home != nullptr && home[0] == '/') {
        places.home = fs::path(home) / ".local/share/Trash";
    }
    std::error_code error;
    places.homeParent = places.home;
    while (places.homeParent.has_relative_path() && !fs::exists(places.homeParent, error)) {
        places.homeParent = places.homeParent.parent_path();
    }
    return places;
}

std::string trashInfoText(const fs::path& path, std::int64_t secondsSince1970) {
    constexpr std::string_view kPlain = "/-_.~!*'()";
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : path.string()) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = isDigit(c) || isLetter(c) || (c >= 'A' && c <= 'Z') ||
                           kPlain.find(c) != std::string_view::npos;
        if (plain) {
            encoded += c;
        } else {
            encoded += '%';
            encoded += kHex[byte >> 4U];
            encoded += kHex[byte & 15U];
        }
    }
    const std::time_t time = secondsSince1970;
    std::tm local{};
    ::localtime_r(&time, &local);
    std::array<char, 32> date{};
    const std::size_t length = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &local);
    return "[Trash Info]\nPath=" + encoded + "\nDeletionDate=" + std::string(date.data(), length) +
           "\n";
}

Result<fs::path> moveToWastebasket(FileOps& ops, const fs::path& path,
                                   const WastebasketPlaces& places) {
    return moveAll(ops, path, {}, places);
}

Result<fs::path> moveToWastebasket(FileOps& ops, const fs::path& path,
                                   const std::vector<fs::path>& files,
                                   const WastebasketPlaces& places) {
    std::vector<std::string> names;
    for (const fs::path& file : files) {
        names.push_back(file.filename().string());
    }
    return moveAll(ops, path, names, places);
}

} // namespace cairn
