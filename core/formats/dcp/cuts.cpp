// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/cuts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::formats::dcp {
namespace {

/// The dimension that an axis cuts; empty: the tensor does not have it.
std::optional<std::size_t> dimensionOf(const ShardAxis& axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    const std::int64_t dim = axis.dim < 0 ? axis.dim + count : axis.dim;
    return dim >= 0 && dim < count ? std::optional(static_cast<std::size_t>(dim)) : std::nullopt;
}

/// Adds the parts of `cut` along one dimension, without empty parts.
void divide(const Cut& cut, std::size_t dim, std::uint32_t ranks, std::vector<Cut>& parts) {
    const std::int64_t extent = cut.box.extent[dim];
    const std::int64_t length = extent / ranks + (extent % ranks != 0 ? 1 : 0);
    std::int64_t done = 0;
    for (std::uint32_t r = 0; r < ranks && done < extent; ++r) {
        Cut part{cut.rank * ranks + r, cut.box};
        part.box.origin[dim] += done;
        part.box.extent[dim] = std::min(length, extent - done);
        done += part.box.extent[dim];
        parts.push_back(std::move(part));
    }
}

} // namespace

Result<std::uint32_t> rankCount(std::span<const ShardAxis> axes) {
    std::uint64_t ranks = 1;
    for (const ShardAxis& axis : axes) {
        ranks *= axis.ranks;
        if (ranks == 0 || ranks > kMaxRanks) {
            return fail(ErrorCode::InvalidArgument, "Invalid rank count")
                .inField("ranks")
                .butFound(verbatim(std::to_string(axis.ranks)))
                .expecting(sentence("1 to %1 in total", kMaxRanks));
        }
    }
    return static_cast<std::uint32_t>(ranks);
}

std::vector<Cut> cutTensor(const Shape& shape, std::span<const ShardAxis> axes,
                           std::uint64_t turn) {
    const bool empty = elementCount(shape).value_or(0) == 0;
    std::vector<Cut> cuts{{0, Box::whole(shape)}};
    for (const ShardAxis& axis : axes) {
        const auto dim = empty ? std::nullopt : dimensionOf(axis, shape.size());
        if (!dim) {
            for (Cut& cut : cuts) {
                cut.rank = cut.rank * axis.ranks + static_cast<std::uint32_t>(turn % axis.ranks);
            }
            turn /= axis.ranks;
            continue;
        }
        std::vector<Cut> parts;
        parts.reserve(cuts.size() * axis.ranks);
        for (const Cut& cut : cuts) {
            divide(cut, *dim, axis.ranks, parts);
        }
        cuts = std::move(parts);
    }
    return cuts;
}

} // namespace cairn::formats::dcp
