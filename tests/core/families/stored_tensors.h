// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/names/recipe.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// Checkpoints in memory for tests of recipes.
namespace cairn {

struct Stored {
    std::string name;
    Shape shape;
};

/// Tensors of uint8 whose elements count on from 0 through all of them.
CheckpointPtr checkpointOf(const std::vector<Stored>& tensors);
std::vector<NamedTensor> all(const Checkpoint& checkpoint);
/// "name shape: elements" of each tensor.
std::vector<std::string> shown(const Checkpoint& checkpoint);

} // namespace cairn
