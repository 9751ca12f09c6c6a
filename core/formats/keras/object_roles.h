// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <span>
#include <string_view>

/// What the places in a file of Keras are for. Pure.
namespace cairn::formats::keras {

Role roleOf(std::string_view path);

/// How likely a path is the number of optimizer steps: 0 not at all, else smaller is better. It is
/// the optimizer's first variable; LossScaleOptimizer has one that stays 0, so the inner
/// optimizer's is used.
int stepRank(std::string_view path);

/// Gives optimizers their role that are attributes of the program's own model ("judge_optimizer"):
/// named like one, and the first variable counts steps. `tensors`: of one file.
void findOptimizers(std::span<TensorEntry> tensors);

} // namespace cairn::formats::keras
