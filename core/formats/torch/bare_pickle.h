// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::torch {

/// A pickle file without an archive (optimizer states from pickle.dump, RNG states, converted
/// models).
bool looksLikePickle(const Candidate& candidate);

/// Fails with Pickle* codes, and NotACheckpoint if it contains only one plain value.
Result<CheckpointPtr> openBarePickle(const OpenRequest& request, const ByteSourcePtr& source);

} // namespace cairn::formats::torch
