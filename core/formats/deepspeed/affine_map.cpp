// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/affine_map.h"

#include "core/base/checked.h"

#include <algorithm>
#include <charconv>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMaxBlocks = 100'000;

std::optional<Dims> dimsOf(const Value* list) {
    if (list == nullptr || list->items().size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(list->items().size(), 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t* extent = list->items()[d].value.asInt();
        if (extent == nullptr || *extent < 0) {
            return std::nullopt;
        }
        dims[d] = *extent;
    }
    return dims;
}

/// The box of `extent` that begins at an offset into a tensor in C order, and is traversed with
/// these strides. Empty: not a box of the tensor.
std::optional<Box> boxOf(const Value* place, const Shape& extent, const Shape& shape) {
    const auto parts = place == nullptr ? std::span<const ValueItem>() : place->items();
    const std::int64_t* offset = parts.size() == 2 ? parts[0].value.asInt() : nullptr;
    const auto strides = parts.size() == 2 ? dimsOf(&parts[1].value) : std::nullopt;
    if (offset == nullptr || *offset < 0 || !strides || strides->size() != shape.size() ||
        extent.size() != shape.size()) {
        return std::nullopt;
    }
    const Strides dense = denseStrides(shape);
    Box box{Dims(shape.size(), 0), extent};
    std::int64_t rest = *offset;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (extent[d] > 1 && (*strides)[d] != dense[d]) {
            return std::nullopt;
        }
        box.origin[d] = dense[d] > 0 ? rest / dense[d] : 0;
        rest -= box.origin[d] * dense[d];
    }
    return rest == 0 && fitsInto(box, shape) ? std::optional(std::move(box)) : std::nullopt;
}

/// The smallest of the ranks that have a block; empty: a list without numbers.
std::optional<std::int64_t> firstHolder(const Value* locations) {
    std::optional<std::int64_t> first;
    for (const ValueItem& item :
         locations == nullptr ? std::span<const ValueItem>() : locations->items()) {
        const std::int64_t* rank = item.value.asInt();
        if (rank == nullptr) {
            return std::nullopt;
        }
        first = std::min(first.value_or(*rank), *rank);
    }
    return first;
}

/// Adds the blocks of one rank; false: not supported.
bool addRank(const Value& entry, std::int64_t rank, AffineMap& map) {
    const auto slice = dimsOf(entry.find("shard_shape"));
    const Value* pieces = entry.find("pieces");
    if (!slice || !elementCount(*slice) || pieces == nullptr ||
        pieces->items().size() > kMaxBlocks) {
        return false;
    }
    std::uint64_t held = 0;
    std::vector<AffinePiece> blocks;
    for (const ValueItem& item : pieces->items()) {
        const auto extent = dimsOf(item.value.find("shape"));
        const auto holder = firstHolder(item.value.find("locations"));
        if (!extent || !elementCount(*extent) || !holder || item.value.find("scale") != nullptr) {
            return false;
        }
        const std::uint64_t count = *elementCount(*extent);
        held += count;
        if (count == 0) {
            continue;
        }
        const auto whole = boxOf(item.value.find("source"), *extent, map.shape);
        const auto part = boxOf(item.value.find("dest"), *extent, *slice);
        if (!whole || !part) {
            return false;
        }
        if (*holder == rank) {
            blocks.push_back({*whole, *part});
        }
    }
    map.slices[static_cast<std::size_t>(rank)] = *slice;
    map.pieces[static_cast<std::size_t>(rank)] = std::move(blocks);
    return held == elementCount(*slice);
}

} // namespace

std::optional<AffineMap> readAffineMap(const Value& entry, std::size_t ranks) {
    const auto shape = dimsOf(entry.find("logical_shape"));
    const Value* byRank = entry.find("ranks");
    if (!shape || !elementCount(*shape) || byRank == nullptr || byRank->items().size() != ranks) {
        return std::nullopt;
    }
    AffineMap map{*shape, std::vector<Shape>(ranks), std::vector<std::vector<AffinePiece>>(ranks)};
    std::vector<bool> seen(ranks, false);
    for (const ValueItem& item : byRank->items()) {
        const std::string key = keyText(item.key);
        std::size_t rank = ranks;
        std::from_chars(key.data(), key.data() + key.size(), rank);
        if (rank >= ranks || seen[rank] ||
            !addRank(item.value, static_cast<std::int64_t>(rank), map)) {
            return std::nullopt;
        }
        seen[rank] = true;
    }
    std::uint64_t covered = 0;
    for (const auto& blocks : map.pieces) {
        for (const AffinePiece& block : blocks) {
            covered += *elementCount(block.whole.extent);
        }
    }
    return covered == *elementCount(map.shape) ? std::optional(std::move(map)) : std::nullopt;
}

bool cutPiece(const Piece& piece, const Box& box, Dtype dtype, std::optional<Piece>& out) {
    out.reset();
    const auto common = intersect(piece.box, box);
    if (!common) {
        return true;
    }
    out = piece;
    if (*common == piece.box) {
        return true;
    }
    const std::uint32_t bits = dtypeInfo(dtype).bits;
    if (piece.codec != kRawCodec || bits % 8 != 0 || dtypeInfo(dtype).isBlock()) {
        return false;
    }
    const Strides strides = piece.strides.empty() ? denseStrides(piece.box.extent) : piece.strides;
    std::int64_t first = 0;
    std::int64_t last = 0; // within the piece's range, so they do not overflow
    for (std::size_t d = 0; d < strides.size(); ++d) {
        first += (common->origin[d] - piece.box.origin[d]) * strides[d];
        last += (common->extent[d] - 1) * strides[d];
    }
    out->box = *common;
    out->strides = strides == denseStrides(common->extent) ? Strides() : strides;
    out->bytes.offset += static_cast<std::uint64_t>(first) * bits / 8;
    out->bytes.length = static_cast<std::uint64_t>(last + 1) * bits / 8;
    return true;
}

std::optional<TensorEntry> joinByMap(const std::vector<const TensorEntry*>& slices,
                                     const AffineMap& map) {
    if (slices.size() != map.slices.size()) {
        return std::nullopt;
    }
    TensorEntry whole = *slices.front();
    whole.shape = map.shape;
    whole.pieces.clear();
    for (std::size_t rank = 0; rank < slices.size(); ++rank) {
        const TensorEntry& slice = *slices[rank];
        if (slice.shape != map.slices[rank] || slice.dtype != whole.dtype) {
            return std::nullopt;
        }
        for (const AffinePiece& block : map.pieces[rank]) {
            for (const Piece& piece : slice.pieces) {
                std::optional<Piece> own;
                if (!cutPiece(piece, block.slice, slice.dtype, own)) {
                    return std::nullopt;
                }
                if (own) {
                    for (std::size_t d = 0; d < map.shape.size(); ++d) {
                        own->box.origin[d] += block.whole.origin[d] - block.slice.origin[d];
                    }
                    whole.pieces.push_back(std::move(*own));
                }
            }
        }
    }
    return whole;
}

} // namespace cairn::formats::deepspeed
