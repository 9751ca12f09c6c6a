// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/flat_parts.h"

#include <string>
#include <vector>

namespace cairn::formats::deepspeed {

/// Without ZeRO the optimizer lies in the model states and knows its parameters by number only.
/// They are told apart by their shapes: a group counts when its shapes are the module's parameters
/// in order, with one way to leave some out. Groups for which that is not so stay as they are
/// stored. Marks what it used in the member. Source:
/// deepspeed/runtime/fp16/{fused,unfused}_optimizer.py; torch.optim for fp32.
std::vector<Logical> joinZeroOff(CheckpointData& data, Member& model, const ModelStates& states);

} // namespace cairn::formats::deepspeed
