// SPDX-License-Identifier: Apache-2.0
//
// Gathering elements. The request is a run of bytes of a dense C-order tensor; the pieces are boxes
// of the tensor, each in some file, with strides. Reading run by run would be correct but slow: a
// tensor that is sharded by columns over four ranks has runs of a few hundred bytes. Therefore:
//   1. The requested run of a box is split into slabs (boxes that are contiguous in the output), at
//      most 2·rank of them.
//   2. Each slab is intersected with each piece; the common box has one set of strides in the
//      source and one in the output.
//   3. If one dimension is left and both strides are 1, it is read directly into the output. If the
//      source span of the common box is small and dense enough (kMaxSpan, kMinDensity), it is read
//      completely into the scratch buffer and scattered in memory: columns cost one large read.
//      Otherwise the box is halved along its widest source dimension.
// Limit: a large tensor that is stored transposed is read in runs as short as the requested slab is
// narrow.
#include "core/model/tensor_reader.h"

#include "core/model/block_numbers.h"
#include "core/model/coverage.h"
#include "core/model/dtype.h"
#include "core/model/region.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_entry.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kSmallSpan = std::uint64_t{64} << 10U;
constexpr std::size_t kRowWindow = TensorReader::kMaxSpan / 16; // limit for cached rows
constexpr std::uint64_t kMinDensity =
    8; // a span may be this many times larger than the requested bytes

/// The box in units of blocks, for a block dtype; empty if it splits a block.
std::optional<Box> boxInBlocks(const Box& box, std::uint32_t blockElements) {
    if (box.extent.empty()) {
        return std::nullopt;
    }
    Box blocks = box;
    const std::size_t last = box.extent.size() - 1;
    if (box.origin[last] % blockElements != 0 || box.extent[last] % blockElements != 0) {
        return std::nullopt;
    }
    blocks.origin[last] /= blockElements;
    blocks.extent[last] /= blockElements;
    return blocks;
}

/// Applies byte order, neg and conj flags to dense stored elements.
void applyFlags(std::span<std::byte> bytes, Dtype dtype, ElementFlags flags) {
    const DtypeInfo& info = dtypeInfo(dtype);
    if (info.isBlock()) {
        return flags.swapBytes ? swapBlockNumbers(dtype, bytes) : void();
    }
    const std::size_t component = info.componentBits / 8;
    const bool complex = info.kind == DtypeKind::Complex;
    for (std::size_t at = 0, index = 0; at + component <= bytes.size(); at += component, ++index) {
        const auto element = bytes.subspan(at, component);
        if (flags.swapBytes) {
            std::ranges::reverse(element);
        }
        const bool flip = flags.negate != (flags.conjugate && complex && index % 2 == 1);
        if (!flip) {
            continue;
        }
        if (complex || info.kind == DtypeKind::Float) {
            element.back() ^= std::byte{0x80};
        } else {
            unsigned carry = 1; // two's complement
            for (std::byte& byte : element) {
                const unsigned sum = (~std::to_integer<unsigned>(byte) & 0xFFU) + carry;
                byte = static_cast<std::byte>(sum & 0xFFU);
                carry = sum >> 8U;
            }
        }
    }
}

} // namespace

/// The unit in which a tensor's elements are processed while gathering.
struct TensorReader::Unit {
    std::uint32_t blockElements = 1;
    bool packed = false; ///< in bytes: elements of fewer than eight bits

    explicit Unit(Dtype dtype)
        : blockElements(dtypeInfo(dtype).blockElements),
          packed(blockElements == 1 && dtypeInfo(dtype).bits % 8 != 0) {}
    [[nodiscard]] std::uint64_t bytes(Dtype dtype) const {
        const DtypeInfo& info = dtypeInfo(dtype);
        return packed ? 1 : info.isBlock() ? info.blockBytes : info.bits / 8;
    }
    /// Units that are not single elements must be dense.
    [[nodiscard]] Result<void> checkLayout(const TensorEntry& tensor, const Piece& piece,
                                           const LocatedPiece& located) const {
        const bool whole = piece.box == Box::whole(tensor.shape) && located.strides.empty();
        if (packed && !whole && !(tensor.shape.size() <= 1 && tensor.pieces.size() == 1)) {
            return fail(ErrorCode::Unsupported,
                        "Sub-byte elements can only be read from one dense piece")
                .inTensor(tensor.name);
        }
        if (blockElements > 1 && !located.strides.empty()) {
            return fail(ErrorCode::Unsupported,
                        "Quantised blocks can only be read when they are stored densely")
                .inTensor(tensor.name);
        }
        return {};
    }
};

Result<Box> TensorReader::boxInUnits(const Box& box) const {
    const Unit unit(m_dtype);
    if (unit.packed) {
        return Box::whole(m_shape);
    }
    if (unit.blockElements == 1) {
        return box;
    }
    auto blocks = boxInBlocks(box, unit.blockElements);
    if (!blocks) {
        return fail(ErrorCode::Unsupported,
                    "Quantised elements can only be read in complete blocks")
            .butFound(
                sentence("origin %1, extent %2", formatDims(box.origin), formatDims(box.extent)))
            .expecting(sentence("multiples of %1 along the last dimension", unit.blockElements));
    }
    return std::move(*blocks);
}

struct TensorReader::Copy {
    const LocatedPiece& piece;
    Region region;
};

Result<TensorReader> TensorReader::open(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    TensorReader reader;
    if (hasStrings(tensor.dtype)) {
        return fail(ErrorCode::Unsupported,
                    "The elements are strings, which can only be read one by one")
            .inTensor(tensor.name)
            .withHint("`cairn-cli show` prints them");
    }
    const Unit unit(tensor.dtype);
    const bool packed = unit.packed;
    reader.m_dtype = tensor.dtype;
    reader.m_elementBytes = unit.bytes(tensor.dtype);
    reader.m_shape = packed ? Shape{static_cast<std::int64_t>(tensor.bytes())} : tensor.shape;
    if (unit.blockElements > 1) {
        CAIRN_TRY(const Box blocks, reader.boxInUnits(Box::whole(tensor.shape)));
        reader.m_shape = blocks.extent;
    }
    CAIRN_CHECK(requireCovered(tensor));
    for (const Piece& piece : tensor.pieces) {
        if (elementCount(piece.box.extent).value_or(0) == 0) {
            continue;
        }
        CAIRN_TRY(LocatedPiece located, checkpoint.locate(tensor, piece));
        CAIRN_CHECK(unit.checkLayout(tensor, piece, located));
        CAIRN_TRY(Box box, reader.boxInUnits(piece.box));
        if (located.strides.empty() || packed) {
            located.strides = denseStrides(box.extent);
        }
        const bool inside =
            located.bytes.fitsInto(located.source->size()) &&
            spanFits(box.extent, located.strides, reader.m_elementBytes, located.bytes.length);
        if (!inside) {
            return fail(ErrorCode::TorchStorageTooSmall,
                        "Too few stored bytes for the tensor's shape and dtype")
                .inFile(located.source->name())
                .inTensor(tensor.name)
                .at(located.bytes.offset)
                .butFound(sentence("%1 bytes", located.bytes.length))
                .expecting(sentence("extent %1 with strides %2, %3 bytes each",
                                    formatDims(box.extent), formatDims(located.strides),
                                    reader.m_elementBytes));
        }
        reader.m_boxes.push_back(std::move(box));
        reader.m_located.push_back(std::move(located));
    }
    return reader;
}

Result<void> TensorReader::readBox(const Box& box, std::span<std::byte> out,
                                   Scratch& scratch) const {
    CAIRN_TRY(const Box slab, boxInUnits(box));
    return readSlab(slab, out, scratch);
}

Result<void> TensorReader::readSlab(const Box& slab, std::span<std::byte> out,
                                    Scratch& scratch) const {
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (const auto common = intersect(m_boxes[i], slab)) {
            CAIRN_CHECK(readPiece(i, *common, slab, out, scratch));
        }
    }
    return {};
}

Result<void> TensorReader::readBytes(const Box& box, std::uint64_t first, std::span<std::byte> out,
                                     Scratch& scratch) const {
    CAIRN_TRY(const Box target, boxInUnits(box));
    const std::uint64_t begin = first / m_elementBytes;
    const std::uint64_t end = begin + out.size() / m_elementBytes;
    for (const Box& slab : slabsOf(target, begin, end)) {
        const std::size_t bytes =
            static_cast<std::size_t>(elementCount(slab.extent).value_or(0) * m_elementBytes);
        CAIRN_CHECK(readSlab(slab, out.first(bytes), scratch));
        out = out.subspan(bytes);
    }
    return {};
}

Result<void> TensorReader::readPiece(std::size_t piece, const Box& common, const Box& target,
                                     std::span<std::byte> out, Scratch& scratch) const {
    const LocatedPiece& located = m_located[piece];
    return copyRegion({located, regionOf(common, m_boxes[piece], located.strides, target)}, out,
                      scratch);
}

Result<void> TensorReader::copyRegion(const Copy& copy, std::span<std::byte> out,
                                      Scratch& scratch) const {
    const Region& region = copy.region;
    const std::uint64_t size = m_elementBytes;
    const std::uint64_t offset = copy.piece.bytes.offset + region.source * size;
    const std::uint64_t wanted = region.elements() * size;
    if (region.oneRun()) {
        const auto run = out.subspan(static_cast<std::size_t>(region.target * size),
                                     static_cast<std::size_t>(wanted));
        CAIRN_CHECK(copy.piece.source->readAt(offset, run));
        if (copy.piece.flags.any()) {
            applyFlags(run, m_dtype, copy.piece.flags);
        }
        return {};
    }
    if (scratch.keepsRows && region.takesColumns(kRowWindow / size)) {
        return copyColumns(copy, out, scratch);
    }
    const std::uint64_t span = region.span() * size;
    if (span <= kSmallSpan || (span <= kMaxSpan && span / kMinDensity <= wanted)) {
        if (scratch.bytes.size() < span) {
            // at once: growing stepwise would take up to twice as much
            scratch.bytes.resize(
                static_cast<std::size_t>(span <= kSmallSpan ? kSmallSpan : kMaxSpan));
        }
        const auto bytes = std::span(scratch.bytes).first(static_cast<std::size_t>(span));
        CAIRN_CHECK(copy.piece.source->readAt(offset, bytes));
        if (copy.piece.flags.any()) {
            applyFlags(bytes, m_dtype, copy.piece.flags);
        }
        scatter(bytes.data(), out.data() + region.target * size, region.axes, size);
        return {};
    }
    const auto widest = std::ranges::max_element(
        region.axes, {}, [](const Axis& axis) { return (axis.extent - 1) * axis.source; });
    const auto index = static_cast<std::size_t>(widest - region.axes.begin());
    Copy low{copy.piece, region};
    Copy high{copy.piece, region};
    const std::uint64_t half = widest->extent / 2;
    low.region.axes[index].extent = half;
    high.region.axes[index].extent = widest->extent - half;
    high.region.source += half * widest->source;
    high.region.target += half * widest->target;
    mergeAxes(low.region.axes);
    mergeAxes(high.region.axes);
    CAIRN_CHECK(copyRegion(low, out, scratch));
    return copyRegion(high, out, scratch);
}

/// Rows are split into windows starting at the piece's first one, so that readers of other columns
/// of the same rows use the same windows.
Result<void> TensorReader::copyColumns(const Copy& copy, std::span<std::byte> out,
                                       Scratch& scratch) const {
    const std::uint64_t size = m_elementBytes;
    const ByteRange& all = copy.piece.bytes;
    std::vector<Axis> axes = copy.region.axes;
    const Axis rows = axes.front();
    const std::uint64_t rowBytes = rows.source * size;
    const std::uint64_t perWindow = kRowWindow / rowBytes;
    const std::uint64_t column = copy.region.source % rows.source;
    const std::uint64_t first = copy.region.source / rows.source;
    for (std::uint64_t row = first; row < first + rows.extent;) {
        const std::uint64_t window = row / perWindow * perWindow;
        const std::uint64_t begin = window * rowBytes;
        CAIRN_TRY(const auto bytes,
                  keepRows(copy.piece,
                           {all.offset + begin, std::min(perWindow * rowBytes, all.length - begin)},
                           scratch));
        axes.front().extent = std::min(first + rows.extent, window + perWindow) - row;
        scatter(bytes.data() + (row - window) * rowBytes + column * size,
                out.data() + (copy.region.target + (row - first) * rows.target) * size, axes, size);
        row += axes.front().extent;
    }
    return {};
}

Result<std::span<const std::byte>> TensorReader::keepRows(const LocatedPiece& piece,
                                                          ByteRange range, Scratch& scratch) const {
    const auto found = std::ranges::find_if(scratch.rows, [&](const Rows& rows) {
        return rows.source == piece.source && rows.range == range && rows.dtype == m_dtype &&
               rows.flags == piece.flags;
    });
    const bool there = found != scratch.rows.end();
    const auto last = there ? found : std::prev(scratch.rows.end());
    std::rotate(scratch.rows.begin(), last, std::next(last));
    Rows& rows = scratch.rows.front();
    rows.bytes.resize(kRowWindow);
    const auto bytes = std::span(rows.bytes).first(static_cast<std::size_t>(range.length));
    if (there) {
        return std::span<const std::byte>(bytes);
    }
    rows.source = nullptr; // nothing is cached if reading fails
    CAIRN_CHECK(piece.source->readAt(range.offset, bytes));
    if (piece.flags.any()) {
        applyFlags(bytes, m_dtype, piece.flags);
    }
    rows.source = piece.source;
    rows.range = range;
    rows.dtype = m_dtype;
    rows.flags = piece.flags;
    return std::span<const std::byte>(bytes);
}

Result<std::vector<std::byte>> readComplete(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                            std::uint64_t limit) {
    if (tensor.bytes() > limit) {
        return fail(ErrorCode::LimitExceeded, "The tensor is too large to be read at once")
            .inTensor(tensor.name)
            .butFound(sentence("%1 bytes", tensor.bytes()))
            .expecting(sentence("at most %1", limit));
    }
    if (hasStrings(tensor.dtype)) {
        return readStringBytes(checkpoint, tensor, limit);
    }
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes()));
    TensorReader::Scratch scratch;
    CAIRN_CHECK(reader.readBox(Box::whole(tensor.shape), bytes, scratch));
    return bytes;
}

} // namespace cairn
