// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::torch {

/// A pickle file without an archive around it (optimizer states by pickle.dump, RNG states,
/// converted models).
bool looksLikePickle(const Candidate& candidate);

/// Fails with Pickle* codes, and NotACheckpoint when it holds one plain value only.
Result<CheckpointPtr> openBarePickle(const OpenRequest& request, const ByteSourcePtr& source);

} // namespace cairn::formats::torch
