// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <optional>

namespace cairn {

/// The elements of each dimension of a weight that share one scale, from the shapes of both; empty
/// if they do not match. Scales: one for all, one for each row ([m, 1] or [m]), or a grid of
/// blocks, the last ones clipped (DeepSeek: 128 x 128). The size of a block is not recorded: 128 if
/// that matches, else the only power of two that does.
std::optional<Shape> scaleBlock(const Shape& weight, const Shape& scales);

} // namespace cairn
