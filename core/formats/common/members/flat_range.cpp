// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/flat_range.h"

#include "core/base/checked.h"

#include <algorithm>
#include <utility>

namespace cairn::formats {
namespace {

/// Elements [skip, skip + count) of an encoded one-dimensional piece.
class WindowCodec : public PieceCodec {
public:
    WindowCodec(std::shared_ptr<const PieceCodec> inner, TensorEntry flat, Piece piece,
                std::uint64_t skip, std::uint64_t elementBytes)
        : m_inner(std::move(inner)), m_flat(std::move(flat)), m_piece(std::move(piece)),
          m_skip(skip), m_elementBytes(elementBytes) {}

    std::string_view name() const override { return m_inner->name(); }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry&,
                                const Piece& window) const override {
        CAIRN_TRY(LocatedPiece located, m_inner->locate(file, m_flat, m_piece));
        const std::uint64_t stride =
            located.strides.empty() ? 1 : static_cast<std::uint64_t>(located.strides[0]);
        const std::uint64_t count = elementCount(window.box.extent).value_or(0);
        const auto skipped = checkedMul(m_skip, stride * m_elementBytes);
        const std::uint64_t length = count == 0 ? 0 : ((count - 1) * stride + 1) * m_elementBytes;
        if (!skipped || !ByteRange{*skipped, length}.fitsInto(located.bytes.length)) {
            return fail(ErrorCode::Truncated, "The item ends before the end of this tensor's data");
        }
        located.bytes = {located.bytes.offset + *skipped, length};
        located.strides = stride == 1 ? Strides() : denseStrides(window.box.extent);
        for (std::int64_t& step : located.strides) {
            step *= static_cast<std::int64_t>(stride);
        }
        return located;
    }

private:
    std::shared_ptr<const PieceCodec> m_inner;
    TensorEntry m_flat; ///< without pieces: the tensor that is passed to the inner codec
    Piece m_piece;
    std::uint64_t m_skip;
    std::uint64_t m_elementBytes;
};

/// The strides of a run in a flat tensor whose elements are `stride` apart; empty: dense.
Strides stridesOf(const Dims& extent, std::int64_t stride) {
    if (stride == 1) {
        return {};
    }
    Strides strides = denseStrides(extent);
    for (std::int64_t& step : strides) {
        step *= stride;
    }
    return strides;
}

} // namespace

std::vector<Box> boxesOfRun(const Shape& shape, std::uint64_t first, std::uint64_t count) {
    std::vector<Box> boxes;
    const std::size_t rank = shape.size();
    if (rank == 0 && count > 0) {
        boxes.push_back({});
    }
    if (rank == 0 || count == 0) {
        return boxes;
    }
    const Strides strides = denseStrides(shape);
    const auto stepOf = [&](std::size_t d) { return static_cast<std::uint64_t>(strides[d]); };
    while (count > 0) {
        // The outermost dimension along which a complete step fits at this position.
        std::size_t d = 0;
        while (d + 1 < rank && (first % stepOf(d) != 0 || stepOf(d) > count)) {
            ++d;
        }
        Box box{Dims(rank, 0), shape};
        for (std::size_t i = 0; i <= d; ++i) {
            box.origin[i] =
                static_cast<std::int64_t>(first / stepOf(i)) % (i == 0 ? shape[0] : shape[i]);
            box.extent[i] = 1;
        }
        const auto fits = static_cast<std::int64_t>(count / stepOf(d));
        box.extent[d] = std::min(shape[d] - box.origin[d], fits);
        const std::uint64_t taken = static_cast<std::uint64_t>(box.extent[d]) * stepOf(d);
        first += taken;
        count -= taken;
        boxes.push_back(std::move(box));
    }
    return boxes;
}

Result<void> FlatCutter::cut(const TensorEntry& flat, FlatRun run, TensorEntry& target,
                             std::uint64_t first) {
    if (flat.shape.size() != 1 || flat.dtype != target.dtype) {
        return fail(ErrorCode::Unsupported, "The flat range does not belong to this tensor")
            .inTensor(target.name)
            .butFound(sentence("%1 %2", dtypeName(flat.dtype), formatDims(flat.shape)))
            .expecting(sentence("one dimension of %1", dtypeName(target.dtype)));
    }
    if (!ByteRange{run.first, run.count}.fitsInto(flat.elements()) ||
        !ByteRange{first, run.count}.fitsInto(target.elements())) {
        return fail(ErrorCode::CoverageHole, "A flat range is shorter than its declared content")
            .inTensor(target.name)
            .butFound(sentence("%1 elements in %2", flat.elements(), flat.name))
            .expecting(sentence("elements up to %1", run.first + run.count));
    }
    for (const Piece& piece : flat.pieces) {
        const auto begin = static_cast<std::uint64_t>(piece.box.origin[0]);
        const auto end = begin + static_cast<std::uint64_t>(piece.box.extent[0]);
        const std::uint64_t from = std::max(begin, run.first);
        const std::uint64_t to = std::min(end, run.first + run.count);
        if (from < to) {
            CAIRN_CHECK(cutPiece(flat, piece, {from - begin, to - from}, target,
                                 first + (from - run.first)));
        }
    }
    return {};
}

/// `common` is relative to the piece's first element.
Result<void> FlatCutter::cutPiece(const TensorEntry& flat, const Piece& piece, FlatRun common,
                                  TensorEntry& target, std::uint64_t first) {
    const auto elementBytes = dtypeBytes(flat.dtype, 1);
    if (!elementBytes || dtypeInfo(flat.dtype).bits % 8 != 0) {
        return fail(ErrorCode::Unsupported, "Elements smaller than a byte cannot be sliced")
            .inTensor(target.name);
    }
    const std::int64_t stride = piece.strides.empty() ? 1 : piece.strides[0];
    std::uint64_t at = common.first;
    for (Box& box : boxesOfRun(target.shape, first, common.count)) {
        const std::uint64_t count = elementCount(box.extent).value_or(0);
        Piece part{std::move(box), piece.file, piece.bytes, {}, piece.codec, piece.flags};
        if (piece.codec == kRawCodec) {
            const std::uint64_t step = static_cast<std::uint64_t>(stride) * *elementBytes;
            part.bytes = {piece.bytes.offset + at * step, (count - 1) * step + *elementBytes};
            part.strides = stridesOf(part.box.extent, stride);
        } else {
            TensorEntry about{flat.name, flat.dtype, flat.shape, flat.role, {}, {}};
            part.codec = m_data.addCodec(std::make_shared<WindowCodec>(
                m_data.codecs[piece.codec], std::move(about), piece, at, *elementBytes));
        }
        at += count;
        target.pieces.push_back(std::move(part));
    }
    return {};
}

} // namespace cairn::formats
