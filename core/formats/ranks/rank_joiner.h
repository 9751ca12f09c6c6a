// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::ranks {

/// Opens a folder of what every rank saved for itself as one checkpoint of complete tensors.
/// Fails: what opening the first rank's file states, when none can be opened; Cancelled.
Result<CheckpointPtr> joinRanks(const OpenRequest& request);

} // namespace cairn::formats::ranks
