// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::huggingface {

/// Opens the complete folder as one checkpoint: weights under their names, every other file under
/// its stem. Missing, stale and stray files and contradictions to the index become notices. Fails:
/// OutsideFolder (an index that points outside), Cancelled, and with the first error if nothing can
/// be read.
Result<CheckpointPtr> joinFolder(const OpenRequest& request);

} // namespace cairn::formats::huggingface
