// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/archives/deflate_codec.h"

#include <algorithm>
#include <vector>

namespace cairn::formats {

class DeflatedEntries {
public:
    explicit DeflatedEntries(ZipArchive zip) : m_zip(std::move(zip)) {
        for (const ZipEntry& entry : m_zip.entries()) {
            m_byHeader.push_back(&entry);
        }
        std::ranges::sort(m_byHeader, {}, &ZipEntry::localHeaderOffset);
    }

    const ZipArchive& zip() const { return m_zip; }

    /// The directory need not be in the order of the data, so entries are looked up by data offset.
    const ZipEntry* find(std::uint64_t dataOffset) const {
        const auto after =
            std::ranges::lower_bound(m_byHeader, dataOffset, {}, &ZipEntry::localHeaderOffset);
        return after == m_byHeader.begin() ? nullptr : *(after - 1);
    }

private:
    ZipArchive m_zip;
    std::vector<const ZipEntry*> m_byHeader;
};

namespace {

/// Bytes from the first element to the end of the last one.
std::uint64_t spanOf(Dtype dtype, const Dims& extent, const Strides& strides) {
    if (elementCount(extent).value_or(0) == 0) {
        return 0;
    }
    std::uint64_t span = 1;
    for (std::size_t d = 0; d < extent.size(); ++d) {
        span += static_cast<std::uint64_t>((extent[d] - 1) * strides[d]);
    }
    return dtypeBytes(dtype, span).value_or(0);
}

class DeflateCodec : public PieceCodec {
public:
    DeflateCodec(DeflatedPtr entries, std::uint64_t firstByte)
        : m_entries(std::move(entries)), m_firstByte(firstByte) {}

    std::string_view name() const override { return "deflate"; }

    Result<LocatedPiece> locate(const ByteSourcePtr&, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const ZipEntry* entry = m_entries->find(piece.bytes.offset);
        if (entry == nullptr) {
            return fail(ErrorCode::TorchMissingRecord,
                        "No record at the offset of the tensor's data")
                .at(piece.bytes.offset)
                .inTensor(tensor.name);
        }
        LocatedPiece located;
        CAIRN_TRY(located.source, m_entries->zip().openEntry(*entry));
        const Strides strides =
            piece.strides.empty() ? denseStrides(piece.box.extent) : piece.strides;
        located.bytes = {m_firstByte, spanOf(tensor.dtype, piece.box.extent, strides)};
        located.strides = piece.strides;
        located.flags = piece.flags;
        if (entry->crc32 != 0) {
            located.crc32 = entry->crc32;
            located.crcRange = {0, entry->size};
        }
        return located;
    }

private:
    DeflatedPtr m_entries;
    std::uint64_t m_firstByte;
};

} // namespace

DeflatedPtr indexDeflated(const ZipArchive& zip) {
    return std::make_shared<const DeflatedEntries>(zip);
}

std::shared_ptr<const PieceCodec> makeDeflateCodec(DeflatedPtr entries, std::uint64_t firstByte) {
    return std::make_shared<const DeflateCodec>(std::move(entries), firstByte);
}

} // namespace cairn::formats
