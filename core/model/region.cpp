// SPDX-License-Identifier: Apache-2.0
#include "core/model/region.h"

#include "core/base/checked.h"

#include <cstring>
#include <utility>

namespace cairn {
namespace {

template <std::size_t Size>
void copyStrided(const std::byte* source, std::uint64_t sourceStride, std::byte* target,
                 std::uint64_t targetStride, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        std::memcpy(target + i * targetStride * Size, source + i * sourceStride * Size, Size);
    }
}

void copyAxis(const std::byte* source, std::byte* target, const Axis& axis, std::uint64_t size) {
    if (axis.source == 1 && axis.target == 1) {
        std::memcpy(target, source, axis.extent * size);
        return;
    }
    switch (size) {
    case 1:
        return copyStrided<1>(source, axis.source, target, axis.target, axis.extent);
    case 2:
        return copyStrided<2>(source, axis.source, target, axis.target, axis.extent);
    case 4:
        return copyStrided<4>(source, axis.source, target, axis.target, axis.extent);
    case 8:
        return copyStrided<8>(source, axis.source, target, axis.target, axis.extent);
    case 16:
        return copyStrided<16>(source, axis.source, target, axis.target, axis.extent);
    default: // blocks
        for (std::uint64_t i = 0; i < axis.extent; ++i) {
            std::memcpy(target + i * axis.target * size, source + i * axis.source * size, size);
        }
    }
}

/// From dimension `dim` on; `prefix` fixes the previous ones.
void addSlabs(const Box& box, std::size_t dim, Box prefix, std::uint64_t first, std::uint64_t last,
              std::vector<Box>& out) {
    if (first >= last) {
        return;
    }
    if (dim == box.extent.size()) {
        out.push_back(std::move(prefix));
        return;
    }
    std::uint64_t inner = 1;
    for (std::size_t d = dim + 1; d < box.extent.size(); ++d) {
        inner *= static_cast<std::uint64_t>(box.extent[d]);
    }
    const auto rows = [&](std::uint64_t begin, std::uint64_t end) {
        Box rowBox = prefix;
        rowBox.origin[dim] = box.origin[dim] + static_cast<std::int64_t>(begin);
        rowBox.extent[dim] = static_cast<std::int64_t>(end - begin);
        return rowBox;
    };
    std::uint64_t row = first / inner;
    const std::uint64_t endRow = last / inner;
    if (row == endRow) {
        addSlabs(box, dim + 1, rows(row, row + 1), first % inner, last - row * inner, out);
        return;
    }
    if (first % inner != 0) {
        addSlabs(box, dim + 1, rows(row, row + 1), first % inner, inner, out);
        ++row;
    }
    if (row < endRow) {
        out.push_back(rows(row, endRow));
    }
    if (last % inner != 0) {
        addSlabs(box, dim + 1, rows(endRow, endRow + 1), 0, last % inner, out);
    }
}

} // namespace

void mergeAxes(std::vector<Axis>& axes) {
    std::vector<Axis> merged;
    for (const Axis& axis : axes) {
        if (axis.extent == 1) {
            continue;
        }
        if (!merged.empty() && merged.back().source == axis.source * axis.extent &&
            merged.back().target == axis.target * axis.extent) {
            merged.back() = {merged.back().extent * axis.extent, axis.source, axis.target};
        } else {
            merged.push_back(axis);
        }
    }
    axes = std::move(merged);
}

Region regionOf(const Box& common, const Box& piece, const Strides& strides, const Box& slab) {
    Region region;
    const Strides dense = denseStrides(slab.extent);
    for (std::size_t d = 0; d < common.origin.size(); ++d) {
        const Axis axis{static_cast<std::uint64_t>(common.extent[d]),
                        static_cast<std::uint64_t>(strides[d]),
                        static_cast<std::uint64_t>(dense[d])};
        region.source +=
            static_cast<std::uint64_t>(common.origin[d] - piece.origin[d]) * axis.source;
        region.target +=
            static_cast<std::uint64_t>(common.origin[d] - slab.origin[d]) * axis.target;
        region.axes.push_back(axis);
    }
    mergeAxes(region.axes);
    return region;
}

/// Iterates over all axes except the innermost.
void scatter(const std::byte* source, std::byte* target, const std::vector<Axis>& axes,
             std::uint64_t size) {
    if (axes.empty()) {
        std::memcpy(target, source, size);
        return;
    }
    std::vector<std::uint64_t> position(axes.size() - 1, 0);
    while (true) {
        copyAxis(source, target, axes.back(), size);
        std::size_t d = position.size();
        while (d > 0) {
            const Axis& axis = axes[d - 1];
            source += axis.source * size;
            target += axis.target * size;
            if (++position[d - 1] < axis.extent) {
                break;
            }
            source -= axis.extent * axis.source * size;
            target -= axis.extent * axis.target * size;
            position[d - 1] = 0;
            --d;
        }
        if (d == 0) {
            return;
        }
    }
}

bool spanFits(const Dims& extent, const Strides& strides, std::uint64_t elementBytes,
              std::uint64_t bytes) {
    if (strides.size() != extent.size()) {
        return false;
    }
    std::uint64_t last = 0;
    for (std::size_t d = 0; d < extent.size(); ++d) {
        if (strides[d] < 0 || extent[d] <= 0) {
            return extent[d] == 0;
        }
        const auto reach = checkedMul(static_cast<std::uint64_t>(extent[d] - 1),
                                      static_cast<std::uint64_t>(strides[d]));
        const auto sum = reach ? checkedAdd(last, *reach) : std::nullopt;
        if (!sum) {
            return false;
        }
        last = *sum;
    }
    const auto count = checkedAdd(last, 1);
    const auto size = count ? checkedMul(*count, elementBytes) : std::nullopt;
    return size && *size <= bytes;
}

std::vector<Box> slabsOf(const Box& box, std::uint64_t first, std::uint64_t last) {
    std::vector<Box> slabs;
    addSlabs(box, 0, box, first, last, slabs);
    return slabs;
}

} // namespace cairn
