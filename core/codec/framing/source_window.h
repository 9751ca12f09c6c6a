// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// A forward cursor over a source, with one buffer, for consecutive records in files of any length.
/// Skipped bytes are not read. Not thread-safe.
class SourceWindow {
public:
    /// Reads `capacity` bytes at a time.
    explicit SourceWindow(ByteSourcePtr source, std::size_t capacity = std::size_t{1} << 18U);

    [[nodiscard]] const ByteSource& source() const { return *m_source; }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t remaining() const { return m_source->size() - m_position; }

    /// The next `length` bytes; the cursor does not move. Valid until the next call of peek(). The
    /// buffer grows to `length`, so the caller must bound it. REQUIRES: length <= remaining().
    Result<std::span<const std::byte>> peek(std::size_t length) {
        if (m_position >= m_start && m_position - m_start <= m_filled &&
            m_filled - (m_position - m_start) >= length) {
            return std::span<const std::byte>(m_buffer).subspan(
                static_cast<std::size_t>(m_position - m_start), length);
        }
        return refill(length);
    }

    /// All buffered bytes after the cursor; reads more if there are none. Empty at the end.
    Result<std::span<const std::byte>> peekSome();

    /// Moves the cursor, at most to the end.
    void skip(std::uint64_t length);
    /// Moves the cursor to any position up to the end, also backwards.
    void seek(std::uint64_t position) { m_position = position; }

private:
    Result<std::span<const std::byte>> refill(std::size_t length);

    ByteSourcePtr m_source;
    std::size_t m_capacity;
    std::vector<std::byte> m_buffer;
    std::uint64_t m_start = 0; ///< source offset of the buffer's first byte
    std::size_t m_filled = 0;
    std::uint64_t m_position = 0;
};

} // namespace cairn
