// SPDX-License-Identifier: Apache-2.0
#include "core/codec/framing/block_log.h"

#include "core/base/endian.h"
#include "core/io/hash.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kFragmentHeadBytes = 7;
enum PieceType : std::uint8_t { Whole = 1, First = 2, Middle = 3, Last = 4 };

void note(std::uint64_t& count, std::uint64_t& firstOffset, std::uint64_t offset,
          std::uint64_t more = 1) {
    if (count == 0) {
        firstOffset = offset;
    }
    count += more;
}

} // namespace

BlockLogReader::BlockLogReader(ByteSourcePtr source, std::uint64_t start, std::size_t maxRecord,
                               CancelToken cancel, BlockLogDamage before)
    : m_window(std::move(source)), m_maxRecord(maxRecord), m_cancel(std::move(cancel)),
      m_damage(before) {
    m_window.skip(start);
}

std::size_t BlockLogReader::leftInBlock() const {
    return kBlockBytes - static_cast<std::size_t>(m_window.position() % kBlockBytes);
}

void BlockLogReader::noteBadPiece(std::uint64_t offset, std::size_t length) {
    note(m_damage.badPieces, m_damage.badOffset, offset);
    const bool trustLength = !m_lastWasBad && length > 0;
    m_window.skip(trustLength ? kFragmentHeadBytes + length : leftInBlock());
    m_lastWasBad = true;
    m_resuming = true;
    m_assembling = false;
}

/// The rest of a file may be zeros, for gigabytes: of the following blocks only the headers are
/// read.
Result<void> BlockLogReader::skipZeros() {
    std::array<std::byte, kFragmentHeadBytes> head{};
    do {
        CAIRN_CHECK(m_cancel.check());
        const auto count = std::min<std::uint64_t>(leftInBlock(), m_window.remaining());
        note(m_damage.zeroBytes, m_damage.zeroOffset, m_window.position(), count);
        m_window.skip(count);
        if (m_window.remaining() < kFragmentHeadBytes) {
            break;
        }
        CAIRN_CHECK(m_window.source().readAt(m_window.position(), head));
    } while (head == std::array<std::byte, kFragmentHeadBytes>{});
    m_resuming = true;
    m_assembling = false;
    return {};
}

Result<std::optional<BlockLogReader::Piece>> BlockLogReader::nextPiece() {
    while (m_window.remaining() > 0) {
        const std::size_t left = leftInBlock();
        if (left < kFragmentHeadBytes) {
            m_window.skip(left);
            continue;
        }
        const std::uint64_t offset = m_window.position();
        if (m_window.remaining() < kFragmentHeadBytes) {
            m_damage.truncatedAt = m_assembling ? m_recordOffset : offset;
            m_assembling = false;
            return std::optional<Piece>();
        }
        CAIRN_TRY(const auto head, m_window.peek(kFragmentHeadBytes));
        const auto checksum = loadLittle<std::uint32_t>(head);
        const std::size_t length = loadLittle<std::uint16_t>(head, 4);
        const auto type = static_cast<std::uint8_t>(head[6]);
        if (checksum == 0 && length == 0 && type == 0) {
            CAIRN_CHECK(skipZeros());
        } else if (length > left - kFragmentHeadBytes) {
            noteBadPiece(offset, 0);
        } else if (length > m_window.remaining() - kFragmentHeadBytes) {
            m_damage.truncatedAt = m_assembling ? m_recordOffset : offset;
            m_assembling = false;
            return std::optional<Piece>();
        } else {
            CAIRN_TRY(const auto bytes, m_window.peek(kFragmentHeadBytes + length));
            if (crc32(0, bytes.subspan(6)) != checksum || type < Whole || type > Last) {
                CAIRN_CHECK(m_cancel.check());
                noteBadPiece(offset, length);
                continue;
            }
            m_window.skip(kFragmentHeadBytes + length);
            m_lastWasBad = false;
            return std::optional(Piece{type, offset, bytes.subspan(kFragmentHeadBytes)});
        }
    }
    return std::optional<Piece>();
}

/// Discards a piece, or a partly assembled record, whose other pieces are missing.
void BlockLogReader::drop(std::uint64_t offset) {
    note(m_damage.orphans, m_damage.orphanOffset, offset);
    m_assembling = false;
}

void BlockLogReader::append(std::span<const std::byte> data) {
    if (m_overflown || data.size() > m_maxRecord - m_record.size()) {
        m_overflown = true;
        m_record.clear();
    } else {
        m_record.insert(m_record.end(), data.begin(), data.end());
    }
}

Result<std::optional<std::span<const std::byte>>> BlockLogReader::next() {
    using Record = std::optional<std::span<const std::byte>>;
    while (true) {
        CAIRN_TRY(const auto piece, nextPiece());
        if (!piece) {
            if (m_assembling) {
                m_damage.truncatedAt = m_recordOffset;
                m_assembling = false;
            }
            return Record();
        }
        const bool begins = piece->type == Whole || piece->type == First;
        if (begins && m_assembling) {
            drop(m_recordOffset);
        }
        if (begins) {
            m_resuming = false;
            m_recordOffset = piece->offset;
        }
        if (piece->type == Whole) {
            if (piece->data.size() <= m_maxRecord) {
                return Record(piece->data);
            }
            note(m_damage.oversized, m_damage.oversizedOffset, piece->offset);
        } else if (piece->type == First) {
            m_assembling = true;
            m_overflown = false;
            m_record.clear();
            append(piece->data);
        } else if (!m_assembling) {
            if (!m_resuming) {
                drop(piece->offset);
            }
            m_resuming = true; // count the pieces of one orphan once
        } else {
            append(piece->data);
            if (piece->type == Last) {
                m_assembling = false;
                if (!m_overflown) {
                    return Record(m_record);
                }
                note(m_damage.oversized, m_damage.oversizedOffset, m_recordOffset);
            }
        }
    }
}

} // namespace cairn
