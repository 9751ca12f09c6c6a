// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/index.h"
#include "core/model/checkpoint.h"

#include <span>

/// Megatron-core before 0.15 stored what its distributed optimizer had flattened and cut in another
/// shape: a tensor [X, Y] that lay on the ranks in blocks of [x, y] as [X / x, Y / y, x * y], the
/// last dimension cut anywhere. `mcore_data` keeps the true shape. Source: megatron-core 0.12,
/// dist_checkpointing/strategies/{torch,resharding}.py. Private to this folder.
namespace cairn::formats::dcp {

/// Gives the tensors that `reshaped` names their true shapes, as megatron-core's reader would: each
/// chunk, a run of elements of its block, becomes a few boxes. REQUIRES: `data` is what place()
/// made, all of its pieces carry codecs of this format. What does not fit is left as it is stored,
/// with a notice. Linear in chunks.
void unflatten(CheckpointData& data, std::span<const ReshapedTensor> reshaped);

} // namespace cairn::formats::dcp
