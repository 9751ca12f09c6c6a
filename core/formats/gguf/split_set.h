// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::gguf {

/// True if the folder contains parts of a split model: `<base>-<k>-of-<n>.gguf`.
bool hasSplits(const Candidate& folder);

/// Opens a file, and the other files of its set if it declares that it is one of several. For a
/// folder, opens the set in it (if there are several, the newest complete one). Missing, stale and
/// contradicting files become notices. Fails if no file can be read at all.
Result<CheckpointPtr> openGguf(const OpenRequest& request);

} // namespace cairn::formats::gguf
