// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/member_adder.h"
#include "core/formats/huggingface/weight_source.h"

namespace cairn::formats::huggingface {

/// Adds the shards of the chosen weights under their own names, as their index lists them, else as
/// their names do. What contradicts the index or is missing is a notice. Fails: OutsideFolder (an
/// index that points outside), Cancelled.
Result<void> addWeightSource(MemberAdder& members, const WeightSource& weights);

} // namespace cairn::formats::huggingface
