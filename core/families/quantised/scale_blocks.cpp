// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/scale_blocks.h"

#include <algorithm>
#include <cstdint>

namespace cairn {
namespace {

std::int64_t blocksOf(std::int64_t extent, std::int64_t block) {
    return (extent + block - 1) / block;
}

/// Elements of one dimension that share a scale.
std::optional<std::int64_t> blockOf(std::int64_t extent, std::int64_t scales) {
    if (scales == 1) {
        return std::max<std::int64_t>(extent, 1);
    }
    if (scales == extent) {
        return 1;
    }
    constexpr std::int64_t kUsualBlock = 128;
    if (blocksOf(extent, kUsualBlock) == scales) {
        return kUsualBlock;
    }
    std::optional<std::int64_t> found;
    for (std::int64_t block = 2; block < extent; block *= 2) {
        if (blocksOf(extent, block) == scales) {
            if (found) {
                return std::nullopt;
            }
            found = block;
        }
    }
    return found;
}

} // namespace

std::optional<Shape> scaleBlock(const Shape& weight, const Shape& scales) {
    Shape block = weight;
    for (std::int64_t& extent : block) {
        extent = std::max<std::int64_t>(extent, 1);
    }
    if (elementCount(scales) == 1) {
        return block; // one for all elements
    }
    Shape grid = scales;
    if (scales.size() == 1 && weight.size() > 1 && scales[0] == weight[0]) {
        block[0] = 1; // one per row
        return block;
    }
    if (grid.size() != weight.size()) {
        return std::nullopt;
    }
    for (std::size_t d = 0; d < weight.size(); ++d) {
        const auto extent = blockOf(weight[d], grid[d]);
        if (!extent) {
            return std::nullopt;
        }
        block[d] = *extent;
    }
    return block;
}

} // namespace cairn
