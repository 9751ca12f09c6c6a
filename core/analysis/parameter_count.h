// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/weight_values.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

/// How many numbers the weights among these tensors have, as a model card states it: buffers do not
/// count, tied weights once, a quantised weight by its numbers rather than by its codes. Empty:
/// codes whose layout is not known are among them. Pure.
std::optional<std::uint64_t> parameterCount(const WeightValues& weights,
                                            std::span<const TensorIndex> tensors);

/// Of all tensors.
std::optional<std::uint64_t> parameterCount(const WeightValues& weights);

/// Sums of some tensors of a checkpoint, as they are stored.
struct TensorSums {
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0;                           ///< tied ones once
    std::uint64_t bytes = 0;                              ///< tied ones once
    std::vector<std::pair<Dtype, std::uint64_t>> byDtype; ///< most bytes first
};
TensorSums sumsOf(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors);

} // namespace cairn
