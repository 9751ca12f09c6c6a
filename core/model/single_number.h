// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <optional>

namespace cairn {

/// What a tensor of one element holds: steps, losses and rates are saved so. Nothing: it holds none
/// or several, elements that are not numbers, or cannot be read. Reads the element; any thread.
std::optional<double> singleNumber(const Checkpoint& checkpoint, const TensorEntry& tensor);

} // namespace cairn
