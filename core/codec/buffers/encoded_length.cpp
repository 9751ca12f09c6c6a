// SPDX-License-Identifier: Apache-2.0
//
// Lengths from headers alone. Blosc: 16 bytes, the last four of which are the whole length. zstd
// (RFC 8878): a frame header, then blocks of three bytes that hold "last", a type and a size.
#include "core/base/endian.h"
#include "core/codec/buffers/buffers.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr std::uint64_t kBloscHeader = 16;
constexpr std::size_t kBloscLength = 12; ///< offset of the encoded length in the header
constexpr std::uint32_t kZstdMagic = 0xFD2FB528;
constexpr std::uint64_t kZstdLeast =
    6; ///< smallest frame: magic, descriptor, window or content size
constexpr std::uint64_t kBlockHeader = 3;
constexpr std::uint64_t kChecksum = 4;
constexpr std::uint64_t kWindow =
    4096; ///< bytes per read; small, because blocks of repeated elements are tiny

/// Length of a zstd frame header, from its descriptor (the fifth byte).
std::uint64_t frameHeader(std::uint8_t descriptor) {
    constexpr std::array<std::uint64_t, 4> kDictionary{0, 1, 2, 4};
    const bool single = (descriptor & 0x20U) != 0;
    const std::array<std::uint64_t, 4> size{single ? 1U : 0U, 2, 4, 8};
    return 5 + (single ? 0 : 1) + kDictionary.at(descriptor & 3U) + size.at(descriptor >> 6U);
}

/// Reads small parts of one range through a window and counts the reads.
class HeaderReader {
public:
    HeaderReader(const ByteSource& source, ByteRange range, std::size_t& reads)
        : m_source(source), m_range(range), m_reads(reads) {}

    /// `length` bytes at `at` within the range. REQUIRES: they are inside it. Empty: no more reads
    /// may be made.
    Result<std::span<const std::byte>> read(std::uint64_t at, std::uint64_t length) {
        if (at < m_from || at + length > m_from + m_window.size()) {
            if (m_reads == 0) {
                return std::span<const std::byte>();
            }
            --m_reads;
            const std::uint64_t wanted = std::min(kWindow, m_range.length - at);
            CAIRN_TRY(m_window, readRange(m_source, {m_range.offset + at, wanted}));
            m_from = at;
        }
        return std::span<const std::byte>(m_window).subspan(static_cast<std::size_t>(at - m_from),
                                                            static_cast<std::size_t>(length));
    }

private:
    const ByteSource& m_source;
    ByteRange m_range;
    std::size_t& m_reads;
    std::vector<std::byte> m_window;
    std::uint64_t m_from = 0;
};

Result<std::optional<std::uint64_t>> zstdLength(HeaderReader reader, std::uint64_t stored) {
    if (stored < kZstdLeast) {
        return std::optional(kZstdLeast);
    }
    CAIRN_TRY(const auto head, reader.read(0, kZstdLeast));
    if (loadLittle<std::uint32_t>(head, 0) != kZstdMagic) {
        return std::optional<std::uint64_t>(); // not zstd: decoding reports that
    }
    const auto descriptor = static_cast<std::uint8_t>(head[4]);
    std::uint64_t at = frameHeader(descriptor);
    for (bool last = false; !last;) {
        if (at + kBlockHeader > stored) {
            return std::optional(at + kBlockHeader);
        }
        CAIRN_TRY(const auto block, reader.read(at, kBlockHeader));
        if (block.empty()) {
            return std::optional<std::uint64_t>();
        }
        const std::uint32_t header = static_cast<std::uint32_t>(block[0]) |
                                     static_cast<std::uint32_t>(block[1]) << 8U |
                                     static_cast<std::uint32_t>(block[2]) << 16U;
        last = (header & 1U) != 0;
        const bool repeated = ((header >> 1U) & 3U) == 1;
        at += kBlockHeader + (repeated ? 1 : header >> 3U);
    }
    return std::optional(at + ((descriptor & 4U) != 0 ? kChecksum : 0));
}

} // namespace

Result<std::optional<std::uint64_t>> encodedLength(Compression compression,
                                                   const ByteSource& source, ByteRange range,
                                                   std::size_t& reads) {
    if (reads == 0) {
        return std::optional<std::uint64_t>();
    }
    if (compression == Compression::Zstd) {
        return zstdLength({source, range, reads}, range.length);
    }
    if (compression != Compression::Blosc) {
        return std::optional<std::uint64_t>();
    }
    if (range.length < kBloscHeader) {
        return std::optional(kBloscHeader);
    }
    --reads;
    CAIRN_TRY(const auto head, readRange(source, {range.offset, kBloscHeader}));
    return std::optional<std::uint64_t>(loadLittle<std::uint32_t>(head, kBloscLength));
}

} // namespace cairn
