// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::megatron {

/// A folder that megatron-core's dist_checkpointing wrote, or a Zarr one like it without its last
/// file. torch_dist is another one: that is formats/dcp's.
bool isZarrSave(const Candidate& candidate);

/// One save of the `zarr` back end: each folder with `.zarray` is a tensor under its key, whatever
/// ranks wrote it; beside them common.pt and the folders of sharded objects. Fails: Unsupported
/// (another back end), what reading `metadata.json` states, LimitExceeded, Cancelled.
Result<CheckpointPtr> readZarrSave(const OpenRequest& request);

} // namespace cairn::formats::megatron
