// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/slice_shape.h"

namespace cairn {

std::optional<std::size_t> cutDimension(std::span<const Shape> slices, const Shape& whole) {
    std::optional<std::size_t> cut;
    for (const Shape& slice : slices) {
        if (slice.size() != whole.size()) {
            return std::nullopt;
        }
        for (std::size_t d = 0; d < whole.size(); ++d) {
            if (slice[d] != whole[d] && cut.value_or(d) != d) {
                return std::nullopt;
            }
            cut = slice[d] != whole[d] ? std::optional(d) : cut;
        }
    }
    return cut;
}

std::optional<Shape> blockCounts(Shape weight, const Shape& block) {
    if (weight.size() != block.size()) {
        return std::nullopt;
    }
    for (std::size_t d = 0; d < weight.size(); ++d) {
        if (block[d] <= 0) {
            return std::nullopt;
        }
        weight[d] = weight[d] / block[d] + (weight[d] % block[d] == 0 ? 0 : 1);
    }
    return weight;
}

} // namespace cairn
