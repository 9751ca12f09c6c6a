// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace cairn {

/// Owns a file descriptor. Movable.
class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int fd, std::string name = {}) : m_fd(fd), m_name(std::move(name)) {}
    FileHandle(FileHandle&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1)), m_name(std::move(other.m_name)) {}
    FileHandle& operator=(FileHandle&& other) noexcept;
    ~FileHandle();

    [[nodiscard]] bool valid() const { return m_fd >= 0; }
    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] const std::string& name() const { return m_name; } ///< for messages
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd = -1;
    std::string m_name;
};

enum class IoMode : std::uint8_t { Buffered, Direct };

/// What happens to cached pages that were written to the device.
enum class Pages : std::uint8_t { Kept, Dropped };

enum class FileCallKind : std::uint8_t {
    OpenFolder,
    MakeFolder,
    CreateFile,
    SetDirect,
    Preallocate,
    Write,
    Writeback,
    Truncate,
    Sync,
    SyncFolder,
    Rename,
    RemoveFile,
    RemoveFolder,
    Close,
    OpenFile,
    Lock,
    Share,
    OpenForEdit,
    InsertRange,
    CollapseRange,
    Replace
};
const char* fileCallName(FileCallKind kind);

/// One system call as data. Borrowed members must live as long as the call.
struct FileCall {
    FileCallKind kind{};
    int fd = -1; ///< the file, or the folder that contains `name`
    const char* name = "";
    int toFolder = -1; ///< Rename, Replace
    const char* toName = "";
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::span<const std::byte> bytes = {}; ///< Write
    int fromFile = -1;                     ///< Share
    std::uint64_t fromOffset = 0;
};

/// Every write, rename and removal in Cairn. The members return Results, retry EINTR, complete
/// short writes, and name the file; implementations of perform() execute system calls (Real), make
/// them fail (Fault) or record them (Record): see file_ops_fault.h. Any thread. Names are single
/// path components in an open folder: nothing is resolved by path after openFolder, so that a
/// folder that was replaced meanwhile is not used. Fails: the errors of systemError(), with
/// WriteFailed for Io and PermissionDenied, SyncFailed for any failed sync. A failed sync is never
/// repeated: the kernel may have dropped the pages, and a second one would report success.
class FileOps {
public:
    FileOps() = default;
    FileOps(const FileOps&) = delete;
    FileOps& operator=(const FileOps&) = delete;
    virtual ~FileOps() = default;

    Result<FileHandle> openFolder(const std::filesystem::path& path);
    Result<FileHandle> openFolderIn(const FileHandle& parent, const std::string& name);
    /// Fails with OutputExists if the name exists.
    Result<void> makeFolder(const FileHandle& parent, const std::string& name);
    /// Creates an empty file, readable and writable. Never opens an existing file or follows a
    /// link.
    Result<FileHandle> createFile(const FileHandle& folder, const std::string& name);
    /// Opens a file that a job made before, readable and writable: regular, owned by this user,
    /// with a single link. Never creates a file or follows a link. Fails also with: NotFound,
    /// NotRegularFile.
    Result<FileHandle> openFile(const FileHandle& folder, const std::string& name);
    /// Opens an existing file for a change in place, readable and writable: regular. Never creates
    /// a file or follows a link. Fails also with: NotFound, NotRegularFile (also for a link).
    Result<FileHandle> openForEdit(const FileHandle& folder, const std::string& name);
    /// Moves everything from `offset` by `length` bytes and leaves a hole, without copying
    /// (fallocate): complete blocks, `offset` inside the file. Not atomic if a file has many
    /// extents: they are moved one after another, the last one first, so that a power failure
    /// leaves the hole at some later offset. False if the file system does not support it.
    Result<bool> insertRange(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// Removes these complete blocks and moves the rest down; they must end before the end of the
    /// file. False if the file system does not support it.
    Result<bool> collapseRange(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// Takes an exclusive lock until the file is closed (flock); false: it is already locked.
    Result<bool> lock(const FileHandle& file);
    /// Sets or clears O_DIRECT; false if the file system does not support it.
    bool setIoMode(const FileHandle& file, IoMode mode);
    /// Reserves the space of the file's first `size` bytes, so that a full disk is detected before
    /// the first write; false if the file system does not support it.
    Result<bool> preallocate(const FileHandle& file, std::uint64_t size) {
        return preallocate(file, 0, size);
    }
    Result<bool> preallocate(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// Shares the blocks of [fromOffset, fromOffset + length) of another file at `offset` instead
    /// of copying them (FICLONERANGE): complete blocks, on the same file system. A later write to
    /// one of them gets separate blocks. False if the file system does not support it for these
    /// files.
    Result<bool> share(const FileHandle& file, std::uint64_t offset, int fromFile,
                       std::uint64_t fromOffset, std::uint64_t length);
    Result<void> writeAt(const FileHandle& file, std::uint64_t offset,
                         std::span<const std::byte> bytes);
    /// Starts writing a range of dirty pages; to drop them from the cache, it waits for the device.
    /// Only advice: never fails.
    void writeback(const FileHandle& file, std::uint64_t offset, std::uint64_t length, Pages after);
    Result<void> truncate(const FileHandle& file, std::uint64_t size);
    Result<void> sync(const FileHandle& file);
    Result<void> syncFolder(const FileHandle& folder);
    /// Fails with OutputExists if the new name exists; never replaces anything.
    Result<void> renameNoReplace(const FileHandle& folder, const std::string& from,
                                 const FileHandle& toFolder, const std::string& to);
    /// Renames `from` over an existing file atomically: for Cairn's own files in the user's
    /// folders, never for an output.
    Result<void> replaceOwn(const FileHandle& folder, const std::string& from,
                            const std::string& to);
    Result<void> removeFile(const FileHandle& folder, const std::string& name);
    Result<void> removeFolder(const FileHandle& parent, const std::string& name); ///< must be empty
    /// On a network file system, lost writes may only be reported when closing.
    Result<void> close(FileHandle file);

    /// Executes one system call: its result, or -errno.
    virtual long perform(const FileCall& call) = 0;

private:
    long retried(const FileCall& call);
};

/// Calls the operating system.
class RealFileOps final : public FileOps {
public:
    long perform(const FileCall& call) override;
};

} // namespace cairn
