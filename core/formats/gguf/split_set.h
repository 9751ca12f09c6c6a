// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::gguf {

/// True if the folder holds parts of a split model: `<base>-<k>-of-<n>.gguf`.
bool hasSplits(const Candidate& folder);

/// Opens one file, and with it the other files of its set when it states that it is one of several;
/// of a folder, the set in it (of several: the whole one that is newest). Missing, stale and
/// contradicting files are notices. Fails when no file can be read at all.
Result<CheckpointPtr> openGguf(const OpenRequest& request);

} // namespace cairn::formats::gguf
