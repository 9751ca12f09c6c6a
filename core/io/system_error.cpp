// SPDX-License-Identifier: Apache-2.0
#include "core/io/system_error.h"

#include <system_error>

#include <cctype>
#include <cerrno>
#include <utility>

namespace cairn {

Error systemError(int errnoValue, Sentence message) {
    ErrorCode code = ErrorCode::Io;
    Sentence hint;
    std::string text = std::system_category().message(errnoValue);
    if (!text.empty() && (text.size() < 2 || std::islower(static_cast<unsigned char>(text[1])))) {
        text.front() = // it continues a sentence: "found no such file or directory"
            static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    }
    Sentence found = verbatim(std::move(text));
    switch (errnoValue) {
    case ENOTDIR:
        found = "a file where the path needs a folder";
        [[fallthrough]];
    case ENOENT:
        code = ErrorCode::NotFound;
        hint = "Check the path; the file system may not be mounted";
        break;
    case EACCES:
    case EPERM:
        code = ErrorCode::PermissionDenied;
        hint = "Ask the owner for read access, or run as a user with read access";
        break;
    case ENOSPC:
        code = ErrorCode::NoSpace;
        hint = "Free some space or choose a different folder";
        break;
    case EDQUOT:
        code = ErrorCode::QuotaExceeded;
        hint = "Your quota on this file system is exceeded; choose a different folder";
        break;
    case EROFS:
        code = ErrorCode::ReadOnlyFileSystem;
        hint = "Choose a folder on a writable file system";
        break;
    case EXDEV:
    case ELOOP:
        code = ErrorCode::OutsideFolder;
        hint = "A checkpoint may only name files inside its own folder";
        break;
    default:
        break;
    }
    return fail(code, std::move(message)).butFound(std::move(found)).withHint(std::move(hint));
}

} // namespace cairn
