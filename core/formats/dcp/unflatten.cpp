// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/unflatten.h"

#include "core/formats/common/members/flat_range.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::size_t kMaxFiles = 50'000; ///< each needs a separate codec

/// A chunk as stored in one file: elements [first, first + count) of a block.
struct StoredChunk {
    std::uint64_t offset = 0; ///< of the item in the file
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::uint32_t tensor = 0;        ///< index in StoredShapes
    CodecId codec = kTorchSaveCodec; ///< that locates the item's elements
};

/// The shapes in the index and the codecs of the format, shared by all files.
struct StoredShapes {
    std::vector<Shape> shapes;
    std::vector<std::shared_ptr<const PieceCodec>> codecs;
};

/// The shape of the blocks in the grid's cells; empty: the shapes do not match.
std::optional<Shape> blockShape(const Shape& stored, const Shape& whole) {
    if (stored.size() != whole.size() + 1) {
        return std::nullopt;
    }
    Shape block = whole;
    for (std::size_t d = 0; d < whole.size(); ++d) {
        if (stored[d] <= 0 || whole[d] % stored[d] != 0) {
            return std::nullopt;
        }
        block[d] = whole[d] / stored[d];
    }
    const auto elements = elementCount(block);
    const auto last = static_cast<std::uint64_t>(stored[whole.size()]);
    return elements == last ? std::optional(std::move(block)) : std::nullopt;
}

/// Whether a chunk is a run in one cell.
bool isRun(const Box& box) {
    for (std::size_t d = 0; d + 1 < box.extent.size(); ++d) {
        if (box.extent[d] != 1) {
            return false;
        }
    }
    return true;
}

/// Locates a piece within its stored chunk. One for each file.
class RunCodec final : public PieceCodec {
public:
    explicit RunCodec(std::shared_ptr<const StoredShapes> shared) : m_shared(std::move(shared)) {}

    void add(const StoredChunk& chunk) { m_chunks.push_back(chunk); }
    void sort() { std::ranges::sort(m_chunks, {}, &StoredChunk::offset); }

    std::string_view name() const override { return "torch.save, flattened"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const auto chunk =
            std::ranges::lower_bound(m_chunks, piece.bytes.offset, {}, &StoredChunk::offset);
        if (chunk == m_chunks.end() || chunk->offset != piece.bytes.offset) {
            return unknown(*file, piece);
        }
        const Shape& stored = m_shared->shapes[chunk->tensor];
        const auto block = blockShape(stored, tensor.shape);
        const auto skip = block ? skipped(*chunk, *block, piece) : std::nullopt;
        if (!skip) {
            return unknown(*file, piece);
        }
        CAIRN_TRY(LocatedPiece located,
                  m_shared->codecs[chunk->codec]->locate(
                      file, {tensor.name, tensor.dtype, stored, tensor.role, {}, {}},
                      completeChunk(*chunk, *block, piece)));
        return partOf(std::move(located), *skip, tensor.dtype, piece, *file);
    }

private:
    static Error unknown(const ByteSource& file, const Piece& piece) {
        return fail(ErrorCode::Internal, "Unknown flattened chunk")
            .inFile(file.name())
            .at(piece.bytes.offset);
    }

    /// Number of the chunk's elements before the piece's first one.
    static std::optional<std::uint64_t> skipped(const StoredChunk& chunk, const Shape& block,
                                                const Piece& piece) {
        const Strides strides = denseStrides(block);
        std::int64_t at = 0;
        for (std::size_t d = 0; d < block.size(); ++d) {
            at += piece.box.origin[d] % block[d] * strides[d];
        }
        return at < chunk.first ? std::nullopt
                                : std::optional(static_cast<std::uint64_t>(at - chunk.first));
    }

    static Piece completeChunk(const StoredChunk& chunk, const Shape& block, const Piece& piece) {
        const std::size_t rank = block.size();
        Piece whole{{Dims(rank + 1, 0), Dims(rank + 1, 1)},
                    piece.file,
                    piece.bytes,
                    {},
                    chunk.codec,
                    piece.flags};
        for (std::size_t d = 0; d < rank; ++d) {
            whole.box.origin[d] = piece.box.origin[d] / block[d];
        }
        whole.box.origin[rank] = chunk.first;
        whole.box.extent[rank] = chunk.count;
        return whole;
    }

    static Result<LocatedPiece> partOf(LocatedPiece located, std::uint64_t skip, Dtype dtype,
                                       const Piece& piece, const ByteSource& file) {
        const std::uint64_t element = dtypeBytes(dtype, 1).value_or(0);
        const std::uint64_t count = elementCount(piece.box.extent).value_or(0);
        const std::int64_t stride =
            located.strides.empty() ? 1 : located.strides[located.strides.size() - 1];
        const auto step = checkedMul(static_cast<std::uint64_t>(stride), element);
        const auto first = step ? checkedMul(*step, skip) : std::nullopt;
        const auto before = step && count > 0 ? checkedMul(*step, count - 1) : std::nullopt;
        if (stride <= 0 || !first || !before ||
            !ByteRange{*first, *before + element}.fitsInto(located.bytes.length)) {
            return fail(ErrorCode::Truncated, "The item ends before the end of this tensor's data")
                .inFile(file.name())
                .at(piece.bytes.offset);
        }
        located.bytes = {located.bytes.offset + *first, *before + element};
        located.strides = stride == 1 ? Strides() : denseStrides(piece.box.extent);
        for (std::size_t d = 0; d < located.strides.size(); ++d) {
            located.strides[d] *= stride;
        }
        return located;
    }

    std::shared_ptr<const StoredShapes> m_shared;
    std::vector<StoredChunk> m_chunks; ///< by offset
};

class Unflattener {
public:
    explicit Unflattener(CheckpointData& data)
        : m_data(data), m_shared(std::make_shared<StoredShapes>()) {
        m_shared->codecs = data.codecs;
    }

    /// On false nothing was changed.
    bool reshape(TensorEntry& tensor, const Shape& whole) {
        const auto block = blockShape(tensor.shape, whole);
        const bool runs = std::ranges::all_of(tensor.pieces, [](const Piece& piece) {
            return isRun(piece.box) &&
                   (piece.codec == kTorchSaveCodec || piece.codec == kZstdCodec);
        });
        if (!block || !runs || dtypeInfo(tensor.dtype).bits % 8 != 0) {
            return false;
        }
        const std::size_t last = whole.size();
        std::vector<Piece> pieces;
        for (const Piece& piece : tensor.pieces) {
            const std::int64_t first = piece.box.origin[last];
            const std::int64_t count = piece.box.extent[last];
            const CodecId codec = codecOf(piece.file);
            m_codecs.at(piece.file.value)
                .second->add({piece.bytes.offset, first, count,
                              static_cast<std::uint32_t>(m_shared->shapes.size()), piece.codec});
            for (Box& box : boxesOfRun(*block, static_cast<std::uint64_t>(first),
                                       static_cast<std::uint64_t>(count))) {
                for (std::size_t d = 0; d < last; ++d) {
                    box.origin[d] += piece.box.origin[d] * (*block)[d];
                }
                pieces.push_back({std::move(box), piece.file, piece.bytes, {}, codec, piece.flags});
            }
        }
        m_shared->shapes.push_back(tensor.shape);
        tensor.pieces = std::move(pieces);
        tensor.shape = whole;
        return true;
    }

    void finish() {
        for (auto& [file, codec] : m_codecs) {
            codec.second->sort();
        }
    }

private:
    CodecId codecOf(FileIndex file) {
        const auto [known, fresh] = m_codecs.try_emplace(file.value);
        if (fresh) {
            known->second.second = std::make_shared<RunCodec>(m_shared);
            known->second.first = m_data.addCodec(known->second.second);
        }
        return known->second.first;
    }

    CheckpointData& m_data;
    std::shared_ptr<StoredShapes> m_shared;
    std::unordered_map<std::uint32_t, std::pair<CodecId, std::shared_ptr<RunCodec>>> m_codecs;
};

} // namespace

void unflatten(CheckpointData& data, std::span<const ReshapedTensor> reshaped) {
    if (reshaped.empty()) {
        return;
    }
    std::unordered_map<std::string_view, const Shape*> shapes;
    for (const ReshapedTensor& each : reshaped) {
        shapes.emplace(each.name, &each.shape);
    }
    Unflattener unflattener(data);
    std::size_t left = 0;
    std::string first;
    for (TensorEntry& tensor : data.tensors) {
        const auto known = shapes.find(tensor.name);
        if (known != shapes.end() && tensor.shape != *known->second &&
            (data.files.size() > kMaxFiles || !unflattener.reshape(tensor, *known->second))) {
            first = left++ == 0 ? tensor.name : first;
        }
    }
    unflattener.finish();
    if (left > 0) {
        data.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::Unsupported,
                  "Megatron stored tensors in a flattened form; shapes are as stored")
                 .inField("mcore_data")
                 .inTensor(first)
                 .butFound(sentence("%1 of them do not match their original shapes", left))});
    }
}

} // namespace cairn::formats::dcp
