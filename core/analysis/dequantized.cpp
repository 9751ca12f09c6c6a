// SPDX-License-Identifier: Apache-2.0
//
// Statistics, previews, differences and exports work on elements of whole bytes. Rather than teach
// each of them blocks, a quantised tensor is shown to them as a float32 tensor whose pieces have a
// codec of their own: it finds the stored blocks as the original would, and its source decodes
// those that a read touches. Nothing is decoded ahead or kept.
#include "core/analysis/dequantized.h"

#include "core/compute/dequantize.h"
#include "core/model/block_numbers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kChunkBlocks = 256; // blocks decoded at a time: at most 256 KiB

/// Float32 elements of a dense run of blocks.
class DequantizedSource final : public ByteSource {
public:
    DequantizedSource(ByteSourcePtr stored, ByteRange range, Dtype dtype, bool bigEndian)
        : m_stored(std::move(stored)), m_range(range), m_dtype(dtype), m_bigEndian(bigEndian),
          m_blockBytes(dtypeInfo(dtype).blockBytes),
          m_decodedBytes(std::uint64_t{dtypeInfo(dtype).blockElements} * sizeof(float)) {}

    std::uint64_t size() const override { return m_range.length / m_blockBytes * m_decodedBytes; }
    const std::string& name() const override { return m_stored->name(); }
    Result<void> checkUnchanged() const override { return m_stored->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the decoded elements")
                .inFile(name());
        }
        std::vector<std::byte> blocks;
        std::vector<float> numbers;
        while (!out.empty()) {
            const std::uint64_t first = offset / m_decodedBytes;
            const std::uint64_t end = (offset + out.size() + m_decodedBytes - 1) / m_decodedBytes;
            const std::uint64_t count = std::min(end - first, kChunkBlocks);
            blocks.resize(static_cast<std::size_t>(count * m_blockBytes));
            numbers.resize(static_cast<std::size_t>(count * m_decodedBytes / sizeof(float)));
            CAIRN_CHECK(m_stored->readAt(m_range.offset + first * m_blockBytes, blocks));
            if (m_bigEndian) {
                swapBlockNumbers(m_dtype, blocks);
            }
            dequantize(m_dtype, blocks, numbers);
            const auto skipped = static_cast<std::size_t>(offset - first * m_decodedBytes);
            const auto decoded = std::as_bytes(std::span(numbers)).subspan(skipped);
            const std::size_t taken = std::min(decoded.size(), out.size());
            std::memcpy(out.data(), decoded.data(), taken);
            out = out.subspan(taken);
            offset += taken;
        }
        return {};
    }

private:
    ByteSourcePtr m_stored;
    ByteRange m_range;
    Dtype m_dtype;
    bool m_bigEndian;
    std::uint64_t m_blockBytes;
    std::uint64_t m_decodedBytes;
};

/// Wraps one codec of the original, for one dtype.
class DequantizeCodec final : public PieceCodec {
public:
    DequantizeCodec(std::shared_ptr<const PieceCodec> inner, Dtype stored)
        : m_inner(std::move(inner)), m_stored(stored),
          m_name((m_inner ? std::string(m_inner->name()) + "+dequantize " : "dequantize ") +
                 std::string(dtypeName(stored))) {}

    std::string_view name() const override { return m_name; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        CAIRN_TRY(const LocatedPiece stored, storedPiece(file, tensor, piece));
        const DtypeInfo& info = dtypeInfo(m_stored);
        const Dims& extent = piece.box.extent;
        const auto count = elementCount(extent);
        const bool whole = count && !extent.empty() && stored.strides.empty() &&
                           extent[extent.size() - 1] % info.blockElements == 0 &&
                           piece.box.origin[extent.size() - 1] % info.blockElements == 0;
        if (!whole) {
            return fail(ErrorCode::Unsupported,
                        "Quantised elements can only be read in complete blocks")
                .inTensor(tensor.name)
                .butFound(sentence("extent %1", formatDims(extent)));
        }
        const ByteRange range{stored.bytes.offset, dtypeBytes(m_stored, *count).value_or(0)};
        if (range.length > stored.bytes.length || !range.fitsInto(stored.source->size())) {
            return fail(ErrorCode::Truncated, "Too few stored blocks for the tensor's shape")
                .inFile(stored.source->name())
                .inTensor(tensor.name)
                .at(stored.bytes.offset)
                .butFound(sentence("%1 bytes", stored.bytes.length))
                .expecting(verbatim(std::to_string(range.length)));
        }
        LocatedPiece located;
        located.source = std::make_shared<DequantizedSource>(stored.source, range, m_stored,
                                                             stored.flags.swapBytes);
        located.bytes = {0, located.source->size()};
        return located;
    }

private:
    Result<LocatedPiece> storedPiece(const ByteSourcePtr& file, const TensorEntry& tensor,
                                     const Piece& piece) const {
        if (!m_inner) {
            return LocatedPiece{file, piece.bytes, piece.strides, piece.flags, {}, {}};
        }
        TensorEntry stored = tensor;
        stored.dtype = m_stored;
        return m_inner->locate(file, stored, piece);
    }

    std::shared_ptr<const PieceCodec> m_inner;
    Dtype m_stored;
    std::string m_name;
};

/// Replaces block dtypes by float32; creates each codec once.
class Replacer {
public:
    explicit Replacer(CheckpointData& data) : m_data(data) {}

    void replace(TensorEntry& tensor) {
        if (!canDequantize(tensor.dtype)) {
            return;
        }
        for (Piece& piece : tensor.pieces) {
            piece.codec = codecFor(piece.codec, tensor.dtype);
        }
        tensor.dtype = Dtype::Float32;
    }

private:
    CodecId codecFor(CodecId inner, Dtype dtype) {
        const auto [known, fresh] = m_codecs.try_emplace({inner, dtype}, CodecId{0});
        if (fresh) {
            known->second =
                m_data.addCodec(std::make_shared<DequantizeCodec>(m_data.codecs[inner], dtype));
        }
        return known->second;
    }

    CheckpointData& m_data;
    std::map<std::pair<CodecId, Dtype>, CodecId> m_codecs;
};

} // namespace

bool hasBlocks(const Checkpoint& checkpoint) {
    return std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
        return dtypeInfo(tensor.dtype).isBlock();
    });
}

CheckpointPtr dequantizedView(const Checkpoint& checkpoint) {
    if (!hasBlocks(checkpoint)) {
        return nullptr;
    }
    CheckpointData data = checkpoint.data();
    Replacer replacer(data);
    for (TensorEntry& tensor : data.tensors) {
        replacer.replace(tensor);
    }
    return Checkpoint::make(std::move(data));
}

TensorNumbers::TensorNumbers(const Checkpoint& checkpoint, const TensorEntry& tensor)
    : m_checkpoint(&checkpoint), m_tensor(&tensor) {
    if (!dtypeInfo(tensor.dtype).isBlock()) {
        return;
    }
    CheckpointData data;
    data.format = checkpoint.format();
    data.path = checkpoint.path();
    data.files = checkpoint.data().files;
    data.codecs = checkpoint.data().codecs;
    data.tensors.push_back(tensor);
    data.tensors.front().aliasOf.reset();
    Replacer(data).replace(data.tensors.front());
    m_view = Checkpoint::make(std::move(data));
    m_checkpoint = m_view.get();
    m_tensor = &m_view->tensors().front();
}

} // namespace cairn
