// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::ranks {

/// Opens a folder of files saved by each rank as one checkpoint of complete tensors. Fails: the
/// error for the first rank's file if none can be opened; Cancelled.
Result<CheckpointPtr> joinRanks(const OpenRequest& request);

} // namespace cairn::formats::ranks
