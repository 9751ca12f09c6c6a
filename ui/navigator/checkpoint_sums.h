// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// What the navigator and the status line say of an opened checkpoint. Made in the worker that
/// opens it, because it takes a pass over all tensors. Immutable.
struct CheckpointSums {
    struct Group {
        Role role = Role::Other; ///< words::group()
        std::uint64_t tensors = 0;
        std::uint64_t bytes = 0; ///< tied tensors count once
        QString filter;          ///< of the Tensors page: "role:weight,buffer"
    };
    Totals totals;
    std::vector<Group> groups; ///< in order of the roles; none is empty
};
using CheckpointSumsPtr = std::shared_ptr<const CheckpointSums>;

CheckpointSumsPtr sumsOf(const Checkpoint& checkpoint);

} // namespace cairn::ui
