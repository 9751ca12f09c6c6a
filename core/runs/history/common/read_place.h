// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/runs/history/common/block_sums.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::history {

/// How far a growing file was read, and how its unchanged part is recognised, at a cost that does
/// not depend on the file's size.
///
/// Noticed by the next reading: another inode; a file that is shorter; a file of the same size
/// whose times differ, as after any change in place; a change in the first or last 4 KiB that were
/// read, or anywhere in a file of up to 1 MiB. A change elsewhere in a file that also grew since is
/// noticed when its turn comes: each reading compares 1 MiB of what was read, so that a file of
/// 100 MiB is compared by 100 readings. What the reader skipped (the content of images) is not
/// compared. Not thread-safe.
class ReadPlace {
public:
    /// Everything before offset() is unchanged, as far as is noticed. Fails with the errors of
    /// reading.
    [[nodiscard]] Result<bool> isIn(const ByteSource& source);
    /// The source from which to read on at offset(); remembers what is read. For one thread. Fails
    /// with the errors of reading.
    Result<ByteSourcePtr> reading(ByteSourcePtr source);
    /// `isOpen`: the line before `offset` had no line break yet; it must get one next.
    Result<void> set(const ByteSource& source, std::uint64_t offset, bool isOpen);
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }

private:
    static constexpr std::uint64_t kKept = 4096;

    FileIdentity m_identity;
    std::uint64_t m_offset = 0;
    bool m_isOpen = false;
    std::vector<std::byte> m_first;
    std::vector<std::byte> m_last;
    BlockSums m_sums;
};

} // namespace cairn::history
