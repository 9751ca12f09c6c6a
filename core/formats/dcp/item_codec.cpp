// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_codec.h"

#include "core/base/visible_text.h"
#include "core/codec/zstd/zstd_source.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/formats/dcp/item_archive.h"
#include "core/formats/dcp/item_source.h"
#include "core/formats/dcp/known_items.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kMaxTensorPickle = std::uint64_t{1} << 20U;
/// A storage may be larger than its chunk (a view of a larger tensor, a padded FSDP buffer) by this
/// factor.
constexpr std::uint64_t kMaxSlack = 16;
constexpr std::uint64_t kMinDecoded = std::uint64_t{64} << 20U;

/// Number of elements from the first to the end of the last one; empty on overflow. REQUIRES: the
/// tensor is not empty.
std::optional<std::uint64_t> reach(const TorchTensor& tensor) {
    std::uint64_t last = 0;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const auto step = checkedMul(static_cast<std::uint64_t>(tensor.shape[d] - 1),
                                     static_cast<std::uint64_t>(tensor.strides[d]));
        const auto sum = step ? checkedAdd(last, *step) : std::nullopt;
        if (!sum) {
            return std::nullopt;
        }
        last = *sum;
    }
    return checkedAdd(last, 1);
}

Result<void> compareWithChunk(Dtype dtype, const Shape& shape, const TensorEntry& tensor,
                              const Piece& piece) {
    if (dtype != tensor.dtype) {
        return fail(ErrorCode::DcpItemMismatch,
                    "The shard has a different element type than the index records")
            .butFound(verbatim(std::string(dtypeName(dtype))))
            .expecting(verbatim(std::string(dtypeName(tensor.dtype))))
            .withHint("The shard and .metadata are from different saves");
    }
    if (shape != piece.box.extent) {
        return fail(ErrorCode::DcpItemMismatch,
                    "The shard contains a chunk with a different shape than the index records")
            .butFound(verbatim(formatDims(shape)))
            .expecting(verbatim(formatDims(piece.box.extent)))
            .withHint("The shard and .metadata are from different saves");
    }
    return {};
}

/// Byte range of the elements in the record, or the error that they do not fit.
Result<ByteRange> elementBytes(const TorchTensor& stored, std::uint64_t recordBytes) {
    const std::uint64_t bits = dtypeInfo(stored.dtype).bits;
    const auto reached = reach(stored);
    const bool packed = bits % 8 != 0;
    if (!reached ||
        (packed && (stored.offset != 0 || stored.strides != denseStrides(stored.shape)))) {
        return fail(ErrorCode::TorchBadTensor, "The item's strides are invalid")
            .butFound(verbatim(formatDims(stored.strides)));
    }
    const auto first =
        packed ? std::optional<std::uint64_t>(0) : checkedMul(stored.offset, bits / 8);
    const auto length = dtypeBytes(stored.dtype, *reached);
    if (!first || !length || !ByteRange{*first, *length}.fitsInto(recordBytes)) {
        return fail(ErrorCode::TorchStorageTooSmall,
                    "The stored elements end before the end of the tensor")
            .butFound(sentence("%1 bytes", recordBytes))
            .expecting(sentence("%1 elements from element %2", *reached, stored.offset));
    }
    return ByteRange{*first, *length};
}

/// "torchao.quantization.Int8Tensor", which torch rebuilds from several tensors; otherwise empty.
std::string classOf(const pickle::PickleGraph& graph) {
    const auto args = graph.items(graph.args(graph.root()));
    const bool rebuilt = graph.calleeName(graph.root()).name.starts_with("_rebuild_from_type");
    const pickle::GlobalName name =
        rebuilt && args.size() > 1 ? graph.global(args[1]) : pickle::GlobalName{};
    return name.name.empty() ? std::string()
                             : visibleText(std::string(name.module) + "." + std::string(name.name));
}

/// The single tensor of a chunk's archive.
Result<TorchTensor> readItemTensor(const pickle::PickleGraph& graph) {
    auto found = readTorchTensor(graph, graph.root());
    if (std::string own = found ? std::string() : classOf(graph); !own.empty()) {
        return fail(ErrorCode::DcpItemMismatch,
                    "The item is a tensor of a custom class, such as a quantised tensor")
            .butFound(verbatim(std::move(own)))
            .expecting("one plain tensor, as in the index")
            .withHint("Load it with the library of that class, and save it dequantised");
    }
    if (!found || (*found && !(*found)->storage)) {
        return fail(ErrorCode::DcpItemMismatch, "The item is not one plain tensor")
            .butFound(verbatim(std::string(graph.calleeName(graph.root()).name)))
            .expecting("torch._utils._rebuild_tensor_v2 or _v3");
    }
    return std::move(*found);
}

/// The source of an archive's elements, and the archive's offset in it.
struct Outer {
    ByteSourcePtr source;
    std::uint64_t base = 0;
};

LocatedPiece placed(ItemTensor tensor, const Outer& outer) {
    LocatedPiece located;
    located.source = outer.source;
    located.bytes = {outer.base + tensor.elements.offset, tensor.elements.length};
    located.strides = std::move(tensor.strides);
    located.flags = tensor.flags;
    if (tensor.crc32 != 0) {
        located.crc32 = tensor.crc32;
        located.crcRange = {outer.base + tensor.record.offset, tensor.record.length};
    }
    return located;
}

/// Locates the chunk by reading its archive. `known` may be null.
Result<LocatedPiece> readArchive(const Outer& outer, const std::shared_ptr<const ItemSource>& item,
                                 const TensorEntry& tensor, const Piece& piece, KnownItems* known) {
    CAIRN_TRY(const ItemArchive archive, openItemArchive(item, kMaxTensorPickle));
    CAIRN_TRY(TorchTensor stored, readItemTensor(archive.graph));
    CAIRN_CHECK(compareWithChunk(stored.dtype, stored.shape, tensor, piece));
    const std::string key(stored.storage->key);
    const ZipEntry* record = archive.storage(key);
    if (record == nullptr) {
        return fail(ErrorCode::TorchMissingRecord,
                    "The item's archive has no record of its elements")
            .expecting(sentence("%1data/%2", archive.prefix, key));
    }
    CAIRN_TRY(const ByteRange data, archive.zip.dataRange(*record));
    auto elements = elementBytes(stored, record->size);
    if (!elements) {
        return rebased(std::move(elements).error(), data.offset, item->name());
    }
    ItemTensor found;
    found.dtype = stored.dtype;
    found.flags = stored.flags;
    found.flags.swapBytes = archive.bigEndian && dtypeInfo(stored.dtype).componentBits > 8;
    if (stored.strides != denseStrides(stored.shape)) {
        found.strides = std::move(stored.strides);
    }
    if (!record->stored()) {
        CAIRN_TRY(auto inflated, archive.zip.openEntry(*record)); // compares the CRC-32
        found.elements = *elements;
        return placed(std::move(found), {std::move(inflated), 0});
    }
    if (record->size != data.length) {
        return fail(ErrorCode::ZipBadEntry,
                    "A stored entry has different compressed and uncompressed sizes")
            .at(record->localHeaderOffset);
    }
    found.shape = std::move(stored.shape);
    found.elements = {data.offset + elements->offset, elements->length};
    found.record = data;
    found.crc32 = record->crc32;
    if (known != nullptr) {
        known->keep(*item, archive, *record, found);
    }
    return placed(std::move(found), outer);
}

Result<ByteSourcePtr> sliceOf(const ByteSourcePtr& file, const Piece& piece) {
    if (!piece.bytes.fitsInto(file->size())) {
        return fail(ErrorCode::DcpItemBeyondFile, "The shard ends before the end of this item")
            .inFile(file->name())
            .at(piece.bytes.offset)
            .butFound(sentence("%1 bytes in the file", file->size()))
            .expecting(sentence("%1 bytes from that offset", piece.bytes.length))
            .withHint("Copy the shard again; this one is incomplete");
    }
    return makeSliceSource(file, piece.bytes);
}

Error unknownItem(const Piece& piece, const std::string& file) {
    return fail(ErrorCode::DcpItemMismatch, "No stored tensor at the offset that the index records")
        .inFile(file)
        .at(piece.bytes.offset)
        .expecting("a torch.save archive, which begins with PK\\3\\4")
        .withHint("The shard and .metadata are from different saves, or the shard was overwritten");
}

class TorchSaveCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "torch.save"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        CAIRN_TRY(ByteSourcePtr slice, sliceOf(file, piece));
        CAIRN_TRY(const auto item, makeItemSource(std::move(slice)));
        if (!looksLikeArchive(*item)) {
            return unknownItem(piece, file->name());
        }
        auto located = find({file, piece.bytes.offset}, item, tensor, piece);
        if (!located) {
            return rebased(std::move(located).error(), piece.bytes.offset, file->name());
        }
        return located;
    }

private:
    Result<LocatedPiece> find(const Outer& outer, const std::shared_ptr<const ItemSource>& item,
                              const TensorEntry& tensor, const Piece& piece) const {
        if (auto known = m_known.find(*item)) {
            CAIRN_CHECK(compareWithChunk(known->dtype, known->shape, tensor, piece));
            return placed(std::move(*known), outer);
        }
        return readArchive(outer, item, tensor, piece, &m_known);
    }

    mutable KnownItems m_known;
};

class ZstdCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "torch.save+zstd"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        CAIRN_TRY(ByteSourcePtr slice, sliceOf(file, piece));
        const std::uint64_t chunk =
            dtypeBytes(tensor.dtype, elementCount(piece.box.extent).value_or(0)).value_or(0);
        const std::uint64_t most =
            std::max(kMinDecoded, checkedMul(chunk, kMaxSlack).value_or(kMinDecoded));
        auto decoded = openZstd(std::move(slice), std::nullopt, most, CancelToken());
        if (!decoded) {
            return rebased(std::move(decoded).error(), piece.bytes.offset, file->name());
        }
        CAIRN_TRY(const auto item, makeItemSource(*decoded));
        if (!looksLikeArchive(*item)) {
            return unknownItem(piece, file->name());
        }
        auto located = readArchive({*decoded, 0}, item, tensor, piece, nullptr);
        if (!located) { // an offset in decoded content is not an offset in the file
            Error error = std::move(located).error();
            error.where.offset = piece.bytes.offset;
            error.where.file = file->name();
            return error;
        }
        return located;
    }
};

class UnknownCodec final : public PieceCodec {
public:
    explicit UnknownCodec(std::string transforms) : m_transforms(std::move(transforms)) {}
    std::string_view name() const override { return m_transforms; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& piece) const override {
        return fail(ErrorCode::DcpUnknownTransform, "The item is stored with an unknown transform")
            .inFile(file->name())
            .at(piece.bytes.offset)
            .butFound(verbatim(m_transforms))
            .expecting("stream.zstd/1");
    }

private:
    std::string m_transforms;
};

} // namespace

std::shared_ptr<const PieceCodec> makeTorchSaveCodec() {
    return std::make_shared<TorchSaveCodec>();
}

std::shared_ptr<const PieceCodec> makeZstdCodec() {
    return std::make_shared<ZstdCodec>();
}

std::shared_ptr<const PieceCodec> makeUnknownCodec(std::string transforms) {
    return std::make_shared<UnknownCodec>(std::move(transforms));
}

} // namespace cairn::formats::dcp
