// SPDX-License-Identifier: Apache-2.0
#include "core/io/sequential_source.h"

#include <algorithm>
#include <array>

namespace cairn {

SequentialSource::SequentialSource(ByteSourcePtr compressed, std::uint64_t size, std::string name)
    : m_compressed(std::move(compressed)), m_size(size), m_name(std::move(name)) {}

Result<void> SequentialSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!ByteRange{offset, out.size()}.fitsInto(m_size)) {
        return fail(ErrorCode::Truncated, "The read extends beyond the decompressed data")
            .inFile(m_name)
            .at(offset)
            .butFound(sentence("%1 bytes after decompression", m_size));
    }
    if (out.empty()) {
        return {};
    }
    const std::lock_guard lock(m_mutex);
    const bool onwards = m_live && offset >= m_position;
    m_live = false; // until everything succeeded: a decoder is not continued after an error
    if (!onwards) {
        CAIRN_CHECK(restart());
        m_position = 0;
    }
    std::array<std::byte, 16384> skipped;
    while (m_position < offset) {
        const auto count = std::min<std::uint64_t>(skipped.size(), offset - m_position);
        CAIRN_CHECK(advance(std::span(skipped).first(static_cast<std::size_t>(count))));
        m_position += count;
    }
    CAIRN_CHECK(advance(out));
    m_position += out.size();
    if (m_position == m_size) {
        return finish(); // and the next read restarts
    }
    m_live = true;
    return {};
}

} // namespace cairn
