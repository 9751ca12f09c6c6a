// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/index.h"
#include "core/model/checkpoint.h"

#include <span>

/// Megatron-core before 0.15 stored tensors that its distributed optimizer had flattened and cut
/// with a different shape: a tensor [X, Y] in blocks of [x, y] on the ranks became [X / x, Y / y, x
/// * y], with the last dimension cut anywhere. `mcore_data` records the true shape. Source:
/// megatron-core 0.12, dist_checkpointing/strategies/{torch,resharding}.py. Private to this folder.
namespace cairn::formats::dcp {

/// Restores the true shapes of the tensors in `reshaped`, as megatron-core's reader does: each
/// chunk, a run of elements of its block, becomes a few boxes. REQUIRES: `data` from place(), whose
/// pieces all have codecs of this format. A tensor that does not match stays unchanged, with a
/// notice. Linear in the number of chunks.
void unflatten(CheckpointData& data, std::span<const ReshapedTensor> reshaped);

} // namespace cairn::formats::dcp
