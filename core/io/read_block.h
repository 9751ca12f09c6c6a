// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstddef>
#include <memory>
#include <span>

namespace cairn {

/// A range of a source, read into memory that was not cleared before and that is in large pages:
/// for whole indexes of many megabytes. Immutable once it is shared; any thread.
class ReadBlock {
public:
    explicit ReadBlock(std::size_t size);
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data.get(), m_size}; }
    [[nodiscard]] std::span<std::byte> fill() { return {m_data.get(), m_size}; }

private:
    std::unique_ptr<std::byte[]> m_data;
    std::size_t m_size = 0;
};

/// Nothing is allocated before the range is known to be inside the source. Fails: Truncated, and
/// what readAt returns.
Result<std::shared_ptr<const ReadBlock>> readBlock(const ByteSource& source, ByteRange range);

} // namespace cairn
