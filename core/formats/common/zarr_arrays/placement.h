// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/absent_chunks.h"
#include "core/formats/common/zarr_arrays/array_set.h"
#include "core/formats/common/zarr_arrays/chunk_codec.h"
#include "core/model/checkpoint.h"

#include <functional>
#include <unordered_map>

namespace cairn::formats::zarr_arrays {

/// Context for converting a set of arrays to tensors.
struct ArrayContext {
    CheckpointData& data;
    std::vector<FileIndex> files; ///< of the item; by Place::file
    FileIndex memory;             ///< file of the values that are stored in the tree's nodes
    /// Whether every chunk was stored, so that an absent one is lost; empty: not recorded.
    std::optional<bool> everyChunkStored;
    std::function<void(Severity, Error)> note;
};

/// Converts arrays to tensors; caches parsed metadata. Not thread-safe.
class Placer {
public:
    explicit Placer(ArrayContext& context)
        : m_context(context), m_codecs(context.data), m_fills(context.data) {}

    /// Adds the tensor, or a notice.
    void add(const std::string& name, const StoredArray& array, Role role);

private:
    Result<const zarr::ArrayInfo*> infoOf(const std::string& name, const StoredArray& array);
    Result<void> addPieces(TensorEntry& tensor, const zarr::ArrayInfo& info,
                           const StoredArray& array);
    Result<void> addChunk(TensorEntry& tensor, const zarr::ArrayInfo& info, const Box& stored,
                          const Place& place, CodecId codec);
    Result<void> count(std::size_t pieces);
    void checkFileExtent(const std::string& tensor, const zarr::ArrayInfo& info,
                         const Place& place);
    void noteDamage(const std::string& tensor, Error error);

    ArrayContext& m_context;
    ChunkCodecs m_codecs;
    std::unordered_map<std::string, zarr::ArrayInfo> m_infos;
    FillValues m_fills;
    std::size_t m_pieces = 0;
    std::size_t m_reads = kMaxHeaderReads; ///< remaining reads

    static constexpr std::size_t kMaxHeaderReads = 4096;
};

} // namespace cairn::formats::zarr_arrays
