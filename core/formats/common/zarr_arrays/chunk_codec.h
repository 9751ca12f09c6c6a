// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zarr/array_info.h"
#include "core/codec/zarr/chunk_source.h"
#include "core/model/checkpoint.h"

#include <map>
#include <memory>
#include <string>

namespace cairn::formats::zarr_arrays {

/// Strides of the elements in a decoded chunk.
Strides chunkStrides(const zarr::ArrayInfo& info);

/// Shares codecs between arrays that are stored in the same way. Not thread-safe.
class ChunkCodecs {
public:
    explicit ChunkCodecs(CheckpointData& data)
        : m_data(data), m_cache(std::make_shared<zarr::ChunkCache>(kCacheBytes)) {}

    /// The codec for pieces of such an array; kRawCodec if its chunks are uncompressed elements.
    CodecId codecFor(const zarr::ArrayInfo& info);

    static constexpr std::uint64_t kCacheBytes = std::uint64_t{192} << 20U;

private:
    CheckpointData& m_data;
    std::shared_ptr<zarr::ChunkCache> m_cache;
    std::map<std::string, CodecId> m_known;
};

} // namespace cairn::formats::zarr_arrays
