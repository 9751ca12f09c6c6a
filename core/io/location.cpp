// SPDX-License-Identifier: Apache-2.0
#include "core/io/location.h"

#include "core/io/remote_name.h"
#include "core/io/system_error.h"

#include <sys/stat.h>
#include <system_error>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

int hexDigit(char c) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// "file:///a%20b" and "file://localhost/a%20b" -> "/a b" (RFC 8089); other names are paths.
fs::path withoutScheme(fs::path named) {
    const std::string& text = named.native();
    constexpr std::string_view kScheme = "file://";
    const std::size_t root =
        text.starts_with(kScheme) ? text.find('/', kScheme.size()) : std::string::npos;
    const std::string_view host =
        root == std::string::npos
            ? ""
            : std::string_view(text).substr(kScheme.size(), root - kScheme.size());
    if (root == std::string::npos || (!host.empty() && host != "localhost")) {
        return named;
    }
    std::string decoded;
    for (std::size_t i = root; i < text.size(); ++i) {
        const bool escaped = text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 &&
                             hexDigit(text[i + 2]) >= 0;
        decoded += escaped ? static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]))
                           : text[i];
        i += escaped ? 2 : 0;
    }
    return decoded;
}

Error cannotOpen(int code, const fs::path& path) {
    return systemError(code, "Cannot open this path").inFile(path.string());
}

} // namespace

Location::Location(fs::path named) : m_path(withoutScheme(std::move(named))) {}

Location Location::absolute() const {
    if (m_path.empty() || namesRemote(m_path.native())) {
        return *this;
    }
    std::error_code error;
    Location whole;
    whole.m_path = fs::absolute(m_path, error).lexically_normal();
    return error ? *this : whole;
}

Result<Location::Opened> Location::open() const {
    struct stat status {};
    if (isOnOtherMachine(m_path)) {
        CAIRN_TRY(RemotePlace place, openRemote(m_path));
        return Opened{std::move(place.folder), std::move(place.name)};
    }
    auto itself = Folder::open(m_path);
    if (itself) {
        return Opened{std::move(*itself), {}};
    }
    if (::stat(m_path.c_str(), &status) != 0) {
        return cannotOpen(errno, m_path);
    }
    if (S_ISDIR(status.st_mode)) {
        return std::move(itself).error();
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::NotRegularFile, "This is not a regular file")
            .inFile(m_path.string())
            .butFound("a pipe, socket or device")
            .expecting("a file or a folder");
    }
    std::error_code error;
    const fs::path real = fs::canonical(m_path, error);
    if (error) {
        return cannotOpen(error.value(), m_path);
    }
    CAIRN_TRY(FolderPtr folder, Folder::open(real.parent_path()));
    return Opened{std::move(folder), real.filename().string()};
}

Result<Location::Listed> Location::list() const {
    CAIRN_TRY(Opened opened, open());
    std::vector<FolderEntry> entries;
    if (opened.isFolder()) {
        CAIRN_TRY(entries, opened.folder->list());
    }
    return Listed{std::move(opened), std::move(entries)};
}

Result<FolderPtr> Location::openParent() const {
    fs::path parent = m_path.has_parent_path() ? m_path.parent_path() : fs::path(".");
    if (isOnOtherMachine(m_path)) {
        if (!m_path.has_parent_path()) { // "host:~"
            parent = m_path / "..";
        } else if (parent.native().ends_with(':')) { // of "host:/file"
            parent += "/";
        }
    }
    return Folder::open(parent);
}

bool Location::exists() const {
    std::error_code error;
    if (isOnOtherMachine(m_path)) {
        const auto opened = openRemote(m_path);
        return opened || opened.error().code != ErrorCode::NotFound;
    }
    return fs::exists(m_path, error) || error;
}

} // namespace cairn
