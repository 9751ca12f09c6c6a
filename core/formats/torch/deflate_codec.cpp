// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/deflate_codec.h"

#include <algorithm>

namespace cairn::formats::torch {
namespace {

class DeflateCodec : public PieceCodec {
public:
    DeflateCodec(ZipArchive zip, std::uint64_t firstByte)
        : m_zip(std::move(zip)), m_firstByte(firstByte) {}

    std::string_view name() const override { return "deflate"; }

    Result<LocatedPiece> locate(const ByteSourcePtr&, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const ZipEntry* entry = find(piece.bytes.offset);
        if (entry == nullptr) {
            return fail(ErrorCode::TorchMissingRecord,
                        "No record begins where the tensor's bytes should")
                .at(piece.bytes.offset)
                .inTensor(tensor.name);
        }
        LocatedPiece located;
        CAIRN_TRY(located.source, m_zip.openEntry(*entry));
        std::uint64_t span = 1;
        const Strides strides = piece.strides.empty() ? denseStrides(tensor.shape) : piece.strides;
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            span += static_cast<std::uint64_t>((tensor.shape[i] - 1) * strides[i]);
        }
        located.bytes = {m_firstByte, dtypeBytes(tensor.dtype, span).value_or(0)};
        located.strides = piece.strides;
        located.flags = piece.flags;
        if (entry->crc32 != 0) {
            located.crc32 = entry->crc32;
            located.crcRange = {0, entry->size};
        }
        return located;
    }

private:
    /// The directory need not be in the order of the data; entries are few.
    const ZipEntry* find(std::uint64_t dataOffset) const {
        const ZipEntry* best = nullptr;
        for (const ZipEntry& entry : m_zip.entries()) {
            if (entry.localHeaderOffset < dataOffset &&
                (best == nullptr || entry.localHeaderOffset > best->localHeaderOffset)) {
                best = &entry;
            }
        }
        return best;
    }

    ZipArchive m_zip;
    std::uint64_t m_firstByte;
};

} // namespace

std::shared_ptr<const PieceCodec> makeDeflateCodec(const ZipArchive& zip, std::uint64_t firstByte) {
    return std::make_shared<const DeflateCodec>(zip, firstByte);
}

} // namespace cairn::formats::torch
