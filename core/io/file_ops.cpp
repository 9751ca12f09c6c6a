// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops.h"

#include "core/io/system_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace cairn {
namespace {

Error writeError(long result, const std::string& message, const std::string& file,
                 ErrorCode fallback = ErrorCode::WriteFailed) {
    Error error = systemError(static_cast<int>(-result), message);
    if (error.code == ErrorCode::Io) {
        error.code = fallback;
    } else if (error.code == ErrorCode::PermissionDenied) { // of the output, not of an input
        error.code = ErrorCode::WriteFailed;
        error.hint = "Choose a folder in which you may write, or ask its owner for write access";
    }
    return std::move(error).inFile(file);
}

std::string inside(const FileHandle& folder, const std::string& name) {
    return (std::filesystem::path(folder.name()) / name).string();
}

bool plainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

} // namespace

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
    if (this != &other) {
        FileHandle old(release());
        m_fd = other.release();
        m_name = std::move(other.m_name);
    }
    return *this;
}

FileHandle::~FileHandle() {
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

const char* fileCallName(FileCallKind kind) {
    static constexpr std::array<const char*, 21> kNames = {
        "open folder", "make folder", "create file",   "set direct",   "preallocate",
        "write",       "writeback",   "truncate",      "sync",         "sync folder",
        "rename",      "remove file", "remove folder", "close",        "open file",
        "lock",        "share",       "open for edit", "insert range", "collapse range",
        "replace"};
    return kNames.at(static_cast<std::size_t>(kind));
}

long FileOps::retried(const FileCall& call) {
    for (int attempt = 0;; ++attempt) {
        const long result = perform(call);
        if (result != -EINTR || attempt == 100) {
            return result;
        }
    }
}

Result<FileHandle> FileOps::openFolder(const std::filesystem::path& path) {
    FileCall call{.kind = FileCallKind::OpenFolder, .fd = AT_FDCWD, .name = path.c_str()};
    const long result = retried(call);
    if (result < 0) {
        Error error = writeError(result, "Cannot open the output's folder", path.string());
        if (error.code == ErrorCode::NotFound) { // a parent is a file, or was removed
            error.code = ErrorCode::WriteFailed;
        }
        return error;
    }
    return FileHandle(static_cast<int>(result), path.string());
}

Result<FileHandle> FileOps::openFolderIn(const FileHandle& parent, const std::string& name) {
    FileCall call{.kind = FileCallKind::OpenFolder, .fd = parent.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result < 0) {
        return systemError(static_cast<int>(-result), "Cannot open the folder")
            .inFile(inside(parent, name));
    }
    return FileHandle(static_cast<int>(result), inside(parent, name));
}

Result<void> FileOps::makeFolder(const FileHandle& parent, const std::string& name) {
    FileCall call{.kind = FileCallKind::MakeFolder, .fd = parent.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result == -EEXIST) {
        return fail(ErrorCode::OutputExists, "The name already exists")
            .inFile(inside(parent, name));
    }
    if (result < 0) {
        return writeError(result, "Cannot create the folder", inside(parent, name));
    }
    return {};
}

Result<FileHandle> FileOps::createFile(const FileHandle& folder, const std::string& name) {
    FileCall call{.kind = FileCallKind::CreateFile, .fd = folder.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result == -EEXIST) {
        return fail(ErrorCode::OutputExists, "The name already exists")
            .inFile(inside(folder, name));
    }
    if (result < 0) {
        return writeError(result, "Cannot create the file", inside(folder, name));
    }
    return FileHandle(static_cast<int>(result), inside(folder, name));
}

Result<FileHandle> FileOps::openFile(const FileHandle& folder, const std::string& name) {
    FileCall call{.kind = FileCallKind::OpenFile, .fd = folder.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result == -ENXIO) {
        return fail(ErrorCode::NotRegularFile, "Not a file of this user's jobs")
            .inFile(inside(folder, name));
    }
    if (result < 0) {
        return writeError(result, "Cannot open the file for writing", inside(folder, name));
    }
    return FileHandle(static_cast<int>(result), inside(folder, name));
}

Result<FileHandle> FileOps::openForEdit(const FileHandle& folder, const std::string& name) {
    FileCall call{.kind = FileCallKind::OpenForEdit, .fd = folder.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result == -ENXIO || result == -ELOOP) {
        return fail(ErrorCode::NotRegularFile, "Only a regular file can be changed in place")
            .inFile(inside(folder, name))
            .butFound(result == -ELOOP ? "a link" : "a folder, pipe, socket or device");
    }
    if (result < 0) {
        return writeError(result, "Cannot open the file for writing", inside(folder, name));
    }
    return FileHandle(static_cast<int>(result), inside(folder, name));
}

namespace {

Result<bool> moved(long result, const char* message, const std::string& file,
                   std::uint64_t offset) {
    if (result == -EOPNOTSUPP || result == -ENOSYS) {
        return false;
    }
    if (result < 0) {
        return writeError(result, message, file).at(offset);
    }
    return true;
}

} // namespace

Result<bool> FileOps::insertRange(const FileHandle& file, std::uint64_t offset,
                                  std::uint64_t length) {
    FileCall call{.kind = FileCallKind::InsertRange, .fd = file.fd()};
    call.offset = offset;
    call.length = length;
    return moved(retried(call), "Cannot insert blocks into the file", file.name(), offset);
}

Result<bool> FileOps::collapseRange(const FileHandle& file, std::uint64_t offset,
                                    std::uint64_t length) {
    FileCall call{.kind = FileCallKind::CollapseRange, .fd = file.fd()};
    call.offset = offset;
    call.length = length;
    return moved(retried(call), "Cannot remove blocks from the file", file.name(), offset);
}

Result<bool> FileOps::lock(const FileHandle& file) {
    const long result = retried({.kind = FileCallKind::Lock, .fd = file.fd()});
    if (result == -EWOULDBLOCK) {
        return false;
    }
    if (result < 0) {
        return writeError(result, "Cannot lock the file", file.name());
    }
    return true;
}

bool FileOps::setIoMode(const FileHandle& file, IoMode mode) {
    return retried({.kind = FileCallKind::SetDirect,
                    .fd = file.fd(),
                    .length = mode == IoMode::Direct ? 1U : 0U}) >= 0;
}

Result<bool> FileOps::preallocate(const FileHandle& file, std::uint64_t offset,
                                  std::uint64_t length) {
    FileCall call{.kind = FileCallKind::Preallocate, .fd = file.fd()};
    call.offset = offset;
    call.length = length;
    const long result = retried(call);
    if (result == -EOPNOTSUPP || result == -ENOSYS) {
        return false;
    }
    if (result < 0) {
        return writeError(result, "Cannot reserve space for the output", file.name())
            .expecting(std::to_string(length) + " bytes");
    }
    return true;
}

Result<bool> FileOps::share(const FileHandle& file, std::uint64_t offset, int fromFile,
                            std::uint64_t fromOffset, std::uint64_t length) {
    FileCall call{.kind = FileCallKind::Share, .fd = file.fd()};
    call.offset = offset;
    call.length = length;
    call.fromFile = fromFile;
    call.fromOffset = fromOffset;
    const long result = retried(call);
    if (result >= 0) {
        return true;
    }
    switch (-result) {
    case EOPNOTSUPP: // also ENOTSUP
    case ENOTTY:
    case ENOSYS:
    case EXDEV:
    case EINVAL:
    case EPERM:
    case ETXTBSY:
    case EMLINK:
        return false;
    default:
        return writeError(result, "Cannot share the source's blocks with the output", file.name())
            .at(offset);
    }
}

Result<void> FileOps::writeAt(const FileHandle& file, std::uint64_t offset,
                              std::span<const std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        FileCall call{.kind = FileCallKind::Write, .fd = file.fd()};
        call.offset = offset + done;
        call.bytes = bytes.subspan(done);
        call.length = call.bytes.size();
        const long result = retried(call);
        if (result <= 0) {
            return writeError(result == 0 ? -EIO : result, "Cannot write the output", file.name())
                .at(call.offset);
        }
        done += std::min(static_cast<std::size_t>(result), call.bytes.size());
    }
    return {};
}

void FileOps::writeback(const FileHandle& file, std::uint64_t offset, std::uint64_t length,
                        Pages after) {
    FileCall call{.kind = FileCallKind::Writeback,
                  .fd = file.fd(),
                  .name = after == Pages::Dropped ? "drop" : ""};
    call.offset = offset;
    call.length = length;
    retried(call);
}

Result<void> FileOps::truncate(const FileHandle& file, std::uint64_t size) {
    const long result = retried({.kind = FileCallKind::Truncate, .fd = file.fd(), .length = size});
    if (result < 0) {
        return writeError(result, "Cannot set the output's size", file.name());
    }
    return {};
}

Result<void> FileOps::sync(const FileHandle& file) {
    const long result =
        perform({.kind = FileCallKind::Sync, .fd = file.fd()}); // once, whatever the result
    if (result < 0) {
        return writeError(result, "Could not sync the output", file.name(), ErrorCode::SyncFailed);
    }
    return {};
}

Result<void> FileOps::syncFolder(const FileHandle& folder) {
    const long result = perform({.kind = FileCallKind::SyncFolder, .fd = folder.fd()});
    if (result < 0 && result != -EINVAL &&
        result != -EOPNOTSUPP) { // some network mounts do not support it
        return writeError(result, "Could not sync the folder", folder.name(),
                          ErrorCode::SyncFailed);
    }
    return {};
}

Result<void> FileOps::renameNoReplace(const FileHandle& folder, const std::string& from,
                                      const FileHandle& toFolder, const std::string& to) {
    FileCall call{.kind = FileCallKind::Rename, .fd = folder.fd(), .name = from.c_str()};
    call.toFolder = toFolder.fd();
    call.toName = to.c_str();
    const long result = plainName(from) && plainName(to) ? retried(call) : -EINVAL;
    if (result == -EEXIST || result == -ENOTEMPTY) {
        return fail(ErrorCode::OutputExists, "The output already exists; nothing was replaced")
            .inFile(inside(toFolder, to))
            .withHint("Choose a different name, or move the existing output");
    }
    if (result == -EXDEV) {
        return fail(ErrorCode::WriteFailed, "Cannot rename across file systems or mounts")
            .inFile(inside(toFolder, to))
            .butFound(inside(folder, from))
            .withHint("Choose a folder on the same mount");
    }
    if (result < 0) {
        return writeError(result, "Cannot rename the output to its final name",
                          inside(toFolder, to));
    }
    return {};
}

Result<void> FileOps::replaceOwn(const FileHandle& folder, const std::string& from,
                                 const std::string& to) {
    FileCall call{.kind = FileCallKind::Replace, .fd = folder.fd(), .name = from.c_str()};
    call.toFolder = folder.fd();
    call.toName = to.c_str();
    const long result = plainName(from) && plainName(to) ? retried(call) : -EINVAL;
    if (result < 0) {
        return writeError(result, "Cannot replace the file", inside(folder, to));
    }
    return {};
}

Result<void> FileOps::removeFile(const FileHandle& folder, const std::string& name) {
    FileCall call{.kind = FileCallKind::RemoveFile, .fd = folder.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result < 0) {
        return writeError(result, "Cannot remove the file", inside(folder, name));
    }
    return {};
}

Result<void> FileOps::removeFolder(const FileHandle& parent, const std::string& name) {
    FileCall call{.kind = FileCallKind::RemoveFolder, .fd = parent.fd(), .name = name.c_str()};
    const long result = plainName(name) ? retried(call) : -EINVAL;
    if (result < 0) {
        return writeError(result, "Cannot remove the folder", inside(parent, name));
    }
    return {};
}

Result<void> FileOps::close(FileHandle file) {
    const std::string name = file.name();
    const long result =
        perform({.kind = FileCallKind::Close,
                 .fd = file.release()}); // the descriptor is closed even after EINTR
    if (result < 0 && result != -EINTR) {
        return writeError(result, "Closing the output failed", name);
    }
    return {};
}

} // namespace cairn
