// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops.h"

#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

// The system calls of FileOps; each returns its result, or -errno.

namespace cairn {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_CLOEXEC | O_DIRECTORY;

long orErrno(long result) {
    return result < 0 ? -errno : result;
}

long renameWithoutReplacing(const FileCall& call) {
    const long result =
        ::syscall(SYS_renameat2, call.fd, call.name, call.toFolder, call.toName, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) {
        return orErrno(result);
    }
    // For file systems without the flag (some FUSE and network mounts): a hard link never replaces
    // a file.
    if (::linkat(call.fd, call.name, call.toFolder, call.toName, 0) == 0) {
        return orErrno(::unlinkat(call.fd, call.name, 0));
    }
    if (errno == EEXIST) {
        return -EEXIST;
    }
    // For folders, and mounts without hard links: check, then rename. A folder only replaces an
    // empty one.
    struct stat status {};
    if (::fstatat(call.toFolder, call.toName, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return -EEXIST;
    }
    return orErrno(::renameat(call.fd, call.name, call.toFolder, call.toName));
}

/// Accepts only files that a job of the same user made: predictable names may have been prepared by
/// others.
long openOwnFile(const FileCall& call) {
    const int fd = ::openat(call.fd, call.name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || ::fstat(fd, &status) != 0) {
        return -errno;
    }
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_nlink != 1) {
        ::close(fd);
        return -ENXIO;
    }
    return fd;
}

long openToEdit(const FileCall& call) {
    const int fd = ::openat(call.fd, call.name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return errno == EISDIR ? -ENXIO : -errno;
    }
    struct stat status {};
    const int failed = ::fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : ENXIO;
    if (failed != 0) {
        ::close(fd);
        return -failed;
    }
    return fd;
}

/// Some file systems accept O_DIRECT and then refuse such writes: continue through the page cache.
long writePart(const FileCall& call) {
    const auto offset = static_cast<off_t>(call.offset);
    const long result = orErrno(::pwrite(call.fd, call.bytes.data(), call.bytes.size(), offset));
    const int flags = result == -EINVAL ? ::fcntl(call.fd, F_GETFL) : -1;
    if (flags < 0 || (flags & O_DIRECT) == 0 || ::fcntl(call.fd, F_SETFL, flags & ~O_DIRECT) != 0) {
        return result;
    }
    return orErrno(::pwrite(call.fd, call.bytes.data(), call.bytes.size(), offset));
}

long setDirectFlag(int fd, bool direct) {
    const int flags = ::fcntl(fd, F_GETFL);
    return flags < 0 ? -errno
                     : orErrno(::fcntl(fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT));
}

long startWriteback(const FileCall& call) {
    const bool drop = *call.name != '\0';
    const auto offset = static_cast<off_t>(call.offset);
    const auto length = static_cast<off_t>(call.length);
    const unsigned wait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    const long result =
        ::sync_file_range(call.fd, offset, length, drop ? wait : SYNC_FILE_RANGE_WRITE);
    if (drop) {
        ::posix_fadvise(call.fd, offset, length, POSIX_FADV_DONTNEED);
    }
    return orErrno(result);
}

} // namespace

long RealFileOps::perform(const FileCall& call) {
    switch (call.kind) {
    case FileCallKind::OpenFolder:
        return orErrno(
            ::openat(call.fd, call.name, kOpenFolder | (call.fd == AT_FDCWD ? 0 : O_NOFOLLOW)));
    case FileCallKind::MakeFolder:
        return orErrno(::mkdirat(call.fd, call.name, 0777));
    case FileCallKind::CreateFile:
        return orErrno(
            ::openat(call.fd, call.name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    case FileCallKind::SetDirect:
        return setDirectFlag(call.fd, call.length != 0);
    case FileCallKind::Preallocate:
        return call.length == 0 ? 0
                                : orErrno(::fallocate(call.fd, 0, static_cast<off_t>(call.offset),
                                                      static_cast<off_t>(call.length)));
    case FileCallKind::Write:
        return writePart(call);
    case FileCallKind::Writeback:
        return startWriteback(call);
    case FileCallKind::Truncate:
        return orErrno(::ftruncate(call.fd, static_cast<off_t>(call.length)));
    case FileCallKind::Sync:
        return orErrno(::fdatasync(call.fd));
    case FileCallKind::SyncFolder:
        return orErrno(::fsync(call.fd));
    case FileCallKind::Rename:
        return renameWithoutReplacing(call);
    case FileCallKind::Replace:
        return orErrno(::renameat(call.fd, call.name, call.toFolder, call.toName));
    case FileCallKind::RemoveFile:
        return orErrno(::unlinkat(call.fd, call.name, 0));
    case FileCallKind::RemoveFolder:
        return orErrno(::unlinkat(call.fd, call.name, AT_REMOVEDIR));
    case FileCallKind::Close:
        return orErrno(::close(call.fd));
    case FileCallKind::OpenFile:
        return openOwnFile(call);
    case FileCallKind::OpenForEdit:
        return openToEdit(call);
    case FileCallKind::InsertRange:
    case FileCallKind::CollapseRange:
        return orErrno(
            ::fallocate(call.fd,
                        call.kind == FileCallKind::InsertRange ? FALLOC_FL_INSERT_RANGE
                                                               : FALLOC_FL_COLLAPSE_RANGE,
                        static_cast<off_t>(call.offset), static_cast<off_t>(call.length)));
    case FileCallKind::Lock:
        return orErrno(::flock(call.fd, LOCK_EX | LOCK_NB));
    case FileCallKind::Share: {
        file_clone_range range{};
        range.src_fd = call.fromFile;
        range.src_offset = call.fromOffset;
        range.src_length = call.length;
        range.dest_offset = call.offset;
        return call.length == 0 ? 0 : orErrno(::ioctl(call.fd, FICLONERANGE, &range));
    }
    }
    return -EINVAL;
}

} // namespace cairn
