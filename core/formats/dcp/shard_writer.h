// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/formats/dcp/dims_hash.h"
#include "core/model/output_layout.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// Writes items to the files of a distributed checkpoint. Private to this folder.
namespace cairn::formats::dcp {

/// Location of an item for _StorageInfo.
inline constexpr std::uint32_t kNoSegment = 0xFFFF'FFFF;
struct StoredItem {
    std::uint32_t file = 0;             ///< index in ShardWriter::files()
    std::uint32_t segment = kNoSegment; ///< for a chunk with elements: index in OutputFile::tensors
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// The archive around a chunk's elements, which is the same for all chunks of one dtype and shape.
struct ChunkArchive {
    std::shared_ptr<const std::vector<std::byte>> head; ///< up to the first element
    std::shared_ptr<const std::vector<std::byte>>
        tail; ///< from the end of the last element, with zero padding to a multiple of 64
    std::uint64_t dataBytes = 0;
    std::uint64_t length = 0; ///< without that padding
    std::size_t headCrc = 0;  ///< offset of the checksum in `head`
    std::size_t tailCrc = 0;  ///< offset of the checksum in `tail`
};

/// Fills `__<rank>_<i>.distcp` files from front to back. One object per layout.
class ShardWriter {
public:
    /// `maxFileBytes`: a rank continues in another file when one is full; 0: one file per rank.
    /// `tensors`: expected number of chunks per rank.
    ShardWriter(std::uint32_t ranks, std::uint64_t maxFileBytes, std::size_t tensors);

    /// Adds an item; its tensors, if any, are in `archive` (layOutTorchArchive).
    StoredItem add(std::uint32_t rank, OutputFile archive);

    /// Adds a chunk of a tensor. Elements begin at a multiple of 64 in the file, those of large
    /// chunks at a multiple of 4096, so that they can be read with direct I/O and shared by file
    /// systems that support it. Fails: DtypeNotRepresentable, LimitExceeded.
    Result<StoredItem> add(std::uint32_t rank, const LayoutTensor& tensor, const Box& box);

    [[nodiscard]] std::span<const OutputFile> files() const { return m_files; }

    /// The files that contain an item, rank by rank.
    std::vector<OutputFile> take() &&;

private:
    struct Rank {
        std::vector<std::uint32_t> files; ///< indices in m_files
    };
    OutputFile& fileFor(std::uint32_t rank, std::uint64_t bytes, std::uint32_t& index);
    Result<const ChunkArchive*> archiveFor(const LayoutTensor& tensor, const Shape& extent);
    /// Index of the archive's head in the file's contents; the tail follows it.
    std::uint32_t contentOf(std::uint32_t file, const ChunkArchive& archive);
    static void addZeros(OutputFile& file, std::uint64_t count);
    void addPadding(std::uint32_t file, std::uint64_t count);

    struct KnownContents {
        std::unordered_map<const ChunkArchive*, std::uint32_t> all;
        std::unordered_map<std::uint64_t, std::uint32_t> padding; ///< length → content
        const ChunkArchive* latest = nullptr;
        std::uint32_t content = 0; ///< of the latest archive
    };
    struct ArchiveKey {
        Dtype dtype{};
        Shape extent;
        friend bool operator==(const ArchiveKey&, const ArchiveKey&) = default;
    };
    struct ArchiveHash {
        std::size_t operator()(const ArchiveKey& key) const {
            return DimsHash()(key.extent) + static_cast<std::size_t>(key.dtype);
        }
    };

    std::uint64_t m_maxFileBytes;
    std::size_t m_reserve; ///< expected number of chunks per file
    std::vector<Rank> m_ranks;
    std::vector<OutputFile> m_files;
    std::vector<KnownContents> m_known; ///< by file; keys point into m_archives
    std::unordered_map<std::uint64_t, std::shared_ptr<const std::vector<std::byte>>> m_padding;
    std::unordered_map<ArchiveKey, ChunkArchive, ArchiveHash> m_archives;
    const std::pair<const ArchiveKey, ChunkArchive>* m_latest = nullptr; ///< points into m_archives
};

} // namespace cairn::formats::dcp
