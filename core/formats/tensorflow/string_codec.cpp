// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/string_codec.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/protobuf/write.h"
#include "core/io/sequential_source.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::size_t kWindow = 65536;
constexpr std::uint64_t kChecksumBytes = 4;

/// A forward cursor over a part of a source.
class Window {
public:
    Window(ByteSourcePtr source, ByteRange range) : m_source(std::move(source)), m_range(range) {}

    [[nodiscard]] std::uint64_t taken() const { return m_read - (m_bytes.size() - m_at); }
    [[nodiscard]] std::uint64_t left() const { return m_range.length - taken(); }

    Result<void> take(std::span<std::byte> out) {
        while (!out.empty()) {
            CAIRN_CHECK(fill());
            const std::size_t count = std::min(out.size(), m_bytes.size() - m_at);
            std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_at), count, out.begin());
            m_at += count;
            out = out.subspan(count);
        }
        return {};
    }

    Result<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 70; shift += 7) {
            std::array<std::byte, 1> byte;
            CAIRN_CHECK(take(byte));
            const auto bits = std::to_integer<std::uint64_t>(byte[0]);
            if (shift == 63 && bits > 1) {
                break;
            }
            value |= (bits & 0x7FU) << shift;
            if (bits < 0x80) {
                return value;
            }
        }
        return fail(ErrorCode::BadEncoding, "The length of a string is not a valid varint")
            .inFile(m_source->name())
            .at(m_range.offset + taken());
    }

private:
    Result<void> fill() {
        if (m_at < m_bytes.size()) {
            return {};
        }
        const std::uint64_t rest = m_range.length - m_read;
        if (rest == 0) {
            return fail(ErrorCode::BadEncoding, "The string data ends before the last string")
                .inFile(m_source->name())
                .at(m_range.offset + m_read);
        }
        m_bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, rest)));
        CAIRN_CHECK(m_source->readAt(m_range.offset + m_read, m_bytes));
        m_read += m_bytes.size();
        m_at = 0;
        return {};
    }

    ByteSourcePtr m_source;
    ByteRange m_range;
    std::uint64_t m_read = 0;
    std::vector<std::byte> m_bytes;
    std::size_t m_at = 0;
};

/// Adds a length to the checksum.
std::uint32_t addLength(std::uint32_t crc, std::uint64_t length, bool bigEndian) {
    std::array<std::byte, 8> bytes;
    const bool small = length <= std::numeric_limits<std::uint32_t>::max();
    if (small) {
        storeLittle(bytes, 0, static_cast<std::uint32_t>(length));
    } else {
        storeLittle(bytes, 0, length);
    }
    const auto used = std::span(bytes).first(small ? 4 : 8);
    if (bigEndian) {
        std::ranges::reverse(used);
    }
    return crc32c(crc, used);
}

/// The parts of an entry, located by its lengths.
struct Parts {
    std::uint64_t count = 0;
    ByteRange lengths;
    ByteRange strings;
    std::uint32_t crc = 0; ///< of the lengths and their stored checksum; continued with the strings
};

Error badStrings(const ByteSource& file, std::uint64_t at, Sentence found) {
    return fail(ErrorCode::BadEncoding, "The strings' lengths do not match the size of the data")
        .inFile(file.name())
        .at(at)
        .butFound(std::move(found));
}

Result<Parts> readParts(const ByteSourcePtr& file, ByteRange entry, std::uint64_t count,
                        bool bigEndian) {
    if (!entry.fitsInto(file->size())) {
        return fail(ErrorCode::Truncated, "The file ends before the end of this tensor's strings")
            .inFile(file->name())
            .at(entry.offset)
            .expecting(sentence("%1 bytes from that offset", entry.length));
    }
    if (count > entry.length || entry.length - count < kChecksumBytes) {
        return badStrings(*file, entry.offset,
                          sentence("%1 bytes for %2 strings", entry.length, count));
    }
    Window window(file, entry);
    Parts parts{count, {}, {}, 0};
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        CAIRN_TRY(const std::uint64_t length, window.varint());
        if (length > entry.length - total) {
            return badStrings(*file, entry.offset + window.taken(),
                              sentence("a length of %1 bytes", length));
        }
        total += length;
        parts.crc = addLength(parts.crc, length, bigEndian);
    }
    const std::uint64_t lengths = window.taken();
    if (window.left() < kChecksumBytes || window.left() - kChecksumBytes != total) {
        return badStrings(*file, entry.offset,
                          sentence("%1 bytes after the lengths", window.left()))
            .expecting(sentence("%1 and a checksum", total));
    }
    std::array<std::byte, kChecksumBytes> stored;
    CAIRN_CHECK(window.take(stored));
    auto value = loadLittle<std::uint32_t>(stored);
    value = bigEndian ? __builtin_bswap32(value) : value;
    if (maskedCrc32c(parts.crc) != value) {
        return fail(ErrorCode::BadChecksum, "Checksum mismatch in the strings' lengths")
            .inFile(file->name())
            .at(entry.offset);
    }
    parts.crc = crc32c(parts.crc, stored);
    parts.lengths = {entry.offset, lengths};
    parts.strings = {entry.offset + lengths + kChecksumBytes, total};
    return parts;
}

/// Produces the canonical form from the lengths and the string data, which are in different places.
class CanonicalStrings final : public SequentialSource {
public:
    CanonicalStrings(const ByteSourcePtr& file, const Parts& parts, std::uint64_t size,
                     std::optional<std::uint32_t> expected)
        : SequentialSource(file, size, file->name()), m_file(file), m_parts(parts),
          m_expected(expected), m_lengths(file, parts.lengths), m_strings(file, parts.strings) {}

private:
    Result<void> restart() const override {
        m_lengths = Window(m_file, m_parts.lengths);
        m_strings = Window(m_file, m_parts.strings);
        m_head.clear();
        m_textLeft = 0;
        m_crc = m_parts.crc;
        return {};
    }

    Result<void> advance(std::span<std::byte> out) const override {
        while (!out.empty()) {
            if (m_head.empty() && m_textLeft == 0) {
                CAIRN_TRY(m_textLeft, m_lengths.varint());
                m_head.resize(8);
                storeLittle(m_head, 0, m_textLeft);
            }
            if (!m_head.empty()) {
                const std::size_t count = std::min(out.size(), m_head.size());
                std::copy_n(m_head.begin(), count, out.begin());
                m_head.erase(m_head.begin(), m_head.begin() + static_cast<std::ptrdiff_t>(count));
                out = out.subspan(count);
                continue;
            }
            const auto run = out.first(
                static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), m_textLeft)));
            CAIRN_CHECK(m_strings.take(run));
            m_crc = crc32c(m_crc, run);
            m_textLeft -= run.size();
            out = out.subspan(run.size());
        }
        return {};
    }

    Result<void> finish() const override {
        if (m_expected && m_crc != *m_expected) {
            return fail(ErrorCode::BadChecksum, "The stored checksum does not match the strings")
                .inFile(name())
                .at(m_parts.lengths.offset)
                .withHint("The data changed after it was saved; use another copy");
        }
        return {};
    }

    ByteSourcePtr m_file;
    Parts m_parts;
    std::optional<std::uint32_t> m_expected;
    // Guarded by the lock of SequentialSource.
    mutable Window m_lengths;
    mutable Window m_strings;
    mutable std::vector<std::byte> m_head; ///< rest of a length that did not fit in the output
    mutable std::uint64_t m_textLeft = 0;
    mutable std::uint32_t m_crc = 0;
};

} // namespace

void StringCodec::expect(FileIndex file, std::uint64_t offset, std::uint32_t crc) {
    m_checksums[{file.value, offset}] = crc;
}

Result<LocatedPiece> StringCodec::locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                         const Piece& piece) const {
    const std::uint64_t count = elementCount(piece.box.extent).value_or(0);
    CAIRN_TRY(const Parts parts, readParts(file, piece.bytes, count, m_bigEndian));
    const auto known = m_checksums.find({piece.file.value, piece.bytes.offset});
    const auto expected = known == m_checksums.end() ? std::nullopt : std::optional(known->second);
    const std::uint64_t size =
        count * 8 + parts.strings.length; // both are bounded by the file's size
    LocatedPiece located;
    located.source = std::make_shared<CanonicalStrings>(file, parts, size, expected);
    located.bytes = {0, size};
    located.comparesItself = expected.has_value();
    return located;
}

EncodedStrings encodeStrings(std::span<const std::byte> canonical) {
    std::string lengths;
    std::vector<std::span<const std::byte>> elements;
    EncodedStrings encoded;
    while (canonical.size() >= sizeof(std::uint64_t)) {
        const auto length = loadLittle<std::uint64_t>(canonical);
        canonical = canonical.subspan(sizeof length);
        elements.push_back(canonical.first(static_cast<std::size_t>(length)));
        canonical = canonical.subspan(static_cast<std::size_t>(length));
        protobuf::appendVarint(lengths, length);
        encoded.crc32c = addLength(encoded.crc32c, length, false);
    }
    std::array<std::byte, kChecksumBytes> stored{};
    storeLittle(std::span<std::byte>(stored), 0, maskedCrc32c(encoded.crc32c));
    const auto head = asBytes(lengths);
    encoded.bytes.assign(head.begin(), head.end());
    encoded.bytes.insert(encoded.bytes.end(), stored.begin(), stored.end());
    encoded.crc32c = crc32c(encoded.crc32c, stored);
    for (const auto element : elements) {
        encoded.bytes.insert(encoded.bytes.end(), element.begin(), element.end());
        encoded.crc32c = crc32c(encoded.crc32c, element);
    }
    return encoded;
}

} // namespace cairn::formats::tensorflow
