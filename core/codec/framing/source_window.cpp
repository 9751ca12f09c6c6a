// SPDX-License-Identifier: Apache-2.0
#include "core/codec/framing/source_window.h"

#include <algorithm>
#include <utility>

namespace cairn {

SourceWindow::SourceWindow(ByteSourcePtr source, std::size_t capacity)
    : m_source(std::move(source)), m_capacity(capacity) {}

Result<std::span<const std::byte>> SourceWindow::peekSome() {
    const std::uint64_t offset = m_position - m_start;
    if (m_position >= m_start && offset < m_filled) {
        return peek(m_filled - static_cast<std::size_t>(offset));
    }
    return refill(0);
}

void SourceWindow::skip(std::uint64_t length) {
    m_position += std::min(length, remaining());
}

Result<std::span<const std::byte>> SourceWindow::refill(std::size_t length) {
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::max(length, m_capacity), remaining()));
    if (m_buffer.size() < wanted) {
        m_buffer.resize(wanted);
    }
    m_filled = 0; // nothing is buffered if the read fails
    m_start = m_position;
    CAIRN_CHECK(m_source->readAt(m_position, std::span(m_buffer).first(wanted)));
    m_filled = wanted;
    return std::span<const std::byte>(m_buffer).first(length > 0 ? length : wanted);
}

} // namespace cairn
