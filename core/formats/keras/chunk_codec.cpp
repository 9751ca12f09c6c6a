// SPDX-License-Identifier: Apache-2.0
#include "core/formats/keras/chunk_codec.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

namespace cairn::formats::keras {
namespace {

constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 30U;

/// Decodes its chunk on the first read and keeps it during its lifetime.
class ChunkSource : public ByteSource {
public:
    ChunkSource(ByteSourcePtr file, ByteRange stored, std::vector<hdf5::Filter> filters,
                std::uint32_t skipped, std::uint64_t size)
        : m_file(std::move(file)), m_stored(stored), m_filters(std::move(filters)),
          m_skipped(skipped), m_size(size) {}

    std::uint64_t size() const override { return m_size; }
    const std::string& name() const override { return m_file->name(); }
    FileIdentity identity() const override { return m_file->identity(); }
    Result<void> checkUnchanged() const override { return m_file->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(m_size)) {
            return fail(ErrorCode::Truncated, "The read extends beyond the chunk").inFile(name());
        }
        const std::scoped_lock lock(m_mutex);
        if (!m_decoded) {
            CAIRN_TRY(std::vector<std::byte> bytes, readRange(*m_file, m_stored));
            auto decoded = hdf5::undoFilters(std::move(bytes), m_filters, m_skipped, m_size);
            if (!decoded) {
                return std::move(decoded).error().inFile(name()).at(m_stored.offset);
            }
            m_decoded = std::move(*decoded);
        }
        std::memcpy(out.data(), m_decoded->data() + offset, out.size());
        return {};
    }

private:
    ByteSourcePtr m_file;
    ByteRange m_stored;
    std::vector<hdf5::Filter> m_filters;
    std::uint32_t m_skipped;
    std::uint64_t m_size;
    mutable std::mutex m_mutex; ///< guards m_decoded
    mutable std::optional<std::vector<std::byte>> m_decoded;
};

class ChunkCodec : public PieceCodec {
public:
    explicit ChunkCodec(const hdf5::Dataset& dataset)
        : m_filters(dataset.filters), m_strides(denseStrides(Dims(dataset.chunk))),
          m_elements(elementCount(Dims(dataset.chunk)).value_or(0)),
          m_element(dataset.elementBytes) {
        for (const hdf5::Chunk& chunk : dataset.chunks) {
            m_skipped[chunk.bytes.offset] = chunk.skipped;
        }
    }

    std::string_view name() const override {
        return m_filters.empty() ? "hdf5 chunk" : "hdf5 filters";
    }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const auto size = checkedMul(m_elements, m_element);
        if (!size || *size > kMaxChunk) {
            return fail(ErrorCode::LimitExceeded, "A chunk is too large to be decompressed")
                .inTensor(tensor.name)
                .expecting(sentence("at most %1 bytes", kMaxChunk));
        }
        const auto skipped = m_skipped.find(piece.bytes.offset);
        LocatedPiece located;
        located.source = std::make_shared<const ChunkSource>(
            file, piece.bytes, m_filters, skipped == m_skipped.end() ? 0 : skipped->second, *size);
        std::uint64_t span = 1; // a chunk at the border extends beyond the array
        for (std::size_t d = 0; d < piece.box.extent.size(); ++d) {
            span += static_cast<std::uint64_t>((piece.box.extent[d] - 1) * m_strides[d]);
        }
        located.bytes = {0, span * m_element};
        located.strides = m_strides;
        located.flags = piece.flags;
        const std::uint32_t skips = skipped == m_skipped.end() ? 0 : skipped->second;
        for (std::size_t i = 0; i < m_filters.size(); ++i) {
            const bool applied = i >= 32 || (skips >> i & 1U) == 0;
            located.comparesItself =
                located.comparesItself || (applied && hdf5::comparesChecksum(m_filters[i]));
        }
        return located;
    }

private:
    std::vector<hdf5::Filter> m_filters;
    Strides m_strides;
    std::uint64_t m_elements;
    std::uint64_t m_element;
    std::map<std::uint64_t, std::uint32_t> m_skipped; ///< by the chunk's offset
};

} // namespace

std::shared_ptr<const PieceCodec> makeChunkCodec(const hdf5::Dataset& dataset) {
    return std::make_shared<const ChunkCodec>(dataset);
}

} // namespace cairn::formats::keras
