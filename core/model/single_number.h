// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <optional>

namespace cairn {

/// The value of a one-element tensor: steps, losses and learning rates are often saved so. Empty:
/// not one element, not a number, unreadable, or not what its checksum was computed of. Reads the
/// element; any thread.
std::optional<double> singleNumber(const Checkpoint& checkpoint, const TensorEntry& tensor);

} // namespace cairn
