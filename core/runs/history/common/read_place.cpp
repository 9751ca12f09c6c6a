// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/read_place.h"

#include <algorithm>
#include <utility>

namespace cairn::history {

Result<bool> ReadPlace::isIn(const ByteSource& source) {
    const FileIdentity identity = source.identity();
    if (m_offset == 0 || identity.device != m_identity.device ||
        identity.inode != m_identity.inode || source.size() < m_offset ||
        (identity.size == m_identity.size && identity != m_identity)) {
        return false;
    }
    CAIRN_TRY(const auto first, readRange(source, {0, m_first.size()}));
    CAIRN_TRY(const auto last, readRange(source, {m_offset - m_last.size(), m_last.size()}));
    if (first != m_first || last != m_last) {
        return false;
    }
    if (m_isOpen && source.size() > m_offset) {
        CAIRN_TRY(const auto next, readRange(source, {m_offset, 1}));
        if (next.front() != std::byte{'\n'} && next.front() != std::byte{'\r'}) {
            return false;
        }
    }
    return m_sums.compareSome(source);
}

Result<ByteSourcePtr> ReadPlace::reading(ByteSourcePtr source) {
    return m_sums.reading(std::move(source), m_offset);
}

Result<void> ReadPlace::set(const ByteSource& source, std::uint64_t offset, bool isOpen) {
    m_identity = source.identity();
    m_isOpen = isOpen;
    m_offset = 0; // until both are read
    const std::uint64_t kept = std::min(offset, kKept);
    CAIRN_TRY(m_first, readRange(source, {0, kept}));
    CAIRN_TRY(m_last, readRange(source, {offset - kept, kept}));
    m_sums.cutTo(offset);
    m_offset = offset;
    return {};
}

} // namespace cairn::history
