// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/zarr_arrays/chunk_codec.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::zarr_arrays {
namespace {

constexpr std::uint64_t kLargeChunk = std::uint64_t{32}
                                      << 20U; ///< larger chunks are not decoded completely
constexpr std::uint64_t kMaxWhole = std::uint64_t{2} << 30U;

class ChunkCodec final : public PieceCodec {
public:
    ChunkCodec(const zarr::ArrayInfo& info, std::shared_ptr<zarr::ChunkCache> cache)
        : m_info(info), m_strides(chunkStrides(info)), m_cache(std::move(cache)) {
        m_name = info.sharding ? "zarr shard" : "zarr";
        if (info.encoding.compression != Compression::None) {
            m_name += "+" + std::string(compressionName(info.encoding.compression));
        }
    }

    std::string_view name() const override { return m_name; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        if (!piece.bytes.fitsInto(file->size())) {
            return fail(ErrorCode::Truncated, "The file ends before the end of this chunk")
                .inFile(file->name())
                .at(piece.bytes.offset)
                .butFound(sentence("%1 bytes in the file", file->size()))
                .expecting(sentence("%1 bytes from that offset", piece.bytes.length))
                .withHint("Copy the file again; this one is incomplete");
        }
        zarr::ChunkPlace place{file,
                               piece.bytes,
                               m_info.encoding,
                               m_info.innerBytes(),
                               m_info.sharding,
                               innerIndex(piece),
                               m_info.fill};
        const bool streaming = isLarge(tensor, piece, place.decodedSize);
        if (place.decodedSize > kMaxWhole &&
            !(streaming && m_info.encoding.compression == Compression::Zstd)) {
            return fail(ErrorCode::LimitExceeded, "A chunk is too large to be decoded")
                .inFile(file->name())
                .at(piece.bytes.offset)
                .butFound(sentence("%1 bytes", place.decodedSize));
        }
        LocatedPiece located;
        located.bytes = {0, place.decodedSize};
        located.source = zarr::makeChunkSource(std::move(place), m_cache,
                                               streaming ? zarr::ChunkReading::Streamed
                                                         : zarr::ChunkReading::Complete);
        located.strides = m_strides;
        located.flags = piece.flags;
        // A frame of zstd may contain one, which is not recorded outside.
        const bool gzip = m_info.encoding.compression == Compression::Gzip;
        located.comparesItself = !streaming && (m_info.encoding.crc32c || gzip);
        return located;
    }

private:
    /// Index of the inner chunk that contains the piece, in C order of the shard's grid.
    [[nodiscard]] std::uint64_t innerIndex(const Piece& piece) const {
        std::uint64_t index = 0;
        for (std::size_t d = 0; m_info.sharding && d < m_info.inner.size(); ++d) {
            const std::int64_t within = piece.box.origin[d] % m_info.chunk[d];
            index = index * static_cast<std::uint64_t>(m_info.sharding->grid[d]) +
                    static_cast<std::uint64_t>(within / m_info.inner[d]);
        }
        return index;
    }

    /// Whether to stream: the chunk is large, or the band of chunks that are read together with it,
    /// row by row, does not fit in the cache.
    [[nodiscard]] bool isLarge(const TensorEntry& tensor, const Piece& piece,
                               std::uint64_t chunkBytes) const {
        if (chunkBytes > kLargeChunk) {
            return true;
        }
        if (tensor.shape.empty() || tensor.shape[0] <= 0) {
            return false;
        }
        const auto rows = static_cast<std::uint64_t>(tensor.shape[0]);
        const auto band =
            checkedMul(tensor.bytes() / rows, static_cast<std::uint64_t>(piece.box.extent[0]));
        const bool beside = piece.box.extent.size() > 1;
        return beside && band.value_or(ChunkCodecs::kCacheBytes) > ChunkCodecs::kCacheBytes / 2;
    }

    zarr::ArrayInfo m_info;
    Strides m_strides;
    std::shared_ptr<zarr::ChunkCache> m_cache;
    std::string m_name;
};

void addNumber(std::string& key, std::uint64_t number) {
    key += std::to_string(number) + ",";
}

/// Arrays with the same key are decoded in the same way.
std::string codecKey(const zarr::ArrayInfo& info) {
    std::string key;
    addNumber(key, static_cast<std::uint64_t>(info.encoding.compression));
    addNumber(key, (info.encoding.crc32c ? 1U : 0U) | (info.fortran ? 2U : 0U) |
                       (info.sharding ? 4U : 0U) |
                       (info.sharding && info.sharding->indexAtEnd ? 8U : 0U) |
                       (info.sharding && info.sharding->indexCrc32c ? 16U : 0U));
    addNumber(key, info.type.bytes);
    for (const auto* list : {&info.chunk, &info.inner}) {
        for (const std::int64_t extent : *list) {
            addNumber(key, static_cast<std::uint64_t>(extent));
        }
        key += ";";
    }
    for (const std::byte byte : info.fill) {
        key += static_cast<char>(byte);
    }
    return key;
}

} // namespace

Strides chunkStrides(const zarr::ArrayInfo& info) {
    Strides strides = denseStrides(Dims(info.inner));
    if (info.fortran) {
        std::int64_t step = 1;
        for (std::size_t d = 0; d < info.inner.size(); ++d) {
            strides[d] = step;
            step *= info.inner[d];
        }
    }
    return strides;
}

CodecId ChunkCodecs::codecFor(const zarr::ArrayInfo& info) {
    const bool plain = info.encoding.compression == Compression::None && !info.encoding.crc32c;
    if (plain && !info.sharding) {
        return kRawCodec;
    }
    const auto [known, fresh] = m_known.try_emplace(codecKey(info), kRawCodec);
    if (fresh) {
        known->second = m_data.addCodec(std::make_shared<ChunkCodec>(info, m_cache));
    }
    return known->second;
}

} // namespace cairn::formats::zarr_arrays
