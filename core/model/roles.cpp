// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_entry.h"

namespace cairn {

std::string_view roleName(Role role) {
    switch (role) {
    case Role::Weight:
        return "weight";
    case Role::Buffer:
        return "buffer";
    case Role::Optimizer:
        return "optimizer";
    case Role::Ema:
        return "ema";
    case Role::Scheduler:
        return "scheduler";
    case Role::Rng:
        return "rng";
    case Role::TrainingState:
        return "training_state";
    case Role::Other:
        return "other";
    }
    return "other";
}

} // namespace cairn
