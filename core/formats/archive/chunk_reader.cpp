// SPDX-License-Identifier: Apache-2.0
#include "core/formats/archive/chunk_reader.h"

#include "core/codec/crc32c/crc32c.h"
#include "core/codec/planes/planes.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::formats::archive {
namespace {

using cairn::archive::ChunkRow;
using cairn::archive::kSameChunk;
using cairn::archive::TensorKind;
using cairn::archive::TensorRow;

constexpr std::uint64_t kKeptBytes = std::uint64_t{16} << 20U;

using Chunk = std::shared_ptr<const std::vector<std::byte>>;

/// Working memory for one read.
struct ReadBuffers {
    planes::Unpacker unpacker;
    std::vector<std::byte> stored;
    std::vector<std::byte> earlier;
    TensorReader::Scratch scratch;
};

/// State shared by all tensors of an archive. Any thread.
class Shared {
public:
    Shared(cairn::archive::Opened archive, std::shared_ptr<EarlierCheckpoint> earlier)
        : m_archive(std::move(archive)), m_earlier(std::move(earlier)) {}

    [[nodiscard]] const cairn::archive::Opened& archive() const { return m_archive; }
    [[nodiscard]] EarlierCheckpoint* earlier() const { return m_earlier.get(); }

    std::unique_ptr<ReadBuffers> takeBuffers() {
        const std::scoped_lock lock(m_mutex);
        if (m_idle.empty()) {
            return std::make_unique<ReadBuffers>();
        }
        auto buffers = std::move(m_idle.back());
        m_idle.pop_back();
        return buffers;
    }
    void returnBuffers(std::unique_ptr<ReadBuffers> buffers) {
        const std::scoped_lock lock(m_mutex);
        m_idle.push_back(std::move(buffers));
    }

    Chunk kept(std::uint64_t chunk) {
        const std::scoped_lock lock(m_mutex);
        const auto found = std::find_if(m_kept.begin(), m_kept.end(),
                                        [&](const auto& item) { return item.first == chunk; });
        if (found == m_kept.end()) {
            return nullptr;
        }
        m_kept.splice(m_kept.begin(), m_kept, found);
        return found->second;
    }
    void keep(std::uint64_t chunk, Chunk content) {
        const std::scoped_lock lock(m_mutex);
        m_bytes += content->size();
        m_kept.emplace_front(chunk, std::move(content));
        while (m_bytes > kKeptBytes && m_kept.size() > 1) {
            m_bytes -= m_kept.back().second->size();
            m_kept.pop_back();
        }
    }

private:
    const cairn::archive::Opened m_archive;
    const std::shared_ptr<EarlierCheckpoint> m_earlier;
    std::mutex m_mutex; ///< guards the following members
    std::vector<std::unique_ptr<ReadBuffers>> m_idle;
    std::list<std::pair<std::uint64_t, Chunk>> m_kept; ///< most recently used first
    std::uint64_t m_bytes = 0;
};

/// ReadBuffers from the idle ones, returned to them when the read ends.
class BufferLease {
public:
    explicit BufferLease(Shared& shared) : m_shared(shared), m_buffers(shared.takeBuffers()) {}
    BufferLease(const BufferLease&) = delete;
    BufferLease& operator=(const BufferLease&) = delete;
    ~BufferLease() { m_shared.returnBuffers(std::move(m_buffers)); }
    ReadBuffers& operator*() { return *m_buffers; }

private:
    Shared& m_shared;
    std::unique_ptr<ReadBuffers> m_buffers;
};

/// The same tensor in the earlier checkpoint.
struct Base {
    CheckpointPtr checkpoint; ///< keeps the reader's data alive
    TensorReader reader;
};

/// The elements of one tensor in C order.
class Elements final : public ByteSource {
public:
    Elements(ByteSourcePtr file, std::shared_ptr<Shared> shared, const TensorRow& row)
        : m_file(std::move(file)), m_shared(std::move(shared)), m_row(row) {}

    std::uint64_t size() const override { return m_row.bytes; }
    const std::string& name() const override { return m_file->name(); }
    FileIdentity identity() const override { return m_file->identity(); }
    Result<void> checkUnchanged() const override { return m_file->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(m_row.bytes)) {
            return fail(ErrorCode::Truncated, "The read extends beyond the tensor")
                .inFile(name())
                .inTensor(m_row.name);
        }
        BufferLease buffers(*m_shared);
        while (!out.empty()) {
            const std::uint64_t number = offset / chunkBytes();
            const ByteRange range = rangeOf(number);
            const std::uint64_t within = offset - range.offset;
            const auto count = static_cast<std::size_t>(
                std::min<std::uint64_t>(range.length - within, out.size()));
            if (count == range.length) {
                CAIRN_CHECK(unpack(number, out.first(count), *buffers));
            } else {
                CAIRN_TRY(const Chunk chunk, completeChunk(number, *buffers));
                std::memcpy(out.data(), chunk->data() + within, count);
            }
            offset += count;
            out = out.subspan(count);
        }
        return {};
    }

private:
    [[nodiscard]] std::uint64_t chunkBytes() const { return m_shared->archive().index.chunkBytes; }
    /// Byte range of a chunk's elements in the tensor.
    [[nodiscard]] ByteRange rangeOf(std::uint64_t number) const {
        const std::uint64_t begin = number * chunkBytes();
        return {begin, std::min(chunkBytes(), m_row.bytes - begin)};
    }

    Result<Chunk> completeChunk(std::uint64_t number, ReadBuffers& buffers) const {
        const std::uint64_t key = m_row.firstChunk + number;
        if (Chunk chunk = m_shared->kept(key)) {
            return chunk;
        }
        auto bytes = std::make_shared<std::vector<std::byte>>(
            static_cast<std::size_t>(rangeOf(number).length));
        CAIRN_CHECK(unpack(number, *bytes, buffers));
        m_shared->keep(key, bytes);
        return Chunk(std::move(bytes));
    }

    Result<void> unpack(std::uint64_t number, std::span<std::byte> out,
                        ReadBuffers& buffers) const {
        const auto chunk = static_cast<std::size_t>(m_row.firstChunk + number);
        const ChunkRow& row = m_shared->archive().index.chunks[chunk];
        const std::uint64_t at = m_shared->archive().offsets[chunk];
        buffers.stored.resize(row.stored);
        CAIRN_CHECK(m_file->readAt(at, buffers.stored));
        if (crc32c(0, buffers.stored) != row.crc) {
            return fail(ErrorCode::BadChecksum, "CRC-32C mismatch")
                .inFile(name())
                .inTensor(m_row.name)
                .at(at)
                .withHint("The file was damaged after it was written; copy it again");
        }
        if (m_row.kind == TensorKind::Delta) {
            return addToEarlier(number, row, out, buffers);
        }
        return decode(at, out, buffers);
    }

    Result<void> decode(std::uint64_t at, std::span<std::byte> out, ReadBuffers& buffers) const {
        auto decoded = buffers.unpacker.unpack(m_row.form, buffers.stored, out);
        if (!decoded) {
            Error error = std::move(decoded).error();
            at += error.where.offset.value_or(0);
            return std::move(error).inFile(name()).inTensor(m_row.name).at(at);
        }
        return {};
    }

    Result<void> addToEarlier(std::uint64_t number, const ChunkRow& row, std::span<std::byte> out,
                              ReadBuffers& buffers) const {
        CAIRN_TRY(const Base* base, earlierTensor());
        const Box whole = Box::whole(Shape(m_row.shape));
        const std::uint64_t first = rangeOf(number).offset;
        if (buffers.stored.size() == 1 && buffers.stored.front() == kSameChunk) {
            CAIRN_CHECK(base->reader.readBytes(whole, first, out, buffers.scratch));
        } else {
            const std::uint64_t at = m_shared->archive().offsets[m_row.firstChunk + number];
            CAIRN_CHECK(decode(at, out, buffers));
            buffers.earlier.resize(out.size());
            CAIRN_CHECK(base->reader.readBytes(whole, first, buffers.earlier, buffers.scratch));
            planes::takeSteps(m_row.form.bytes, out, buffers.earlier);
        }
        if (crc32c(0, out) != row.content) {
            return notTheSame("different elements");
        }
        return {};
    }

    Error notTheSame(Sentence found) const {
        return fail(ErrorCode::BadChecksum, "The earlier checkpoint is not the base of this delta")
            .inFile(m_shared->earlier()->path())
            .inTensor(m_row.name)
            .butFound(std::move(found))
            .withHint("Find the checkpoint that the archive was packed against");
    }

    Result<const Base*> earlierTensor() const {
        const std::scoped_lock lock(m_mutex);
        if (!m_base) {
            CAIRN_TRY(CheckpointPtr earlier, m_shared->earlier()->open());
            const auto index = earlier->find(m_row.name);
            if (!index) {
                return notTheSame("no tensor with this name");
            }
            const TensorEntry& tensor = earlier->tensor(*index);
            if (tensor.shape != Shape(m_row.shape) || dtypeName(tensor.dtype) != m_row.dtype) {
                return notTheSame(
                    sentence("%1 %2", dtypeName(tensor.dtype), formatDims(tensor.shape)));
            }
            CAIRN_TRY(TensorReader reader, TensorReader::open(*earlier, tensor));
            m_base.emplace(Base{std::move(earlier), std::move(reader)});
        }
        return &*m_base;
    }

    ByteSourcePtr m_file;
    std::shared_ptr<Shared> m_shared;
    const TensorRow& m_row; ///< in m_shared
    mutable std::mutex m_mutex;
    mutable std::optional<Base> m_base; ///< set once, then only read
};

class ChunkCodec final : public PieceCodec {
public:
    explicit ChunkCodec(std::shared_ptr<Shared> shared) : m_shared(std::move(shared)) {
        const auto& archive = m_shared->archive();
        for (const TensorRow& row : archive.index.tensors) {
            if (row.bytes != 0) { // then it has chunks, and an offset
                m_rows.emplace_back(archive.offsets[static_cast<std::size_t>(row.firstChunk)],
                                    &row);
            }
        }
    }

    std::string_view name() const override { return "byte planes"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const auto found = std::ranges::lower_bound(m_rows, piece.bytes.offset, {},
                                                    [](const auto& item) { return item.first; });
        if (found == m_rows.end() || found->first != piece.bytes.offset) {
            return fail(ErrorCode::Internal, "No tensor begins at this offset of the archive")
                .inTensor(tensor.name);
        }
        LocatedPiece located;
        located.source = std::make_shared<const Elements>(file, m_shared, *found->second);
        located.bytes = {0, found->second->bytes};
        located.flags = piece.flags;
        return located;
    }

private:
    std::shared_ptr<Shared> m_shared;
    std::vector<std::pair<std::uint64_t, const TensorRow*>>
        m_rows; ///< in ascending order of offsets
};

} // namespace

std::shared_ptr<const PieceCodec> makeChunkCodec(cairn::archive::Opened archive,
                                                 std::shared_ptr<EarlierCheckpoint> earlier) {
    return std::make_shared<const ChunkCodec>(
        std::make_shared<Shared>(std::move(archive), std::move(earlier)));
}

} // namespace cairn::formats::archive
