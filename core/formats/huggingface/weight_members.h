// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/huggingface/member_adder.h"
#include "core/formats/huggingface/weight_source.h"

namespace cairn::formats::huggingface {

/// Adds the shards of the chosen weights under their own names, as listed in the index, otherwise
/// as numbered in the file names. Missing shards and contradictions to the index become notices.
/// Fails: OutsideFolder (an index that points outside), Cancelled.
Result<void> addWeightSource(MemberAdder& members, const WeightSource& weights);

} // namespace cairn::formats::huggingface
