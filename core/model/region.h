// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// The geometry of gathering: boxes of a tensor that are strided in a source and in an output.
/// Internal to TensorReader. Pure.
namespace cairn {

/// One dimension of a region.
struct Axis {
    std::uint64_t extent = 1;
    std::uint64_t source = 0; ///< strides in elements
    std::uint64_t target = 0;
};

/// Elements that are copied together.
struct Region {
    std::vector<Axis> axes;   ///< outermost first, extents > 1, merged where contiguous in both
    std::uint64_t source = 0; ///< relative to the piece's first element
    std::uint64_t target = 0; ///< in the output

    [[nodiscard]] std::uint64_t elements() const {
        std::uint64_t product = 1;
        for (const Axis& axis : axes) {
            product *= axis.extent;
        }
        return product;
    }
    [[nodiscard]] std::uint64_t span() const {
        std::uint64_t last = 0;
        for (const Axis& axis : axes) {
            last += (axis.extent - 1) * axis.source;
        }
        return last + 1;
    }
    /// Whether the same part of several consecutive rows, each of at most `longest` elements, is
    /// requested.
    [[nodiscard]] bool takesColumns(std::uint64_t longest) const {
        const Axis& rows = axes.front();
        const std::uint64_t inRow = span() - (rows.extent - 1) * rows.source;
        return rows.source > 0 && rows.source <= longest &&
               source % rows.source + inRow <= rows.source;
    }
    [[nodiscard]] bool oneRun() const {
        return axes.empty() || (axes.size() == 1 && axes[0].source == 1 && axes[0].target == 1);
    }
};

/// Joins axes that are contiguous on both sides.
void mergeAxes(std::vector<Axis>& axes);

/// The region of `common`, the intersection of a stored piece and a slab of the output.
Region regionOf(const Box& common, const Box& piece, const Strides& strides, const Box& slab);

/// Copies the complete region of elements of `size` bytes; `source` points to its first element.
void scatter(const std::byte* source, std::byte* target, const std::vector<Axis>& axes,
             std::uint64_t size);

/// True when the strided elements of the box are inside `bytes`.
bool spanFits(const Dims& extent, const Strides& strides, std::uint64_t elementBytes,
              std::uint64_t bytes);

/// Splits elements [first, last) of `box` in C order into slabs that are contiguous in it.
std::vector<Box> slabsOf(const Box& box, std::uint64_t first, std::uint64_t last);

} // namespace cairn
