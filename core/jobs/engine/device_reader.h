// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/aligned_buffer.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace cairn {

/// Reads a file from the device instead of the page cache: with O_DIRECT, or if that is not
/// supported, after dropping the pages (POSIX_FADV_DONTNEED). read() may be called from any thread.
class DeviceReader {
public:
    static Result<DeviceReader> open(const std::filesystem::path& path);
    /// The file of an open descriptor, which is only borrowed; `name` is for errors. Without /proc,
    /// which a separate descriptor for O_DIRECT needs, its pages are dropped instead.
    static Result<DeviceReader> reopen(int descriptor, const std::string& name);
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] int descriptor() const { return m_file.fd(); } ///< borrowed

    /// Bytes [offset, offset + length) as a part of `buffer`. REQUIRES: offset is a block boundary,
    /// the range is in the file, and the buffer begins at a block boundary of memory
    /// (AlignedBuffer) and is at least as large as `length` rounded up to a block.
    Result<std::span<const std::byte>> read(std::uint64_t offset, std::size_t length,
                                            std::span<std::byte> buffer) const;

private:
    /// Takes the descriptor over.
    static Result<DeviceReader> take(int fd, bool direct, const std::string& name);

    FileHandle m_file;
    std::uint64_t m_size = 0;
    bool m_direct = false;
};

} // namespace cairn
