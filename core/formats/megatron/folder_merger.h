// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::megatron {

/// Opens a legacy save: the files of all model parallel ranks as one set of logical tensors. Fails
/// with the first error if none of them can be read, and with Cancelled.
Result<CheckpointPtr> mergeFolder(const OpenRequest& request);

} // namespace cairn::formats::megatron
