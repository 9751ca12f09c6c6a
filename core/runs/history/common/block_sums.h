// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::history {

/// Checksums of the blocks of a file that is read from its start to its end, so that a change of
/// what was read is noticed without reading all of it again. Blocks that were not read completely
/// have none. Not thread-safe.
class BlockSums {
public:
    static constexpr std::uint64_t kBlock = std::uint64_t{64} << 10U;
    static constexpr std::size_t kCompared = 16; ///< blocks of a call of compareSome()

    /// A view of the source that adds what is read from it, at `from` and then in ascending order.
    /// Reads less than a block before `from` if that one is not complete. The view is for one
    /// thread. Fails with the errors of reading.
    Result<ByteSourcePtr> reading(ByteSourcePtr source, std::uint64_t from);
    /// Forgets the blocks that end after `offset`.
    void cutTo(std::uint64_t offset);
    /// Compares the next kCompared blocks, in turn. False: one differs. Fails with the errors of
    /// reading.
    Result<bool> compareSome(const ByteSource& source);

private:
    struct Sums;
    class View;
    std::shared_ptr<Sums> m_sums;
    std::size_t m_next = 0;
};

} // namespace cairn::history
