// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/compute_backend.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cairn {

/// Calls use(begin, end, scale) for each run along the last dimension, of elements [first, first +
/// count) of the scales' box, that shares one scale; begin and end are relative to `first`.
template <class Use>
void eachScaleRun(const BlockScales& scales, std::uint64_t first, std::size_t count, Use use) {
    const Box& box = scales.box;
    const std::size_t rank = box.extent.size();
    for (std::size_t i = 0; i < count;) {
        std::uint64_t rest = first + i;
        std::uint64_t scale = 0;
        std::uint64_t stride = 1;
        std::uint64_t run = 1;
        for (std::size_t d = rank; d-- > 0;) {
            const auto extent = static_cast<std::uint64_t>(box.extent[d]);
            const std::uint64_t within = rest % extent;
            const auto at = static_cast<std::uint64_t>(box.origin[d]) + within;
            const auto block = static_cast<std::uint64_t>(scales.block[d]);
            scale += at / block * stride;
            stride *= static_cast<std::uint64_t>(scales.grid[d]);
            run = d + 1 == rank ? std::min(block - at % block, extent - within) : run;
            rest /= extent;
        }
        const std::size_t end =
            i + static_cast<std::size_t>(std::min<std::uint64_t>(run, count - i));
        use(i, end, scales.values[static_cast<std::size_t>(scale)]);
        i = end;
    }
}

} // namespace cairn
