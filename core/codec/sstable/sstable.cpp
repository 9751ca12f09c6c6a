// SPDX-License-Identifier: Apache-2.0
//
// A table is a file of blocks and a footer:
//     data block …, metaindex block, index block, footer (48 bytes)
//     footer  = metaindex handle, index handle, zeros up to 40 bytes, magic number (u64)
//     handle  = offset, size (varint64 each); a block's five bytes of trailer follow its `size`
//     trailer = compression (u8: 0 none, 1 snappy), masked CRC-32C of the bytes and that byte (u32)
//     block   = entry …, restart offset (u32) …, number of restarts (u32)
//     entry   = bytes shared with the key before, bytes that are not, length of the value (varint32
//               each), the rest of the key, the value
// The values of the index block are the handles of the data blocks. The metaindex is empty in
// TensorFlow's files and is not read.
#include "core/codec/sstable/sstable.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"

#include <algorithm>
#include <array>
#include <optional>
#include <snappy.h>
#include <string>
#include <utility>

namespace cairn::sstable {
namespace {

constexpr std::size_t kFooter = 48;
constexpr std::size_t kHandles = 40;
constexpr std::size_t kTrailer = 5;
constexpr std::uint64_t kMagic = 0xDB47'7524'8B80'FB57;
/// Writers store a complete key every 16 entries, so keys cannot be much longer than their stored
/// parts. Without a limit a file of one megabyte could declare terabytes of keys.
constexpr std::uint64_t kMaxKeyGrowth = 64;
constexpr std::uint64_t kKeysAlways = std::uint64_t{1} << 20U;
/// A copy of 64 bytes takes at least two bytes: snappy's format_description.txt.
constexpr std::uint64_t kMaxSnappyGrowth = 32;

/// Reads varints and bytes from the front of a block.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool empty() const { return m_bytes.empty(); }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }

    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < m_bytes.size() && i < 10; ++i) {
            const auto byte = std::to_integer<std::uint64_t>(m_bytes[i]);
            if (i == 9 && byte > 1) {
                return std::nullopt;
            }
            value |= (byte & 0x7FU) << (7 * i);
            if (byte < 0x80) {
                m_bytes = m_bytes.subspan(i + 1);
                return value;
            }
        }
        return std::nullopt;
    }

    std::optional<std::span<const std::byte>> take(std::uint64_t count) {
        if (count > m_bytes.size()) {
            return std::nullopt;
        }
        const auto taken = m_bytes.first(static_cast<std::size_t>(count));
        m_bytes = m_bytes.subspan(taken.size());
        return taken;
    }

private:
    std::span<const std::byte> m_bytes;
};

std::optional<ByteRange> readHandle(Bytes& bytes) {
    const auto offset = bytes.varint();
    const auto size = offset ? bytes.varint() : std::nullopt;
    return size ? std::optional(ByteRange{*offset, *size}) : std::nullopt;
}

Error inBlock(const ByteSource& source, std::uint64_t offset, ErrorCode code, Sentence message) {
    return fail(code, std::move(message)).inFile(source.name()).at(offset);
}

Result<std::vector<std::byte>> unpacked(const ByteSource& source, std::uint64_t offset,
                                        std::span<const std::byte> packed, std::uint64_t maxBlock) {
    const auto* text = reinterpret_cast<const char*>(packed.data());
    std::size_t size = 0;
    if (!snappy::GetUncompressedLength(text, packed.size(), &size)) {
        return inBlock(source, offset, ErrorCode::BadEncoding, "The snappy data is damaged");
    }
    if (size > maxBlock || size / kMaxSnappyGrowth > packed.size()) {
        return inBlock(source, offset, ErrorCode::LimitExceeded,
                       "The snappy data declares an implausible size")
            .butFound(sentence("%1 bytes from %2", size, packed.size()));
    }
    std::vector<std::byte> out(size);
    if (!snappy::RawUncompress(text, packed.size(), reinterpret_cast<char*>(out.data()))) {
        return inBlock(source, offset, ErrorCode::BadEncoding, "The snappy data is damaged");
    }
    return out;
}

/// The checked and decompressed content of a block, without its trailer.
struct Block {
    std::vector<std::byte> bytes;
    bool packed = false;
};

Result<Block> readBlock(const ByteSource& source, ByteRange handle, std::uint64_t maxBlock) {
    const auto length = checkedAdd(handle.length, kTrailer);
    if (!length || !ByteRange{handle.offset, *length}.fitsInto(source.size() - kFooter)) {
        return inBlock(source, handle.offset, ErrorCode::Truncated, "A block is outside the table")
            .butFound(sentence("%1 bytes", handle.length));
    }
    if (handle.length > maxBlock) {
        return inBlock(source, handle.offset, ErrorCode::LimitExceeded, "A block is too large")
            .butFound(sentence("%1 bytes", handle.length))
            .expecting(sentence("at most %1", maxBlock));
    }
    CAIRN_TRY(std::vector<std::byte> bytes, readRange(source, {handle.offset, *length}));
    const auto size = static_cast<std::size_t>(handle.length);
    const auto stored = loadLittle<std::uint32_t>(bytes, size + 1);
    const std::uint32_t found = maskedCrc32c(crc32c(0, std::span(bytes).first(size + 1)));
    if (stored != found) {
        return inBlock(source, handle.offset, ErrorCode::BadChecksum,
                       "CRC-32C mismatch in a block of the table")
            .butFound(sentence("CRC-32C %1", found))
            .expecting(sentence("CRC-32C %1", stored));
    }
    const auto type = std::to_integer<unsigned>(bytes[size]);
    bytes.resize(size);
    if (type == 1) {
        CAIRN_TRY(std::vector<std::byte> content, unpacked(source, handle.offset, bytes, maxBlock));
        return Block{std::move(content), true};
    }
    if (type != 0) {
        return inBlock(source, handle.offset, ErrorCode::Unsupported,
                       "Unknown compression of a block")
            .butFound(sentence("type %1", type))
            .expecting("0 (none) or 1 (snappy)");
    }
    return Block{std::move(bytes), false};
}

/// Reads the entries of one block in order, up to the first damaged one.
class BlockWalk {
public:
    BlockWalk(const ByteSource& source, std::uint64_t offset, std::string& lastKey,
              std::uint64_t& keyBytesLeft)
        : m_source(source), m_offset(offset), m_last(lastKey), m_keyBytesLeft(keyBytesLeft) {}

    /// `lastKey`: in: the previous key, maybe of an earlier block; out: the last key of this block.
    Result<void> walk(const Block& content, const Visit& visit) {
        const std::span<const std::byte> block = content.bytes;
        if (block.size() < 4) {
            return bad("too short for its restart points");
        }
        const auto restarts = loadLittle<std::uint32_t>(block, block.size() - 4);
        if (restarts > (block.size() - 4) / 4) {
            return bad(sentence("%1 restart points", restarts));
        }
        Bytes entries(block.first(block.size() - 4 - std::size_t{restarts} * 4));
        std::string key;
        while (!entries.empty()) {
            CAIRN_TRY(const auto value, next(entries, key));
            if (m_hasLast && key <= m_last) {
                return bad("keys that are not in ascending order");
            }
            m_last = key;
            m_hasLast = true;
            const auto at = static_cast<std::uint64_t>(value.data() - block.data());
            CAIRN_CHECK(
                visit({key, value, content.packed ? std::nullopt : std::optional(m_offset + at)}));
        }
        return {};
    }

    void continueAfterKey() { m_hasLast = true; }

private:
    Result<std::span<const std::byte>> next(Bytes& entries, std::string& key) {
        const auto shared = entries.varint();
        const auto fresh = shared ? entries.varint() : std::nullopt;
        const auto length = fresh ? entries.varint() : std::nullopt;
        const auto suffix = length ? entries.take(*fresh) : std::nullopt;
        const auto value = suffix ? entries.take(*length) : std::nullopt;
        if (!value || *shared > key.size()) {
            return bad("an entry that extends beyond the block");
        }
        key.resize(static_cast<std::size_t>(*shared));
        key += asText(*suffix);
        if (key.size() > m_keyBytesLeft) {
            return inBlock(m_source, m_offset, ErrorCode::LimitExceeded,
                           "The table's keys exceed the size of the table");
        }
        m_keyBytesLeft -= key.size();
        return *value;
    }

    [[nodiscard]] Error bad(Sentence found) const {
        return inBlock(m_source, m_offset, ErrorCode::BadEncoding,
                       "A block of the table is damaged")
            .butFound(std::move(found));
    }

    const ByteSource& m_source;
    std::uint64_t m_offset;
    std::string& m_last;
    std::uint64_t& m_keyBytesLeft;
    bool m_hasLast = false;
};

Result<ByteRange> readFooter(const ByteSource& source) {
    if (source.size() < kFooter) {
        return fail(ErrorCode::Truncated, "The table is too short for its footer")
            .inFile(source.name())
            .butFound(sentence("%1 bytes", source.size()))
            .expecting(verbatim(std::to_string(kFooter)));
    }
    std::array<std::byte, kFooter> footer;
    const std::uint64_t at = source.size() - kFooter;
    CAIRN_CHECK(source.readAt(at, footer));
    if (!endsWithMagic(footer)) {
        return inBlock(source, source.size() - 8, ErrorCode::BadEncoding,
                       "The table's magic number is missing at the end of the file")
            .withHint("It may be truncated; copy it again");
    }
    Bytes handles{std::span<const std::byte>(footer).first(kHandles)};
    const auto meta = readHandle(handles);
    const auto index = meta ? readHandle(handles) : std::nullopt;
    if (!index) {
        return inBlock(source, at, ErrorCode::BadEncoding, "The table's footer is damaged");
    }
    return *index;
}

/// Reads the ranges of the data blocks. They must be in order and not overlap, so that no block is
/// read twice.
Result<std::vector<ByteRange>> readIndex(const ByteSource& source, std::uint64_t& keyBytesLeft) {
    CAIRN_TRY(const ByteRange handle, readFooter(source));
    CAIRN_TRY(const Block block, readBlock(source, handle, kMaxBlock));
    std::vector<ByteRange> blocks;
    std::string lastKey;
    const auto add = [&](const Entry& entry) -> Result<void> {
        Bytes bytes(entry.value);
        const auto data = readHandle(bytes);
        const std::uint64_t from = blocks.empty() ? 0 : blocks.back().end();
        if (!data || data->offset < from || !data->fitsInto(source.size())) {
            return inBlock(source, handle.offset, ErrorCode::BadEncoding,
                           "The table's index is damaged")
                .butFound("a block that does not follow the one before it");
        }
        blocks.push_back(*data);
        return {};
    };
    BlockWalk index(source, handle.offset, lastKey, keyBytesLeft);
    CAIRN_CHECK(index.walk(block, add));
    return blocks;
}

} // namespace

bool endsWithMagic(std::span<const std::byte> tail) {
    return tail.size() >= 8 && loadLittle<std::uint64_t>(tail, tail.size() - 8) == kMagic;
}

Result<void> walk(const ByteSource& source, const Visit& visit, const Damaged& damaged,
                  const CancelToken& cancel, std::uint64_t maxBlock) {
    std::uint64_t keyBytesLeft = source.size() <= UINT64_MAX / kMaxKeyGrowth - kKeysAlways
                                     ? source.size() * kMaxKeyGrowth + kKeysAlways
                                     : UINT64_MAX;
    CAIRN_TRY(const std::vector<ByteRange> blocks, readIndex(source, keyBytesLeft));
    std::string lastKey;
    bool started = false;
    std::optional<Error> stopped;
    const Visit guarded = [&](const Entry& entry) {
        started = true;
        auto visited = visit(entry);
        if (!visited) {
            stopped = visited.error();
        }
        return visited;
    };
    for (const ByteRange& handle : blocks) {
        CAIRN_CHECK(cancel.check());
        const auto block = readBlock(source, handle, maxBlock);
        if (!block) {
            damaged(block.error());
            continue;
        }
        BlockWalk entries(source, handle.offset, lastKey, keyBytesLeft);
        if (started) {
            entries.continueAfterKey();
        }
        if (auto walked = entries.walk(*block, guarded); !walked) {
            if (stopped) {
                return std::move(*stopped);
            }
            damaged(std::move(walked).error());
        }
    }
    return {};
}

} // namespace cairn::sstable
