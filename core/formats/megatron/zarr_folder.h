// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::megatron {

/// Whether megatron-core's dist_checkpointing wrote the folder with the zarr backend, or it looks
/// like one without its last file. The torch_dist backend is handled by formats/dcp.
bool isZarrSave(const Candidate& candidate);

/// Opens a save of the `zarr` backend: each folder with `.zarray` is a tensor under its key,
/// whatever ranks wrote it; in addition there are common.pt and the folders of sharded objects.
/// Fails: Unsupported (another backend), the errors of reading `metadata.json`, LimitExceeded,
/// Cancelled.
Result<CheckpointPtr> readZarrSave(const OpenRequest& request);

} // namespace cairn::formats::megatron
