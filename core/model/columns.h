// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <cstddef>

namespace cairn {

/// True if the box does not consist of complete rows of the shape, so that its elements are not
/// contiguous. REQUIRES: the box fits the shape.
inline bool takesColumns(const Box& box, const Shape& shape) {
    for (std::size_t d = 1; d < box.extent.size(); ++d) {
        if (box.extent[d] < shape[d]) {
            return true;
        }
    }
    return false;
}

} // namespace cairn
