// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn {

/// Facts about one part of a checkpoint, from the names and kinds of its tensors.
struct RoleContent {
    bool optimizer = false;  ///< names that only optimizers have
    bool parameters = false; ///< names that modules give to their parameters
    bool whole = true;       ///< no floating-point numbers, and:
    bool words = false;      ///< arrays of the types in which generators keep their state
    bool arrays = false;     ///< of floating-point numbers
    [[nodiscard]] bool generator() const { return whole && words; }
    /// "scaler.mean" of 3 numbers, "scheduler.betas": gradients are scaled by one number, and
    /// schedulers of learning rates and counters of loops hold single ones, too. Models keep arrays
    /// so. Generators keep whole numbers.
    [[nodiscard]] bool unlike(Role role) const;
};

/// Linear in the names' lengths.
RoleContent roleContent(const std::vector<std::size_t>& positions,
                        std::span<const TensorEntry> tensors);

} // namespace cairn
