// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::history {

/// How far a growing file of lines was read, and how its unchanged part is recognised: by its
/// inode, its first bytes, and the last ones that were read. Not thread-safe.
class ReadPlace {
public:
    /// Everything before offset() is unchanged, as far as these bytes show. Fails with the errors
    /// of reading.
    [[nodiscard]] Result<bool> isIn(const ByteSource& source) const;
    /// `isOpen`: the line before `offset` had no line break yet; it must get one next.
    Result<void> set(const ByteSource& source, std::uint64_t offset, bool isOpen);
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }

private:
    static constexpr std::uint64_t kKept = 4096;

    std::uint64_t m_device = 0;
    std::uint64_t m_inode = 0;
    std::uint64_t m_offset = 0;
    bool m_isOpen = false;
    std::vector<std::byte> m_first;
    std::vector<std::byte> m_last;
};

} // namespace cairn::history
