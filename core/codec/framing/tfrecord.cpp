// SPDX-License-Identifier: Apache-2.0
#include "core/codec/framing/tfrecord.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::size_t kRecordHeadBytes = 12;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

bool fits(std::span<const std::byte> bytes, std::uint32_t stored) {
    return maskedCrc32c(crc32c(0, bytes)) == stored;
}

} // namespace

Result<TfRecord> TfRecordReader::next() {
    if (m_current.state == TfRecordState::Record) {
        m_window.skip(m_current.data.end() + kFootBytes - m_window.position());
    }
    m_current = {TfRecordState::End, m_window.position(), {}};
    if (m_window.remaining() == 0) {
        return m_current;
    }
    m_current.state = TfRecordState::Truncated;
    if (m_window.remaining() < kRecordHeadBytes) {
        return m_current;
    }
    CAIRN_TRY(const auto head, m_window.peek(kRecordHeadBytes));
    if (!fits(head.first(8), loadLittle<std::uint32_t>(head, 8))) {
        const bool zeros = std::all_of(head.begin(), head.end(),
                                       [](std::byte byte) { return byte == std::byte{0}; });
        m_current.state = zeros ? TfRecordState::Zeros : TfRecordState::Damaged;
        return m_current;
    }
    const auto length = loadLittle<std::uint64_t>(head);
    const std::uint64_t following = m_window.remaining() - kRecordHeadBytes;
    if (following < kFootBytes || length > following - kFootBytes) {
        return m_current;
    }
    m_window.skip(kRecordHeadBytes);
    m_current.state = TfRecordState::Record;
    m_current.data = {m_window.position(), length};
    return m_current;
}

Result<TfRecordReader::Content> TfRecordReader::content() {
    const auto length = static_cast<std::size_t>(m_current.data.length);
    CAIRN_TRY(const auto bytes, m_window.peek(length + kFootBytes));
    const auto data = bytes.first(length);
    return Content{data, fits(data, loadLittle<std::uint32_t>(bytes, length))};
}

Result<bool> TfRecordReader::checksumHolds(const CancelToken& cancel) {
    std::uint32_t crc = 0;
    for (std::uint64_t left = m_current.data.length; left > 0;) {
        CAIRN_CHECK(cancel.check());
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kPieceBytes));
        CAIRN_TRY(const auto piece, m_window.peek(count));
        crc = crc32c(crc, piece);
        m_window.skip(count);
        left -= count;
    }
    CAIRN_TRY(const auto foot, m_window.peek(kFootBytes));
    return maskedCrc32c(crc) == loadLittle<std::uint32_t>(foot);
}

} // namespace cairn
