// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

/// verl's save of one step: `global_step_20/{actor,critic}/…_world_size_W_rank_R.pt`, and `data.pt`
/// of the data loader.
namespace cairn::formats::ranks {

bool isVerlSave(const Candidate& folder);

/// The actor's tensors and values keep their names, because the actor is the trained model; those
/// of the critic and the data loader get a prefix and are training state. Fails if neither model
/// can be read, and with Cancelled; other errors become notices.
Result<CheckpointPtr> joinVerlSave(const OpenRequest& request);

} // namespace cairn::formats::ranks
