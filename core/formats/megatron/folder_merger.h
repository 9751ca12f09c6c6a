// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::megatron {

/// One legacy save: the files of all model parallel ranks as one set of logical tensors. Fails when
/// none of them can be read, with the first error, and with Cancelled.
Result<CheckpointPtr> mergeFolder(const OpenRequest& request);

} // namespace cairn::formats::megatron
