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

/// A descriptor that closes itself. Movable.
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

/// One system call, as data. Borrowed members live for the call.
struct FileCall {
    FileCallKind kind{};
    int fd = -1; ///< the file, or the folder in which `name` is
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
/// short writes, and name the file; a back end performs single system calls (Real), makes them fail
/// (Fault) or records them (Record): see file_ops_fault.h. Safe from any thread. Names are
/// single path components in a folder held by descriptor: nothing is resolved by path after
/// openFolder, so that a folder swapped under us is not followed. Fails: the errors of
/// systemError(), with WriteFailed in place of Io for writes and SyncFailed for any failed sync. A
/// failed sync is never repeated: the kernel may have dropped the pages, and a second one would
/// claim success.
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
    /// A new empty file, readable and writable: never an existing one, never through a link.
    Result<FileHandle> createFile(const FileHandle& folder, const std::string& name);
    /// An own file that a job made before, readable and writable: regular, of this user, of one
    /// name; never made, never through a link. Fails besides: NotFound, NotRegularFile.
    Result<FileHandle> openFile(const FileHandle& folder, const std::string& name);
    /// Someone's existing file, readable and writable, for a change in place: regular, never made,
    /// never through a link. Fails besides: NotFound, NotRegularFile (a link, too).
    Result<FileHandle> openForEdit(const FileHandle& folder, const std::string& name);
    /// Moves everything from `offset` on up by `length` bytes and leaves a hole there, without
    /// copying (fallocate): complete blocks, `offset` inside the file. Not atomic where a file has
    /// many extents: they are moved one after another from the last one, so that what a power cut
    /// leaves is the hole at some later place. False where the file system cannot.
    Result<bool> insertRange(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// Removes these complete blocks and moves the rest down; they must not extend to the end.
    /// False where the file system cannot.
    Result<bool> collapseRange(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// An exclusive lock until the file is closed (flock); false: it is locked by another.
    Result<bool> lock(const FileHandle& file);
    /// Asks for O_DIRECT; false where the file system will not.
    bool setDirect(const FileHandle& file, bool direct);
    /// Reserves the space of the file's first `size` bytes, so that a full disk is detected before
    /// the first byte; false if the file system cannot.
    Result<bool> preallocate(const FileHandle& file, std::uint64_t size) {
        return preallocate(file, 0, size);
    }
    Result<bool> preallocate(const FileHandle& file, std::uint64_t offset, std::uint64_t length);
    /// Lets the file have the blocks that hold [fromOffset, fromOffset + length) of another one, as
    /// its bytes from `offset`, instead of copies (FICLONERANGE): complete blocks of the file
    /// system that both are on. A later write to one of them gets its own blocks. False if the
    /// file system cannot: not the same one, no such blocks.
    Result<bool> share(const FileHandle& file, std::uint64_t offset, int fromFile,
                       std::uint64_t fromOffset, std::uint64_t length);
    Result<void> writeAt(const FileHandle& file, std::uint64_t offset,
                         std::span<const std::byte> bytes);
    /// Starts writing a range of dirty pages; waits for it and drops it from the cache when `drop`.
    /// Advice: never fails.
    void writeback(const FileHandle& file, std::uint64_t offset, std::uint64_t length, bool drop);
    Result<void> truncate(const FileHandle& file, std::uint64_t size);
    Result<void> sync(const FileHandle& file);
    Result<void> syncFolder(const FileHandle& folder);
    /// Fails with OutputExists when the new name is taken; nothing is ever replaced.
    Result<void> renameNoReplace(const FileHandle& folder, const std::string& from,
                                 const FileHandle& toFolder, const std::string& to);
    /// Renames `from` over an existing file atomically: for files that Cairn keeps for itself in
    /// the user's folders, never for an output.
    Result<void> replaceOwn(const FileHandle& folder, const std::string& from,
                            const std::string& to);
    Result<void> removeFile(const FileHandle& folder, const std::string& name);
    Result<void> removeFolder(const FileHandle& parent, const std::string& name); ///< must be empty
    /// On a network file system, lost writes may only be reported when closing.
    Result<void> close(FileHandle file);

    /// One system call: its result, or -errno.
    virtual long perform(const FileCall& call) = 0;

private:
    long retried(const FileCall& call);
};

/// The operating system's calls.
class RealFileOps final : public FileOps {
public:
    long perform(const FileCall& call) override;
};

} // namespace cairn
