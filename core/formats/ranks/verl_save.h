// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

/// verl's save of one step: `global_step_20/{actor,critic}/…_world_size_W_rank_R.pt`, with
/// `data.pt` of the data loader beside them.
namespace cairn::formats::ranks {

bool isVerlSave(const Candidate& folder);

/// The actor's tensors and values have their own names, as it is what training is for; the critic's
/// and the data loader's stand under theirs, and are training state. Fails when neither model can
/// be read, and with Cancelled; all else is a notice.
Result<CheckpointPtr> joinVerlSave(const OpenRequest& request);

} // namespace cairn::formats::ranks
