// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Zarr arrays in a key-value store or in folders: collects their chunks and converts them to
/// tensors. The encodings are in codec/zarr.
namespace cairn::formats::zarr_arrays {

/// Location of a stored value: in a file (index into StoredFiles::files), or in memory.
struct Place {
    static constexpr std::uint32_t kMemory = ~std::uint32_t{0};
    std::uint32_t file = 0;
    ByteRange range;
};

/// The chunks of one array, by their position in its grid.
struct StoredArray {
    std::string metadata;              ///< text of `.zarray` or `zarr.json`; empty: not found yet
    int version = 0;                   ///< 2 or 3; 0: no metadata
    std::size_t rank = 0;              ///< of the chunk keys
    std::vector<std::int64_t> indices; ///< `rank` numbers for each chunk
    std::vector<Place> chunks;
    bool mixedRanks = false;
    std::uint8_t keys = 0xFF; ///< zarr::ChunkKeys that all keys of chunks fit

    [[nodiscard]] std::span<const std::int64_t> index(std::size_t chunk) const {
        return std::span(indices).subspan(chunk * rank, rank);
    }
};

/// Assigns the keys of a store (or the files of folders, which have the same names) to arrays. A
/// value type; not thread-safe.
class ArraySet {
public:
    enum class Kind : std::uint8_t { Metadata2, Metadata3, Chunk, Ignored, Unknown };

    /// Classification of a key. For metadata the caller continues with setMetadata(); if `place`
    /// was passed, a chunk has already been added.
    struct Key {
        Kind kind = Kind::Unknown;
        std::string_view array; ///< valid as long as the key
    };
    Key classify(std::string_view key);
    Result<void> addChunk(const Key& key, Place place);
    Result<void> setMetadata(const Key& key, std::string text);

    /// After the last key.
    void finish();

    /// By name, in bytewise order; an array at the root has an empty name.
    [[nodiscard]] const std::map<std::string, StoredArray, std::less<>>& arrays() const {
        return m_arrays;
    }
    void clear() { m_arrays.clear(); }

    static constexpr std::size_t kMaxChunks = 8'000'000;
    static constexpr std::uint64_t kMaxText = std::uint64_t{96}
                                              << 20U; ///< limit on names and metadata

private:
    Result<StoredArray*> arrayNamed(std::string_view name);

    std::map<std::string, StoredArray, std::less<>> m_arrays;
    std::map<std::string, StoredArray, std::less<>>::iterator m_last = m_arrays.end();
    std::vector<std::int64_t> m_indices; ///< of the last classified key
    std::uint8_t m_keys = 0;             ///< the same: zarr::ChunkKeys
    std::size_t m_chunks = 0;
    std::uint64_t m_text = 0;
};

} // namespace cairn::formats::zarr_arrays
