// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::huggingface {

/// The complete folder as one checkpoint: weights under their own names, every other file under its
/// stem. Missing, stale and stray files and everything that contradicts the index are notices.
/// Fails: OutsideFolder (an index that points outside), Cancelled, and with the first error when
/// nothing at all can be read.
Result<CheckpointPtr> joinFolder(const OpenRequest& request);

} // namespace cairn::formats::huggingface
