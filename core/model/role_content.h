// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn {

/// Facts about one part of a checkpoint, from the names and kinds of its tensors.
struct RoleContent {
    bool optimizer = false;  ///< has names that only optimizers use
    bool parameters = false; ///< has names of module parameters
    bool whole = true;       ///< has no floating-point numbers
    bool words = false;      ///< has arrays of the dtypes in which generators store their state
    bool arrays = false;     ///< has arrays of floating-point numbers
    [[nodiscard]] bool generator() const { return whole && words; }
    /// Whether the content contradicts the role: schedulers, gradient scalers and loop counters
    /// only have single numbers (an array such as "scheduler.betas" belongs to a model), and
    /// generators only integers.
    [[nodiscard]] bool unlike(Role role) const;
};

/// Linear in the lengths of the names.
RoleContent roleContent(const std::vector<std::size_t>& positions,
                        std::span<const TensorEntry> tensors);

} // namespace cairn
