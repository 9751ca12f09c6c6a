// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// The identity of a file as the kernel reports it: if any member changes, the content may have
/// changed.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtimeNs = 0;
    std::int64_t ctimeNs = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Random access to bytes that do not change. Const members may be called from any thread. Owned
/// through shared_ptr<const ByteSource>; a view of part of it keeps all of it alive.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    virtual std::uint64_t size() const = 0;

    /// Fills all of `out` from `offset`, or fails: Truncated beyond the end, Io, ChangedOnDisk if
    /// the file was shortened since it was opened.
    virtual Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const = 0;

    /// Fails with ChangedOnDisk if the file has changed since it was opened; memory never changes.
    virtual Result<void> checkUnchanged() const { return {}; }

    /// Zero for sources without a file.
    virtual FileIdentity identity() const { return {}; }

    /// The open descriptor for bulk copies, or -1. Borrowed; valid as long as the source.
    virtual int descriptor() const { return -1; }

    /// Path for messages.
    virtual const std::string& name() const = 0;
};

using ByteSourcePtr = std::shared_ptr<const ByteSource>;

/// Reads `range` into a new buffer. The range is checked against the source's size before anything
/// is allocated.
Result<std::vector<std::byte>> readRange(const ByteSource& source, ByteRange range);

/// A file that folder.h has opened; takes ownership of `fd`. Fails for anything but a regular file.
Result<ByteSourcePtr> makeFileSource(int fd, std::string name);

/// Bytes in memory; takes ownership of the buffer.
ByteSourcePtr makeMemorySource(std::vector<std::byte> bytes, std::string name);

/// A window of another source; offsets count from range.offset. REQUIRES:
/// range.fitsInto(source->size()).
ByteSourcePtr makeSliceSource(ByteSourcePtr source, ByteRange range);

} // namespace cairn
