// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/training_state.h"

#include <optional>
#include <string_view>

/// Internal to training_state.cpp: the state of an optimizer that ZeRO keeps in flat partitions, by
/// the tensors that the reader made of them.
namespace cairn {

/// By name, from `param_shapes` (which parameters, in which group and order), the tensors
/// "PARAMETER.exp_avg", and the settings and steps of the flat groups. Null: the values do not
/// describe all of the optimizer's tensors (pipelines, experts, tensor parallelism). Source:
/// deepspeed 0.19, runtime/zero/stage_1_and_2.py and stage3.py (state_dict),
/// checkpoint/ds_to_universal.py.
std::optional<OptimizerState> deepSpeedOptimizer(const Checkpoint& checkpoint, const Value& values);

/// Keys of DeepSpeed's own: everything else is the program's.
bool isDeepSpeedKey(std::string_view key);

} // namespace cairn
