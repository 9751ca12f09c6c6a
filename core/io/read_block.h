// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstddef>
#include <memory>
#include <span>

namespace cairn {

/// A range of a source in memory that is not cleared first and uses large pages: for indexes of
/// many megabytes. Immutable once shared; any thread.
class ReadBlock {
public:
    explicit ReadBlock(std::size_t size);
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data.get(), m_size}; }
    [[nodiscard]] std::span<std::byte> fill() { return {m_data.get(), m_size}; }

private:
    std::unique_ptr<std::byte[]> m_data;
    std::size_t m_size = 0;
};

/// The range is checked against the source's size before anything is allocated. Fails: Truncated,
/// and the errors of readAt.
Result<std::shared_ptr<const ReadBlock>> readBlock(const ByteSource& source, ByteRange range);

} // namespace cairn
