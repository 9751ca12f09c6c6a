// SPDX-License-Identifier: Apache-2.0
#include "core/io/byte_source.h"

#include "core/io/prefetch.h"
#include "core/io/system_error.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace cairn {
namespace {

Error beyondEnd(const ByteSource& source, std::uint64_t offset, std::size_t length) {
    return fail(ErrorCode::Truncated, "The read extends beyond the end of the file")
        .inFile(source.name())
        .at(offset)
        .butFound(sentence("%1 bytes in the file", source.size()))
        .expecting(sentence("at least %1 + %2 bytes", offset, length))
        .withHint(
            "The file may still be being copied or written; compare its size with the original");
}

FileIdentity identityOf(const struct stat& status) {
    const auto nanoseconds = [](const struct timespec& time) {
        return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    };
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
            nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

class FileSource final : public ByteSource {
public:
    FileSource(int fd, FileIdentity identity, std::string name)
        : m_fd(fd), m_identity(identity), m_name(std::move(name)) {}
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override { ::close(m_fd); }

    std::uint64_t size() const override { return m_identity.size; }
    FileIdentity identity() const override { return m_identity; }
    int descriptor() const override { return m_fd; }
    const std::string& name() const override { return m_name; }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return beyondEnd(*this, offset, out.size());
        }
        while (!out.empty()) {
            const ssize_t count = ::pread(m_fd, out.data(), out.size(), static_cast<off_t>(offset));
            if (count > 0) {
                offset += static_cast<std::uint64_t>(count);
                out = out.subspan(static_cast<std::size_t>(count));
            } else if (count == 0) {
                return fail(ErrorCode::ChangedOnDisk,
                            "The file became shorter while it was being read")
                    .inFile(m_name)
                    .at(offset)
                    .expecting(sentence("%1 bytes", size()))
                    .withHint("Refresh after the writer has finished");
            } else if (errno != EINTR) {
                return systemError(errno, "Reading failed").inFile(m_name).at(offset);
            }
        }
        return {};
    }

    Result<void> checkUnchanged() const override {
        struct stat status {};
        if (::fstat(m_fd, &status) != 0) {
            return systemError(errno, "Cannot read the file's status").inFile(m_name);
        }
        if (identityOf(status) != m_identity) {
            return fail(ErrorCode::ChangedOnDisk, "The file changed while it was in use")
                .inFile(m_name)
                .butFound(sentence("%1 bytes, a different time stamp", status.st_size))
                .expecting(sentence("%1 bytes, as when it was opened", m_identity.size))
                .withHint("Refresh after the writer has finished");
        }
        return {};
    }

private:
    int m_fd;
    FileIdentity m_identity;
    std::string m_name;
};

class MemorySource final : public ByteSource {
public:
    MemorySource(std::vector<std::byte> bytes, std::string name)
        : m_bytes(std::move(bytes)), m_name(std::move(name)) {}
    std::uint64_t size() const override { return m_bytes.size(); }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return beyondEnd(*this, offset, out.size());
        }
        if (!out.empty()) {
            std::memcpy(out.data(), m_bytes.data() + offset, out.size());
        }
        return {};
    }

private:
    std::vector<std::byte> m_bytes;
    std::string m_name;
};

class SliceSource final : public ByteSource, public PartOfSource {
public:
    SliceSource(ByteSourcePtr whole, ByteRange range) : m_whole(std::move(whole)), m_range(range) {}
    std::uint64_t size() const override { return m_range.length; }
    const std::string& name() const override { return m_whole->name(); }
    FileIdentity identity() const override { return m_whole->identity(); }
    Result<void> checkUnchanged() const override { return m_whole->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return beyondEnd(*this, offset, out.size());
        }
        return m_whole->readAt(m_range.offset + offset, out);
    }
    const ByteSource& whole() const override { return *m_whole; }
    std::uint64_t beginInWhole() const override { return m_range.offset; }

private:
    ByteSourcePtr m_whole;
    ByteRange m_range;
};

} // namespace

Result<std::vector<std::byte>> readRange(const ByteSource& source, ByteRange range) {
    if (!range.fitsInto(source.size())) {
        return beyondEnd(source, range.offset, static_cast<std::size_t>(range.length));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.length));
    CAIRN_CHECK(source.readAt(range.offset, bytes));
    return bytes;
}

Result<ByteSourcePtr> makeFileSource(int fd, std::string name) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
        const int code = errno;
        ::close(fd);
        return systemError(code, "Cannot read the file's status").inFile(std::move(name));
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(fd);
        return fail(ErrorCode::NotRegularFile, "Not a regular file")
            .inFile(std::move(name))
            .butFound(S_ISDIR(status.st_mode) ? Sentence("a folder") : "a pipe, socket or device")
            .expecting("a regular file");
    }
    return ByteSourcePtr(std::make_shared<FileSource>(fd, identityOf(status), std::move(name)));
}

ByteSourcePtr makeMemorySource(std::vector<std::byte> bytes, std::string name) {
    return std::make_shared<MemorySource>(std::move(bytes), std::move(name));
}

ByteSourcePtr makeSliceSource(ByteSourcePtr source, ByteRange range) {
    return std::make_shared<SliceSource>(std::move(source), range);
}

} // namespace cairn
