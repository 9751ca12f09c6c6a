// SPDX-License-Identifier: Apache-2.0
#include "core/runs/wastebasket.h"

#include "core/base/ascii.h"
#include "core/base/endian.h"
#include "core/io/system_error.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNames = 10'000; // tries for a free name

struct Basket {
    fs::path folder; ///< holds "files" and "info"
    fs::path topdir; ///< paths in info files are relative to it; empty: absolute
};

std::optional<struct stat> statusOf(const fs::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// The highest folder above `path` on the same device: where its file system is mounted.
fs::path topOf(const fs::path& path, dev_t device) {
    fs::path top = path.parent_path();
    while (top.has_relative_path()) {
        const auto above = statusOf(top.parent_path());
        if (!above || above->st_dev != device) {
            break;
        }
        top = top.parent_path();
    }
    return top;
}

/// Opens a folder in another, made for this user alone when it is not there.
Result<FileHandle> ensureFolder(FileOps& ops, const FileHandle& parent, const std::string& name) {
    if (auto known = ops.openFolderIn(parent, name)) {
        return known;
    }
    const auto made = ops.makeFolder(parent, name);
    if (!made && made.error().code != ErrorCode::OutputExists) {
        return made.error();
    }
    CAIRN_TRY(FileHandle folder, ops.openFolderIn(parent, name));
    if (made && ::fchmod(folder.fd(), 0700) != 0 && errno != EPERM) { // EPERM: FAT and its like
        return systemError(errno, "The wastebasket could not be made private");
    }
    return folder;
}

Result<FileHandle> ensurePath(FileOps& ops, const fs::path& path) {
    if (auto known = ops.openFolder(path)) {
        return known;
    }
    if (!path.has_relative_path()) {
        return fail(ErrorCode::NotFound, "There is no place for a wastebasket")
            .inFile(path.string());
    }
    CAIRN_TRY(const FileHandle parent, ensurePath(ops, path.parent_path()));
    return ensureFolder(ops, parent, path.filename().string());
}

Basket basketFor(const fs::path& path, dev_t device, const WastebasketPlaces& places) {
    const auto home = places.home.empty() ? std::nullopt : statusOf(places.homeParent);
    if (home && home->st_dev == device) {
        return {places.home, {}};
    }
    const fs::path top = topOf(path, device);
    const std::string user = std::to_string(places.user);
    const auto shared = statusOf(top / ".Trash");
    if (shared && S_ISDIR(shared->st_mode) && (shared->st_mode & S_ISVTX) != 0) {
        return {top / ".Trash" / user, top};
    }
    return {top / (".Trash-" + user), top};
}

/// Writes the info file under the first free name and returns that name.
Result<std::string> claimName(FileOps& ops, const FileHandle& info, const std::string& name,
                              std::string_view text) {
    for (int i = 1; i < kMaxNames; ++i) {
        const std::string claimed = i == 1 ? name : name + "." + std::to_string(i);
        auto file = ops.createFile(info, claimed + ".trashinfo");
        if (!file) {
            if (file.error().code == ErrorCode::OutputExists) {
                continue;
            }
            return std::move(file).error();
        }
        auto written = ops.writeAt(*file, 0, asBytes(text));
        if (written) {
            written = ops.close(std::move(*file));
        }
        if (!written) {
            (void)ops.removeFile(info, claimed + ".trashinfo"); // the first failure is what counts
            return written.error();
        }
        return claimed;
    }
    return fail(ErrorCode::OutputExists, "The wastebasket holds too many things of this name")
        .butFound(name);
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
    std::error_code error;
    const fs::path parentPath =
        fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
    const fs::path whole = parentPath / path.filename();
    const auto status = error ? std::nullopt : statusOf(whole);
    if (!status || path.filename().empty()) {
        return fail(ErrorCode::NotFound, "It is not there any more").inFile(path.string());
    }
    const Basket basket = basketFor(whole, status->st_dev, places);
    CAIRN_TRY(const FileHandle folder, ensurePath(ops, basket.folder));
    CAIRN_TRY(const FileHandle files, ensureFolder(ops, folder, "files"));
    CAIRN_TRY(const FileHandle info, ensureFolder(ops, folder, "info"));
    CAIRN_TRY(const FileHandle parent, ops.openFolder(parentPath));
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    const fs::path told = basket.topdir.empty() ? whole : whole.lexically_relative(basket.topdir);
    const std::string name = path.filename().string();
    CAIRN_TRY(const std::string claimed, claimName(ops, info, name, trashInfoText(told, now)));
    if (auto moved = ops.renameNoReplace(parent, name, files, claimed); !moved) {
        (void)ops.removeFile(info, claimed + ".trashinfo"); // the first failure is what counts
        return moved.error();
    }
    return basket.folder / "files" / claimed;
}

} // namespace cairn
