// SPDX-License-Identifier: Apache-2.0
//
// An array's grid of chunks becomes pieces. Chunks at the edge are stored whole; the piece is the
// part inside the shape, with the strides of the whole chunk. What is between two stored chunks, in
// C order of the grid, is absent: it is described by at most two boxes a dimension, so that the
// work depends on what is there and not on how large the grid claims to be. Absent chunks hold the
// fill value: a piece of one element in memory, with strides of 0.
#include "core/formats/common/zarr_arrays/placement.h"

#include "core/base/endian.h"

#include <algorithm>
#include <numeric>

namespace cairn::formats::zarr_arrays {
namespace {

constexpr std::size_t kMaxPieces = 16'000'000;
constexpr std::size_t kMaxInfos = 100'000;

/// The chunk's box, cut at the shape; nothing: it lies outside.
std::optional<Box> boxOf(std::span<const std::int64_t> index,
                         const std::vector<std::int64_t>& chunk, const Shape& shape) {
    Box box = Box::whole(shape);
    for (std::size_t d = 0; d < index.size(); ++d) {
        std::int64_t origin = 0;
        if (__builtin_mul_overflow(index[d], chunk[d], &origin) || origin >= shape[d]) {
            return std::nullopt;
        }
        box.origin[d] = origin;
        box.extent[d] = std::min(chunk[d], shape[d] - origin);
    }
    return box;
}

using Grid = std::vector<std::int64_t>;
using Index = std::vector<std::int64_t>;

/// Boxes of the grid that hold the indices from `first` up to and without `end`, in C order.
/// Nothing for `first`: the start; for `end`: the end of the grid.
class Gap {
public:
    Gap(const Grid& grid, std::vector<Box>& out) : m_grid(grid), m_out(out) {}

    void between(const Index& first, const std::optional<Index>& end) {
        // From `first`, climb: the rest of its innermost row, of its plane, …; then down to `end`.
        const std::size_t rank = m_grid.size();
        std::size_t shared = 0;
        while (end && shared < rank && first[shared] == (*end)[shared]) {
            ++shared;
        }
        if (end && shared == rank) {
            return;
        }
        Index at = first;
        for (std::size_t d = rank; d-- > shared + 1;) {
            const bool atStart = std::all_of(at.begin() + static_cast<std::ptrdiff_t>(d), at.end(),
                                             [](std::int64_t value) { return value == 0; });
            if (atStart) {
                continue; // belongs whole to the dimension above
            }
            emit(at, d, at[d], m_grid[d]);
            std::fill(at.begin() + static_cast<std::ptrdiff_t>(d), at.end(), 0);
            ++at[d - 1];
        }
        if (!end) {
            if (rank > 0) {
                emit(at, 0, at[0], m_grid[0]);
            }
            return;
        }
        for (std::size_t d = shared; d < rank; ++d) {
            emit(at, d, at[d], (*end)[d]);
            at[d] = (*end)[d];
            std::fill(at.begin() + static_cast<std::ptrdiff_t>(d) + 1, at.end(), 0);
        }
    }

private:
    /// Rows [begin, end) of dimension d; whole in those behind, one index in those before.
    void emit(const Index& at, std::size_t d, std::int64_t begin, std::int64_t end) {
        if (begin >= end) {
            return;
        }
        Box box{Dims(m_grid.size(), 0), Dims(m_grid)};
        for (std::size_t i = 0; i < d; ++i) {
            box.origin[i] = at[i];
            box.extent[i] = 1;
        }
        box.origin[d] = begin;
        box.extent[d] = end - begin;
        m_out.push_back(std::move(box));
    }

    const Grid& m_grid;
    std::vector<Box>& m_out;
};

/// The index behind `index` in C order; nothing at the grid's end.
std::optional<Index> next(Index index, const Grid& grid) {
    for (std::size_t d = grid.size(); d-- > 0;) {
        if (++index[d] < grid[d]) {
            return index;
        }
        index[d] = 0;
    }
    return std::nullopt;
}

/// Boxes of the grid without a chunk. `order`: the stored chunks, sorted by index.
std::vector<Box> absent(const StoredArray& array, const std::vector<std::size_t>& order,
                        const Grid& grid) {
    std::vector<Box> boxes;
    Gap gap(grid, boxes);
    std::optional<Index> from = Index(grid.size(), 0);
    for (const std::size_t chunk : order) {
        const auto index = array.index(chunk);
        const Index here(index.begin(), index.end());
        gap.between(*from, here);
        from = next(here, grid);
        if (!from) {
            return boxes;
        }
    }
    if (grid.empty()) { // rank 0
        boxes.push_back(Box{});
        return boxes;
    }
    gap.between(*from, std::nullopt);
    return boxes;
}

/// From chunks to elements.
Box scaled(const Box& grid, const std::vector<std::int64_t>& chunk, const Shape& shape) {
    Box box = grid;
    for (std::size_t d = 0; d < chunk.size(); ++d) {
        box.origin[d] = grid.origin[d] * chunk[d];
        const std::int64_t last = grid.origin[d] + grid.extent[d];
        const std::int64_t most = shape[d] / chunk[d] + 1; // so that the product cannot wrap
        const std::int64_t end = last > most ? shape[d] : std::min(last * chunk[d], shape[d]);
        box.extent[d] = end - box.origin[d];
    }
    return box;
}

} // namespace

Result<const zarr::ArrayInfo*> Placer::infoOf(const std::string& name, const StoredArray& array) {
    const std::string key = std::to_string(array.version) + array.metadata;
    if (const auto known = m_infos.find(key); known != m_infos.end()) {
        return &known->second;
    }
    CAIRN_TRY(auto info, zarr::parseArrayInfo(array.metadata, array.version, name));
    if (m_infos.size() >= kMaxInfos) {
        m_infos.clear();
    }
    return &m_infos.emplace(key, std::move(info)).first->second;
}

Result<void> Placer::count(std::size_t pieces) {
    m_pieces += pieces;
    if (m_pieces > kMaxPieces) {
        return fail(ErrorCode::LimitExceeded, "The checkpoint has too many chunks");
    }
    return {};
}

void Placer::add(const std::string& name, const StoredArray& array, Role role) {
    const auto bad = [&](Error error) {
        m_context.data.completeness = Completeness::Incomplete;
        m_context.note(Severity::Error, std::move(error).inTensor(name));
    };
    if (array.version == 0) {
        return bad(fail(ErrorCode::ZarrBadMetadata, "An array has chunks but no metadata")
                       .expecting(".zarray or zarr.json"));
    }
    auto info = infoOf(name, array);
    if (!info) {
        return bad(std::move(info).error());
    }
    const auto dtype = dtypeFromName((*info)->type.name);
    TensorEntry tensor;
    tensor.name = name;
    tensor.role = role;
    tensor.dtype = dtype.value_or(Dtype::Opaque);
    tensor.shape = Dims((*info)->shape);
    if (!dtype || dtypeInfo(*dtype).bits != (*info)->type.bytes * 8) {
        if ((*info)->type.bytes != 1) {
            return bad(fail(ErrorCode::Unsupported, "The element type is not known")
                           .butFound((*info)->type.name));
        }
        tensor.dtype = Dtype::Opaque;
        m_context.note(Severity::Warning,
                       fail(ErrorCode::Unsupported, "The element type is shown as plain bytes")
                           .inTensor(name)
                           .butFound((*info)->type.name));
    }
    if (auto placed = addPieces(tensor, **info, array); !placed) {
        bad(std::move(placed).error());
    }
    m_context.data.tensors.push_back(std::move(tensor));
}

Result<void> Placer::addPieces(TensorEntry& tensor, const zarr::ArrayInfo& info,
                               const StoredArray& array) {
    if (tensor.elements() == 0) {
        return {};
    }
    // The one chunk of an array without dimensions is called "0" in version 2.
    const bool single =
        info.shape.empty() && array.rank == 1 && array.chunks.size() == 1 && array.indices[0] == 0;
    const bool fits = array.chunks.empty() || array.rank == info.shape.size() || single;
    if (array.mixedRanks || !fits) {
        return fail(ErrorCode::ZarrBadMetadata, "The chunks have another rank than the array")
            .butFound(std::to_string(array.rank))
            .expecting(std::to_string(info.shape.size()));
    }
    CAIRN_TRY(const CodecId codec, m_codecs.codecFor(info));
    std::vector<std::size_t> order;
    order.reserve(array.chunks.size());
    tensor.pieces.reserve(array.chunks.size());
    for (std::size_t i = 0; i < array.chunks.size(); ++i) {
        const auto index = array.index(i).first(info.shape.size());
        const auto box = boxOf(index, info.chunk, tensor.shape);
        if (!box) {
            m_context.note(Severity::Warning,
                           fail(ErrorCode::StaleShard, "A chunk lies outside its array")
                               .inTensor(tensor.name)
                               .withHint("It may be left over from another save"));
            continue;
        }
        order.push_back(i);
        CAIRN_CHECK(addChunk(tensor, info, *box, array.chunks[i], codec));
    }
    Grid grid;
    std::uint64_t all = 1;
    for (std::size_t d = 0; d < info.shape.size(); ++d) {
        grid.push_back((info.shape[d] - 1) / info.chunk[d] + 1);
        all = checkedMul(all, static_cast<std::uint64_t>(grid.back())).value_or(~std::uint64_t{0});
    }
    if (order.size() == all) {
        return {};
    }
    if (m_context.everyChunkStored.value_or(!info.hasFill)) {
        return fail(ErrorCode::MissingShard, "Chunks of an array are missing")
            .butFound(std::to_string(order.size()) + " chunks")
            .expecting(std::to_string(all));
    }
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return std::ranges::lexicographical_compare(array.index(left), array.index(right));
    });
    const std::vector<Box> gaps = absent(array, order, grid);
    for (const Box& gap : gaps) {
        CAIRN_CHECK(addFill(tensor, info, scaled(gap, info.chunk, tensor.shape)));
    }
    return {};
}

Result<void> Placer::addChunk(TensorEntry& tensor, const zarr::ArrayInfo& info, const Box& stored,
                              const Place& place, CodecId codec) {
    Piece piece;
    piece.box = stored;
    piece.file = place.file == Place::kMemory ? m_context.memory : m_context.files[place.file];
    piece.bytes = place.range;
    piece.codec = codec;
    piece.flags.swapBytes = info.type.bigEndian;
    const CheckpointFile& file = m_context.data.files[piece.file.position()];
    if (!file.missing && !place.range.fitsInto(file.identity.size)) {
        m_context.data.completeness = Completeness::Incomplete;
        m_context.note(Severity::Error,
                       fail(ErrorCode::Truncated, "A file ends before a chunk does")
                           .inFile(file.path)
                           .inTensor(tensor.name)
                           .at(place.range.offset)
                           .butFound(std::to_string(file.identity.size) + " bytes")
                           .withHint("Copy the file again; this one is incomplete"));
    }
    if (codec == kRawCodec) {
        if (place.range.length != info.innerBytes()) {
            return fail(ErrorCode::ZarrBadChunk, "A chunk has not the size of its elements")
                .at(place.range.offset)
                .butFound(std::to_string(place.range.length) + " bytes")
                .expecting(std::to_string(info.innerBytes()) + " bytes");
        }
        const Strides strides = chunkStrides(info);
        if (strides != denseStrides(stored.extent)) {
            piece.strides = strides;
        }
    }
    if (!info.sharding || info.inner == info.chunk) {
        CAIRN_CHECK(count(1));
        tensor.pieces.push_back(std::move(piece));
        return {};
    }
    // One piece for each inner chunk that reaches into the shape.
    const std::size_t rank = info.inner.size();
    std::uint64_t inner = 1;
    for (std::size_t d = 0; d < rank; ++d) {
        const auto along = static_cast<std::uint64_t>((stored.extent[d] - 1) / info.inner[d] + 1);
        inner = checkedMul(inner, along).value_or(kMaxPieces + 1);
    }
    CAIRN_CHECK(count(static_cast<std::size_t>(std::min<std::uint64_t>(inner, kMaxPieces + 1))));
    Index within(rank, 0);
    while (true) {
        Piece part = piece;
        for (std::size_t d = 0; d < rank; ++d) {
            part.box.origin[d] = stored.origin[d] + within[d];
            part.box.extent[d] = std::min(info.inner[d], stored.extent[d] - within[d]);
        }
        tensor.pieces.push_back(std::move(part));
        std::size_t d = rank;
        while (d > 0) {
            within[d - 1] += info.inner[d - 1];
            if (within[d - 1] < stored.extent[d - 1]) {
                break;
            }
            within[--d] = 0;
        }
        if (d == 0) {
            return {};
        }
    }
}

Result<void> Placer::addFill(TensorEntry& tensor, const zarr::ArrayInfo& info, const Box& box) {
    CAIRN_CHECK(count(1));
    Piece piece;
    piece.box = box;
    piece.file = fillFile(info);
    piece.bytes = {0, info.fill.size()};
    piece.strides = Dims(box.extent.size(), 0);
    piece.flags.swapBytes = info.type.bigEndian;
    tensor.pieces.push_back(std::move(piece));
    return {};
}

FileIndex Placer::fillFile(const zarr::ArrayInfo& info) {
    const std::string key(asText(info.fill));
    const auto known = m_fills.find(key);
    if (known != m_fills.end()) {
        return known->second;
    }
    CheckpointFile file;
    file.path = "(fill value)";
    file.source = makeMemorySource(info.fill, file.path);
    file.identity.size = info.fill.size();
    const FileIndex index = m_context.data.addFile(std::move(file));
    m_fills.emplace(key, index);
    return index;
}

} // namespace cairn::formats::zarr_arrays
