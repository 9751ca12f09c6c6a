// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zarr/chunk_source.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/zstd/zstd_source.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cairn::zarr {
namespace {

constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
constexpr std::size_t kIndexEntry = 16;
constexpr std::size_t kCrcBytes = 4;
constexpr std::uint64_t kMaxIndex = std::uint64_t{64} << 20U;
constexpr std::size_t kMaxCursors = 4;

Error rebased(Error error, const ChunkPlace& place, std::uint64_t base) {
    error.where.file = place.file->name();
    error.where.offset = error.where.offset.value_or(0) + base;
    return error;
}

Error badChunk(const ChunkPlace& place, Sentence message, Sentence found) {
    return fail(ErrorCode::ZarrBadChunk, std::move(message))
        .inFile(place.file->name())
        .at(place.bytes.offset)
        .butFound(std::move(found));
}

Result<void> checkCrc(std::span<const std::byte> bytes, const ChunkPlace& place) {
    if (bytes.size() < kCrcBytes) {
        return badChunk(place, "A chunk is shorter than its checksum",
                        sentence("%1 bytes", bytes.size()));
    }
    const std::size_t end = bytes.size() - kCrcBytes;
    if (crc32c(0, bytes.first(end)) != loadLittle<std::uint32_t>(bytes, end)) {
        return fail(ErrorCode::BadChecksum, "CRC-32C mismatch")
            .inFile(place.file->name())
            .at(place.bytes.offset)
            .withHint("The file was damaged after it was written; copy it again");
    }
    return {};
}

/// The (offset, length) of every inner chunk of a shard.
Result<std::vector<std::byte>> readShardIndex(const ChunkPlace& place) {
    std::uint64_t count = 1;
    for (const std::int64_t extent : place.sharding->grid) {
        const auto next = checkedMul(count, static_cast<std::uint64_t>(extent));
        if (!next || *next > kMaxIndex / kIndexEntry) {
            return fail(ErrorCode::LimitExceeded, "A shard has too many chunks")
                .inFile(place.file->name())
                .at(place.bytes.offset);
        }
        count = *next;
    }
    const std::uint64_t size = count * kIndexEntry + (place.sharding->indexCrc32c ? kCrcBytes : 0);
    if (size > place.bytes.length || place.innerIndex >= count) {
        return badChunk(place, "A shard is shorter than its index",
                        sentence("%1 bytes", place.bytes.length));
    }
    const std::uint64_t at = place.sharding->indexAtEnd ? place.bytes.length - size : 0;
    CAIRN_TRY(auto index, readRange(*place.file, {place.bytes.offset + at, size}));
    if (place.sharding->indexCrc32c) {
        CAIRN_CHECK(checkCrc(index, place));
        index.resize(index.size() - kCrcBytes);
    }
    return index;
}

/// Location of an inner chunk in the file; empty: the chunk is absent.
Result<std::optional<ByteRange>> innerRange(const ChunkPlace& place,
                                            std::span<const std::byte> index, std::size_t inner) {
    const auto offset = loadLittle<std::uint64_t>(index, inner * kIndexEntry);
    const auto length = loadLittle<std::uint64_t>(index, inner * kIndexEntry + 8);
    if (offset == kAbsent && length == kAbsent) {
        return std::optional<ByteRange>();
    }
    if (!ByteRange{offset, length}.fitsInto(place.bytes.length)) {
        return badChunk(place, "A shard's index refers to data beyond the shard",
                        sentence("%1 + %2", offset, length));
    }
    return std::optional<ByteRange>({place.bytes.offset + offset, length});
}

Result<std::optional<ByteRange>> findInner(const ChunkPlace& place) {
    CAIRN_TRY(const auto index, readShardIndex(place));
    return innerRange(place, index, static_cast<std::size_t>(place.innerIndex));
}

std::vector<std::byte> filled(const ChunkPlace& place) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(place.decodedSize));
    const std::size_t element = place.fill.size();
    for (std::size_t at = 0; element > 0 && at + element <= bytes.size(); at += element) {
        std::memcpy(bytes.data() + at, place.fill.data(), element);
    }
    return bytes;
}

Result<std::vector<std::byte>> decode(const ChunkPlace& place) {
    ByteRange range = place.bytes;
    if (place.sharding) {
        CAIRN_TRY(const auto inner, findInner(place));
        if (!inner) {
            return filled(place);
        }
        range = *inner;
    }
    // Incompressible data grows slightly when compressed.
    const auto most = checkedAdd(place.decodedSize, place.decodedSize / 8 + 65536);
    if (!most || range.length > *most) {
        return badChunk(place, "A chunk exceeds the size of its elements",
                        sentence("%1 bytes", range.length));
    }
    CAIRN_TRY(const auto stored, readRange(*place.file, range));
    std::span<const std::byte> body = stored;
    if (place.encoding.crc32c) {
        CAIRN_CHECK(checkCrc(body, place));
        body = body.first(body.size() - kCrcBytes);
    }
    auto decoded = decodeBuffer(place.encoding.compression, body, place.decodedSize);
    if (!decoded) {
        return rebased(std::move(decoded).error(), place, range.offset);
    }
    if (decoded->size() != place.decodedSize) {
        return badChunk(place, "A chunk has too few elements",
                        sentence("%1 bytes", decoded->size()))
            .expecting(sentence("%1 bytes", place.decodedSize));
    }
    return decoded;
}

class ChunkSource : public ByteSource {
public:
    explicit ChunkSource(ChunkPlace place) : m_place(std::move(place)) {}
    std::uint64_t size() const final { return m_place.decodedSize; }
    const std::string& name() const final { return m_place.file->name(); }
    FileIdentity identity() const final { return m_place.file->identity(); }
    Result<void> checkUnchanged() const final { return m_place.file->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const final {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the chunk")
                .inFile(name())
                .at(m_place.bytes.offset);
        }
        return out.empty() ? Result<void>() : read(offset, out);
    }

protected:
    const ChunkPlace& place() const { return m_place; }

private:
    virtual Result<void> read(std::uint64_t offset, std::span<std::byte> out) const = 0;
    ChunkPlace m_place;
};

class CompleteChunk final : public ChunkSource {
public:
    CompleteChunk(ChunkPlace place, std::shared_ptr<ChunkCache> cache)
        : ChunkSource(std::move(place)), m_cache(std::move(cache)) {}

private:
    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override {
        CAIRN_TRY(const DecodedChunk chunk, decoded());
        std::memcpy(out.data(), chunk->data() + offset, out.size());
        return {};
    }

    Result<DecodedChunk> decoded() const {
        const std::lock_guard lock(m_mutex);
        DecodedChunk chunk = m_chunk.lock();
        if (!chunk) {
            CAIRN_TRY(auto bytes, decode(place()));
            chunk = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
            m_chunk = chunk;
        }
        m_cache->keep(chunk);
        return chunk;
    }

    std::shared_ptr<ChunkCache> m_cache;
    mutable std::mutex m_mutex;
    mutable std::weak_ptr<const std::vector<std::byte>> m_chunk;
};

/// Decodes at several positions, so that threads that read different parts do not restart a single
/// cursor again and again. Each cursor is used by one read at a time.
class StreamedChunk final : public ChunkSource {
public:
    explicit StreamedChunk(ChunkPlace place) : ChunkSource(std::move(place)) {}

private:
    struct Cursor {
        ByteSourcePtr source;
        std::uint64_t position = 0;
    };

    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override {
        CAIRN_TRY(Cursor cursor, take(offset));
        CAIRN_CHECK(cursor.source->readAt(offset, out));
        cursor.position = offset + out.size();
        const std::lock_guard lock(m_mutex);
        m_idle.push_back(std::move(cursor));
        if (m_idle.size() > kMaxCursors) {
            m_idle.erase(m_idle.begin());
        }
        return {};
    }

    /// The idle cursor that is closest before `offset`, or a new one.
    Result<Cursor> take(std::uint64_t offset) const {
        const std::lock_guard lock(m_mutex);
        auto best = m_idle.end();
        for (auto each = m_idle.begin(); each != m_idle.end(); ++each) {
            const bool nearer = best == m_idle.end() || each->position > best->position;
            best = each->position <= offset && nearer ? each : best;
        }
        if (best != m_idle.end()) {
            Cursor cursor = std::move(*best);
            m_idle.erase(best);
            return cursor;
        }
        CAIRN_TRY(ByteSourcePtr source, open());
        return Cursor{std::move(source), 0};
    }

    Result<ByteSourcePtr> open() const {
        if (!m_range) {
            m_range = place().bytes;
            if (place().sharding) {
                auto inner = findInner(place());
                if (!inner) {
                    m_range.reset();
                    return std::move(inner).error();
                }
                m_isFill = !*inner;
                m_range = inner->value_or(ByteRange{});
            }
            const std::uint64_t crc = place().encoding.crc32c ? kCrcBytes : 0;
            m_range->length -= std::min(m_range->length, crc);
        }
        if (m_isFill) {
            return makeMemorySource(filled(place()), name());
        }
        auto source = openZstd(makeSliceSource(place().file, *m_range), place().decodedSize,
                               place().decodedSize, CancelToken());
        if (!source) {
            return rebased(std::move(source).error(), place(), m_range->offset);
        }
        return source;
    }

    mutable std::mutex m_mutex;
    mutable std::vector<Cursor> m_idle; ///< least recently used first
    mutable std::optional<ByteRange> m_range;
    mutable bool m_isFill = false;
};

} // namespace

void ChunkCache::keep(const DecodedChunk& chunk) {
    std::list<DecodedChunk> dropped; // destroyed after the lock is released
    const std::lock_guard lock(m_mutex);
    const auto known = std::find(m_recent.begin(), m_recent.end(), chunk);
    if (known != m_recent.end()) {
        m_recent.splice(m_recent.begin(), m_recent, known);
        return;
    }
    m_recent.push_front(chunk);
    m_bytes += chunk->size();
    while (m_bytes > m_budget && m_recent.size() > 1) {
        m_bytes -= m_recent.back()->size();
        dropped.splice(dropped.begin(), m_recent, std::prev(m_recent.end()));
    }
}

Result<void> checkExtent(const ChunkPlace& place, std::size_t& reads) {
    if (reads == 0) {
        return {};
    }
    if (place.sharding) {
        --reads;
        CAIRN_TRY(const auto index, readShardIndex(place));
        for (std::size_t inner = 0; inner < index.size() / kIndexEntry; ++inner) {
            CAIRN_CHECK(innerRange(place, index, inner));
        }
        return {};
    }
    CAIRN_TRY(const auto length,
              encodedLength(place.encoding.compression, *place.file, place.bytes, reads));
    if (length.value_or(0) <= place.bytes.length) {
        return {};
    }
    return fail(ErrorCode::Truncated, "The file ends before the end of a chunk")
        .inFile(place.file->name())
        .at(place.bytes.offset)
        .butFound(sentence("%1 bytes", place.bytes.length))
        .expecting(sentence("at least %1 bytes", *length))
        .withHint("Copy the file again; this one is incomplete");
}

ByteSourcePtr makeChunkSource(ChunkPlace place, std::shared_ptr<ChunkCache> cache,
                              ChunkReading reading) {
    if (reading == ChunkReading::Streamed && place.encoding.compression == Compression::Zstd) {
        return std::make_shared<StreamedChunk>(std::move(place));
    }
    return std::make_shared<CompleteChunk>(std::move(place), std::move(cache));
}

} // namespace cairn::zarr
