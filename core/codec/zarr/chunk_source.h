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

/// Keeps the chunks that were read last alive, up to a number of bytes (and always the newest).
/// Any thread.
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

/// What is needed to decode one encoded chunk.
struct ChunkPlace {
    ByteSourcePtr file;
    ByteRange bytes; ///< of the stored chunk (of the complete shard)
    ChunkEncoding encoding;
    std::uint64_t decodedSize = 0;
    std::optional<Sharding> sharding;
    std::uint64_t innerIndex = 0; ///< in C order of the shard's grid
    std::vector<std::byte> fill;  ///< one element: what an absent inner chunk holds
};

/// The decoded elements of one chunk as a source of `decodedSize` bytes. Nothing is read before
/// the first readAt(), which decodes the chunk whole; it stays while someone reads and while the
/// cache keeps it. `streaming`: zstd only, for chunks that are too large for that: decoded on the
/// way by up to four cursors. REQUIRES: bytes are inside the file.
/// readAt() fails with BadEncoding, Truncated, LimitExceeded, BadChecksum, ZarrBadChunk; offsets
/// are those of the chunk in the file.
ByteSourcePtr makeChunkSource(ChunkPlace place, std::shared_ptr<ChunkCache> cache, bool streaming);

/// Whether the stored chunk is as long as its own headers count, found without decoding it: the
/// index of a shard, else what encodedLength() knows. `reads`: how many more may be made; at 0
/// nothing is checked. Fails: Truncated, ZarrBadChunk, BadChecksum, and the errors of reading.
Result<void> checkExtent(const ChunkPlace& place, std::size_t& reads);

} // namespace cairn::zarr
