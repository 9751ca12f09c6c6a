// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Where the elements of one parameter are in the slices of the ranks, as AutoTP records it since
/// DeepSpeed 0.19. Source: checkpoint/affine.py (AFFINE_MAP_FORMAT_VERSION 1). Private to this
/// folder.
namespace cairn::formats::deepspeed {

inline constexpr std::int64_t kAffineMapVersion = 1;

/// A block with the same elements in the parameter and in the slice of a rank.
struct AffinePiece {
    Box whole;
    Box slice;
};

struct AffineMap {
    Shape shape;                                  ///< of the parameter
    std::vector<Shape> slices;                    ///< by rank
    std::vector<std::vector<AffinePiece>> pieces; ///< by rank; each block once, of its first rank
};

/// Empty: not of so many ranks, blocks that are not boxes, slices that are multiples of the
/// parameter's elements (a bias that the ranks divided by their number), or inconsistent sizes.
std::optional<AffineMap> readAffineMap(const Value& entry, std::size_t ranks);

/// The parameter, or another tensor of its shape, from the slices of all ranks; empty: they do not
/// match the map, or their elements cannot be cut as it says.
std::optional<TensorEntry> joinByMap(const std::vector<const TensorEntry*>& slices,
                                     const AffineMap& map);

/// The part of a piece inside `box`; `out` is empty if there is none. False: it cannot be cut.
bool cutPiece(const Piece& piece, const Box& box, Dtype dtype, std::optional<Piece>& out);

} // namespace cairn::formats::deepspeed
