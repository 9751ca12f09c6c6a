// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zarr/array_info.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::zarr {

using DecodedChunk = std::shared_ptr<const std::vector<std::byte>>;

/// Keeps the most recently read chunks, up to a number of bytes (and always the newest). Any
/// thread.
class ChunkCache {
public:
    explicit ChunkCache(std::uint64_t budget) : m_budget(budget) {}
    void keep(const DecodedChunk& chunk);

private:
    std::mutex m_mutex;
    std::list<DecodedChunk> m_recent;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_budget;
};

/// Parameters for decoding one encoded chunk.
struct ChunkPlace {
    ByteSourcePtr file;
    ByteRange bytes; ///< of the stored chunk (of the complete shard)
    ChunkEncoding encoding;
    std::uint64_t decodedSize = 0;
    std::optional<Sharding> sharding;
    std::uint64_t innerIndex = 0; ///< in C order of the shard's grid
    std::vector<std::byte> fill;  ///< one element: the value of an absent inner chunk
};

/// Streamed: for zstd chunks that are too large to decode into memory.
enum class ChunkReading : std::uint8_t { Complete, Streamed };

/// The decoded elements of one chunk as a source of `decodedSize` bytes. The first readAt() decodes
/// the complete chunk, which stays in memory while it is in use or in the cache. Streamed
/// chunks are decoded while reading, by up to four cursors. REQUIRES: bytes are inside the file.
/// readAt() fails with BadEncoding, Truncated, LimitExceeded, BadChecksum, ZarrBadChunk; offsets
/// are those of the chunk in the file.
ByteSourcePtr makeChunkSource(ChunkPlace place, std::shared_ptr<ChunkCache> cache,
                              ChunkReading reading);

/// Checks the length of the stored chunk without decoding it, against the index of a shard, else
/// against encodedLength(). `reads`: how many more reads may be made; at 0 nothing is checked.
/// Fails: Truncated, ZarrBadChunk, BadChecksum, and the errors of reading.
Result<void> checkExtent(const ChunkPlace& place, std::size_t& reads);

} // namespace cairn::zarr
