// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"

#include <cstddef>
#include <optional>
#include <span>

namespace cairn {

/// The dimension in which slices of a tensor differ from the whole, and no other. Nothing: several,
/// none, or slices of other ranks. Pure.
std::optional<std::size_t> cutDimension(std::span<const Shape> slices, const Shape& whole);

/// How many blocks a weight has in each dimension, the last ones clipped. Nothing: the block has
/// other dimensions, or none in one of them.
std::optional<Shape> blockCounts(Shape weight, const Shape& block);

} // namespace cairn
