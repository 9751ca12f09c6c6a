// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/device_reader.h"

#include "core/io/system_error.h"

#include <sys/stat.h>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace cairn {
namespace {

/// Clears O_DIRECT, because some file systems accept the flag but then refuse direct reads. False
/// if it was not set.
bool dropDirect(int fd) {
    const int flags = ::fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0 && ::fcntl(fd, F_SETFL, flags & ~O_DIRECT) == 0;
}

constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

} // namespace

Result<DeviceReader> DeviceReader::open(const std::filesystem::path& path) {
    int fd = ::open(path.c_str(), kReadFlags | O_DIRECT);
    const bool direct = fd >= 0;
    if (fd < 0) {
        fd = ::open(path.c_str(), kReadFlags);
    }
    return take(fd, direct, path.string());
}

Result<DeviceReader> DeviceReader::reopen(int descriptor, const std::string& name) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    int fd = ::open(path.c_str(), kReadFlags | O_DIRECT);
    const bool direct = fd >= 0;
    if (fd < 0) {
        fd = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    }
    return take(fd, direct, name);
}

Result<DeviceReader> DeviceReader::take(int fd, bool direct, const std::string& name) {
    if (fd < 0) {
        return systemError(errno, "Cannot open the file").inFile(name);
    }
    DeviceReader reader;
    reader.m_direct = direct;
    reader.m_file = FileHandle(fd, name);
    struct stat status {};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return fail(ErrorCode::NotRegularFile, "Not a regular file").inFile(name);
    }
    reader.m_size = static_cast<std::uint64_t>(status.st_size);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return reader;
}

Result<std::span<const std::byte>> DeviceReader::read(std::uint64_t offset, std::size_t length,
                                                      std::span<std::byte> buffer) const {
    const std::size_t asked = m_direct ? static_cast<std::size_t>(alignUp(length)) : length;
    std::size_t done = 0;
    while (done < length) {
        const ssize_t got = ::pread(m_file.fd(), buffer.data() + done, asked - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && (errno == EINTR || (errno == EINVAL && dropDirect(m_file.fd())))) {
            continue;
        }
        if (got < 0) {
            return systemError(errno, "Cannot re-read the file")
                .inFile(m_file.name())
                .at(offset + done);
        }
        if (got == 0) {
            return fail(ErrorCode::Truncated, "The file became shorter")
                .inFile(m_file.name())
                .at(offset + done);
        }
        done += static_cast<std::size_t>(got);
    }
    if (!m_direct) {
        ::posix_fadvise(m_file.fd(), static_cast<off_t>(offset), static_cast<off_t>(length),
                        POSIX_FADV_DONTNEED);
    }
    return std::span<const std::byte>(buffer.first(length));
}

} // namespace cairn
