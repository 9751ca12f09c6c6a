// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/read_place.h"

#include <algorithm>

namespace cairn::history {
namespace {

Result<std::vector<std::byte>> bytesAt(const ByteSource& source, std::uint64_t offset,
                                       std::uint64_t size) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    CAIRN_CHECK(source.readAt(offset, bytes));
    return bytes;
}

} // namespace

Result<bool> ReadPlace::isIn(const ByteSource& source) const {
    const FileIdentity identity = source.identity();
    if (m_offset == 0 || identity.device != m_device || identity.inode != m_inode ||
        source.size() < m_offset) {
        return false;
    }
    CAIRN_TRY(const auto first, bytesAt(source, 0, m_first.size()));
    CAIRN_TRY(const auto last, bytesAt(source, m_offset - m_last.size(), m_last.size()));
    if (first != m_first || last != m_last) {
        return false;
    }
    if (!m_isOpen || source.size() == m_offset) {
        return true;
    }
    CAIRN_TRY(const auto next, bytesAt(source, m_offset, 1));
    return next.front() == std::byte{'\n'} || next.front() == std::byte{'\r'};
}

Result<void> ReadPlace::set(const ByteSource& source, std::uint64_t offset, bool isOpen) {
    const FileIdentity identity = source.identity();
    m_device = identity.device;
    m_inode = identity.inode;
    m_isOpen = isOpen;
    m_offset = 0; // until both are read
    const std::uint64_t kept = std::min(offset, kKept);
    CAIRN_TRY(m_first, bytesAt(source, 0, kept));
    CAIRN_TRY(m_last, bytesAt(source, offset - kept, kept));
    m_offset = offset;
    return {};
}

} // namespace cairn::history
