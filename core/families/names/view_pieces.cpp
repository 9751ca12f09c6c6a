// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/view.h"

#include <algorithm>
#include <utility>

/// The pieces of a view: where its parts are in the files.
namespace cairn {
namespace {

/// First element and strides of a part, in elements of the located piece.
struct Placed {
    std::uint64_t first = 0;
    Strides strides;
    std::uint64_t span = 0; ///< elements from the first to one past the last
};

Placed placeOf(const ViewPart& part, const Strides& stored) {
    Placed placed;
    for (std::size_t d = 0; d < part.start.size(); ++d) {
        placed.first += static_cast<std::uint64_t>(part.start[d] * stored[d]);
    }
    std::vector<std::int64_t> strides;
    std::uint64_t last = 0;
    for (const ViewPart::Axis& axis : part.axes) {
        const std::int64_t stride =
            axis.source < 0 ? 0 : axis.step * stored[static_cast<std::size_t>(axis.source)];
        strides.push_back(stride);
        last += static_cast<std::uint64_t>((axis.extent - 1) * stride);
    }
    placed.strides = Strides(strides);
    placed.span = last + 1;
    return placed;
}

Box boxOf(const ViewPart& part) {
    std::vector<std::int64_t> origins;
    std::vector<std::int64_t> extents;
    for (const ViewPart::Axis& axis : part.axes) {
        origins.push_back(axis.origin);
        extents.push_back(axis.extent);
    }
    return {Dims(origins), Dims(extents)};
}

/// Whether strides are those of a dense box; dimensions of extent 1 have any.
bool areDense(const Dims& extent, const Strides& strides) {
    std::int64_t dense = 1;
    for (std::size_t d = extent.size(); d-- > 0;) {
        if (extent[d] != 1 && strides[d] != dense) {
            return false;
        }
        dense *= extent[d];
    }
    return true;
}

std::uint64_t sizeOf(Dtype dtype, std::uint64_t elements) {
    return dtypeBytes(dtype, elements).value_or(0);
}

/// A part of an encoded piece: the codec locates the piece, then the part is found in it.
class PartCodec final : public PieceCodec {
public:
    PartCodec(CheckpointPtr base, ViewPart part)
        : m_base(std::move(base)), m_part(std::move(part)) {}

    std::string_view name() const override { return m_base->codecName(stored().codec); }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& piece) const override {
        const TensorEntry& tensor = m_base->tensor(m_part.tensor);
        const PieceCodec& codec = *m_base->data().codecs[stored().codec];
        CAIRN_TRY(LocatedPiece located, codec.locate(file, tensor, stored()));
        const Strides strides =
            located.strides.empty() ? denseStrides(stored().box.extent) : located.strides;
        const Placed placed = placeOf(m_part, strides);
        const ByteRange bytes{located.bytes.offset + sizeOf(tensor.dtype, placed.first),
                              sizeOf(tensor.dtype, placed.span)};
        if (bytes.offset + bytes.length > located.bytes.offset + located.bytes.length) {
            return fail(ErrorCode::TorchStorageTooSmall,
                        "Too few stored bytes for the tensor's shape and dtype")
                .inFile(file->name())
                .inTensor(tensor.name);
        }
        located.bytes = bytes;
        located.strides = areDense(piece.box.extent, placed.strides) ? Strides() : placed.strides;
        located.crc32.reset(); // it is that of the complete piece
        return located;
    }

private:
    const Piece& stored() const { return m_base->tensor(m_part.tensor).pieces[m_part.piece]; }

    CheckpointPtr m_base;
    ViewPart m_part;
};

/// Adds a view's parts to a tensor of a derived checkpoint.
class PieceMaker {
public:
    PieceMaker(TensorEntry& entry, CheckpointData& data, const CheckpointPtr& base)
        : m_entry(entry), m_data(data), m_base(base) {}

    /// Blocks and packed elements are cut until they are dense in the file.
    Result<void> add(const ViewPart& part) {
        const DtypeInfo& info = dtypeInfo(m_entry.dtype);
        if (!info.isBlock() && info.bits % 8 == 0) {
            addPiece(part);
            return {};
        }
        if (!info.isBlock() || !takesCompleteRows(part)) {
            return fail(ErrorCode::Unsupported,
                        "Quantised or packed elements cannot be rearranged within their rows")
                .inTensor(m_base->tensor(part.tensor).name)
                .withHint("Keep the names, or write the checkpoint with another --dtype first");
        }
        const Placed placed = placeOf(part, denseStrides(storedOf(part).box.extent));
        if (areDense(boxOf(part).extent, placed.strides)) {
            addPiece(part);
            return {};
        }
        return addRows(part);
    }

private:
    const Piece& storedOf(const ViewPart& part) const {
        return m_base->tensor(part.tensor).pieces[part.piece];
    }

    bool takesCompleteRows(const ViewPart& part) const {
        const Piece& stored = storedOf(part);
        const std::size_t rank = stored.box.extent.size();
        return rank > 0 && !part.axes.empty() && stored.strides.empty() &&
               part.axes.back().source == static_cast<std::int32_t>(rank) - 1 &&
               part.axes.back().step == 1 && part.start.back() == 0 &&
               part.axes.back().extent == stored.box.extent[rank - 1];
    }

    /// One part for each index of the outermost dimension.
    Result<void> addRows(const ViewPart& part) {
        std::size_t outer = 0;
        while (part.axes[outer].extent == 1) {
            ++outer;
        }
        const ViewPart::Axis& axis = part.axes[outer];
        for (std::int64_t i = 0; i < axis.extent; ++i) {
            ViewPart row = part;
            if (axis.source >= 0) {
                row.start[static_cast<std::size_t>(axis.source)] += i * axis.step;
            }
            row.axes[outer].origin += i;
            row.axes[outer].extent = 1;
            CAIRN_CHECK(add(row));
        }
        return {};
    }

    void addPiece(const ViewPart& part) {
        const Piece& stored = storedOf(part);
        Piece piece;
        piece.box = boxOf(part);
        piece.file = stored.file;
        piece.flags = stored.flags;
        if (stored.codec != kRawCodec) {
            piece.bytes = stored.bytes;
            piece.codec = m_data.addCodec(std::make_shared<PartCodec>(m_base, part));
        } else {
            const Placed placed = placeOf(
                part, stored.strides.empty() ? denseStrides(stored.box.extent) : stored.strides);
            piece.bytes = {stored.bytes.offset + sizeOf(m_entry.dtype, placed.first),
                           sizeOf(m_entry.dtype, placed.span)};
            if (!areDense(piece.box.extent, placed.strides)) {
                piece.strides = placed.strides;
            }
        }
        m_entry.pieces.push_back(std::move(piece));
    }

    TensorEntry& m_entry;
    CheckpointData& m_data;
    const CheckpointPtr& m_base;
};

} // namespace

Result<TensorEntry> TensorView::entry(std::string name, CheckpointData& data,
                                      const CheckpointPtr& base) const {
    const TensorEntry& origin = m_checkpoint->tensor(m_origin);
    TensorEntry made;
    made.name = std::move(name);
    made.dtype = m_dtype;
    made.shape = m_shape;
    made.role = origin.role;
    made.roleBasis = origin.roleBasis;
    if (m_whole) {
        made.pieces = origin.pieces;
        return made;
    }
    PieceMaker maker(made, data, base);
    for (const ViewPart& part : m_parts) {
        if (std::ranges::all_of(part.axes, [](const auto& axis) { return axis.extent > 0; })) {
            CAIRN_CHECK(maker.add(part));
        }
    }
    return made;
}

} // namespace cairn
