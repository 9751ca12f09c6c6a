// SPDX-License-Identifier: Apache-2.0
//
// An array's grid of chunks becomes pieces. Chunks at the edge are stored whole; the piece is the
// part inside the shape, with the strides of the complete chunk. What is between two stored chunks,
// in C order of the grid, is absent: it is described by at most two boxes a dimension, so that the
// work depends on what exists and not on how large the grid claims to be. Absent chunks hold the
// fill value: a piece of one element in memory, with strides of 0.
#include "core/formats/common/zarr_arrays/placement.h"

#include "core/base/endian.h"
#include "core/model/finding_rules.h"

#include <algorithm>
#include <numeric>

namespace cairn::formats::zarr_arrays {
namespace {

constexpr std::size_t kMaxPieces = 16'000'000;
constexpr std::size_t kMaxInfos = 100'000;

/// The chunk's box, clipped to the shape; empty: it is outside.
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
    const auto bad = [&](Error error) { noteDamage(name, std::move(error)); };
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
            return bad(fail(ErrorCode::Unsupported, "Unknown element type")
                           .butFound(verbatim((*info)->type.name)));
        }
        tensor.dtype = Dtype::Opaque;
        m_context.note(Severity::Warning,
                       fail(ErrorCode::Unsupported, "Elements of this type are shown as raw bytes")
                           .inTensor(name)
                           .butFound(verbatim((*info)->type.name)));
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
    // The single chunk of an array without dimensions is called "0" in version 2.
    const bool single =
        info.shape.empty() && array.rank == 1 && array.chunks.size() == 1 && array.indices[0] == 0;
    const bool fits = array.chunks.empty() || array.rank == info.shape.size() || single;
    if (array.mixedRanks || !fits) {
        return fail(ErrorCode::ZarrBadMetadata,
                    "The chunks have a different number of dimensions than the array")
            .butFound(verbatim(std::to_string(array.rank)))
            .expecting(verbatim(std::to_string(info.shape.size())));
    }
    if (!array.chunks.empty() && (array.keys & info.keys) == 0) {
        return fail(ErrorCode::ZarrBadMetadata,
                    "The chunks are not named as the array's metadata states")
            .inField("chunk_key_encoding")
            .withHint("The array's folder may contain chunks of a different save");
    }
    const CodecId codec = m_codecs.codecFor(info);
    std::vector<std::size_t> order;
    order.reserve(array.chunks.size());
    tensor.pieces.reserve(array.chunks.size());
    for (std::size_t i = 0; i < array.chunks.size(); ++i) {
        const auto index = array.index(i).first(info.shape.size());
        const auto box = boxOf(index, info.chunk, tensor.shape);
        if (!box) {
            m_context.note(Severity::Warning,
                           fail(ErrorCode::StaleShard, "A chunk is outside its array")
                               .inTensor(tensor.name)
                               .withHint("It may be left over from another save"));
            continue;
        }
        order.push_back(i);
        CAIRN_CHECK(addChunk(tensor, info, *box, array.chunks[i], codec));
    }
    AbsentChunks absent(tensor.shape, info.chunk);
    if (order.size() == absent.chunks()) {
        return {};
    }
    if (m_context.everyChunkStored.value_or(!info.hasFill)) {
        return fail(ErrorCode::MissingShard, "Chunks of an array are missing")
            .butFound(sentence("%1 chunks", order.size()))
            .expecting(verbatim(std::to_string(absent.chunks())));
    }
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return std::ranges::lexicographical_compare(array.index(left), array.index(right));
    });
    for (const std::size_t chunk : order) {
        absent.skipStored(array.index(chunk));
    }
    for (Box& box : absent.boxes()) {
        CAIRN_CHECK(count(1));
        Piece piece = m_fills.piece(std::move(box), info.fill, tensor.shape.size());
        piece.flags.swapBytes = info.type.bigEndian;
        tensor.pieces.push_back(std::move(piece));
    }
    return {};
}

/// Reports an array that is incomplete or unreadable.
void Placer::noteDamage(const std::string& tensor, Error error) {
    CheckpointData& data = m_context.data;
    const bool unread = isUnread(error.code);
    if (!unread || data.completeness == Completeness::Complete) {
        data.completeness = unread ? Completeness::Unknown : Completeness::Incomplete;
    }
    if (data.why.empty()) {
        data.why.push_back(unread ? sentence("The array %1 cannot be read", tensor)
                                  : sentence("The array %1 is incomplete or damaged", tensor));
    }
    m_context.note(Severity::Error, std::move(error).inTensor(tensor));
}

/// For a chunk in a separate file: no index records its expected length.
void Placer::checkFileExtent(const std::string& tensor, const zarr::ArrayInfo& info,
                             const Place& place) {
    const CheckpointFile& file = m_context.data.files[m_context.files[place.file].position()];
    const bool headers = info.sharding || info.encoding.compression != Compression::None;
    if (!headers || file.missing || m_reads == 0) {
        return;
    }
    const auto source = file.folder->openFile(file.path);
    if (!source) {
        noteDamage(tensor, source.error());
        return;
    }
    const zarr::ChunkPlace chunk{*source,       place.range,      info.encoding, info.innerBytes(),
                                 info.sharding, std::uint64_t{0}, info.fill};
    if (auto whole = zarr::checkExtent(chunk, m_reads); !whole) {
        Error error = std::move(whole).error();
        error.where.file = file.path;
        noteDamage(tensor, std::move(error));
    }
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
        noteDamage(tensor.name, fail(ErrorCode::Truncated, "A file ends before the end of a chunk")
                                    .inFile(file.path)
                                    .at(place.range.offset)
                                    .butFound(sentence("%1 bytes", file.identity.size))
                                    .withHint("Copy the file again; this one is incomplete"));
    } else if (place.file != Place::kMemory && place.range == ByteRange{0, file.identity.size}) {
        checkFileExtent(tensor.name, info, place);
    }
    if (codec == kRawCodec) {
        if (place.range.length != info.innerBytes()) {
            return fail(ErrorCode::ZarrBadChunk,
                        "The chunk's size does not match its shape and dtype")
                .at(place.range.offset)
                .butFound(sentence("%1 bytes", place.range.length))
                .expecting(sentence("%1 bytes", info.innerBytes()));
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
    // One piece for each inner chunk that overlaps the shape.
    const std::size_t rank = info.inner.size();
    std::uint64_t inner = 1;
    for (std::size_t d = 0; d < rank; ++d) {
        const auto along = static_cast<std::uint64_t>((stored.extent[d] - 1) / info.inner[d] + 1);
        inner = checkedMul(inner, along).value_or(kMaxPieces + 1);
    }
    CAIRN_CHECK(count(static_cast<std::size_t>(std::min<std::uint64_t>(inner, kMaxPieces + 1))));
    std::vector<std::int64_t> within(rank, 0);
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

} // namespace cairn::formats::zarr_arrays
