// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/scale_blocks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

namespace cairn {
namespace {

std::int64_t blocksOf(std::int64_t extent, std::int64_t block) {
    return (extent + block - 1) / block;
}

/// Neither one scale for the dimension nor one for each element.
bool isBlocked(std::int64_t extent, std::int64_t scales) {
    return scales != 1 && scales != extent;
}

/// Sizes of square blocks with which the last one of each dimension is at most clipped.
struct Sizes {
    std::int64_t least = 1;
    std::int64_t most = std::int64_t{1} << 40U;
    [[nodiscard]] bool contains(std::int64_t size) const { return size >= least && size <= most; }
};

Sizes squaresOf(const Shape& weight, const Shape& scales) {
    Sizes sizes;
    for (std::size_t d = 0; d < weight.size(); ++d) {
        if (isBlocked(weight[d], scales[d])) {
            sizes.least = std::max(sizes.least, blocksOf(weight[d], scales[d]));
            sizes.most = std::min(sizes.most, blocksOf(weight[d], scales[d] - 1) - 1);
        }
    }
    return sizes;
}

/// The only plausible size of square blocks; empty: none, or several.
std::optional<std::int64_t> squareOf(const Shape& weight, const Shape& scales) {
    constexpr std::int64_t kUsualBlock = 128;
    const Sizes sizes = squaresOf(weight, scales);
    std::set<std::int64_t> plausible;
    if (sizes.contains(kUsualBlock)) {
        plausible.insert(kUsualBlock);
    }
    const auto power =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(sizes.least)));
    if (sizes.contains(power)) {
        plausible.insert(power);
    }
    for (std::size_t d = 0; d < weight.size(); ++d) {
        constexpr std::int64_t kUnit = 16; // writers take multiples of it
        if (isBlocked(weight[d], scales[d]) && weight[d] % (scales[d] * kUnit) == 0 &&
            sizes.contains(weight[d] / scales[d])) {
            plausible.insert(weight[d] / scales[d]);
        }
    }
    return plausible.size() == 1 ? std::optional(*plausible.begin()) : std::nullopt;
}

bool isOneEachRow(const Shape& weight, const Shape& scales) {
    return scales.size() == 1 && weight.size() > 1 && scales[0] == weight[0];
}

} // namespace

bool scalesFit(const Shape& weight, const Shape& scales) {
    if (elementCount(scales) == 1 || isOneEachRow(weight, scales)) {
        return true;
    }
    if (scales.size() != weight.size()) {
        return false;
    }
    bool divides = true;
    for (std::size_t d = 0; d < weight.size(); ++d) {
        if (scales[d] < 1 || scales[d] > std::max<std::int64_t>(weight[d], 1)) {
            return false;
        }
        divides = divides && weight[d] % scales[d] == 0;
    }
    const Sizes squares = squaresOf(weight, scales);
    return divides || squares.least <= squares.most;
}

std::optional<Shape> scaleBlock(const Shape& weight, const Shape& scales,
                                const std::optional<Shape>& recorded) {
    if (!scalesFit(weight, scales)) {
        return std::nullopt;
    }
    Shape block = weight;
    for (std::int64_t& extent : block) {
        extent = std::max<std::int64_t>(extent, 1);
    }
    if (elementCount(scales) == 1) {
        return block; // one for all elements
    }
    if (isOneEachRow(weight, scales)) {
        block[0] = 1;
        return block;
    }
    std::optional<std::int64_t> square;
    for (std::size_t d = 0; d < weight.size(); ++d) {
        if (scales[d] == weight[d]) {
            block[d] = 1;
        }
        if (!isBlocked(weight[d], scales[d])) {
            continue;
        }
        if (recorded && d + recorded->size() >= weight.size()) {
            block[d] = (*recorded)[d + recorded->size() - weight.size()];
        } else {
            square = square ? square : squareOf(weight, scales);
            if (!square) {
                return std::nullopt;
            }
            block[d] = *square;
        }
        if (blocksOf(weight[d], block[d]) != scales[d]) {
            return std::nullopt;
        }
    }
    return block;
}

std::optional<Shape> recordedBlock(const ModelConfig& config) {
    const auto rows = config.integer("quantization_config.weight_block_size.0");
    const auto columns = config.integer("quantization_config.weight_block_size.1");
    return rows && columns && *rows > 0 && *columns > 0 ? std::optional(Shape{*rows, *columns})
                                                        : std::nullopt;
}

} // namespace cairn
