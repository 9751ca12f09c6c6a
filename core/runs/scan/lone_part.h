// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"

namespace cairn {

/// A checkpoint that was opened from one file, with a notice (ShardsNotJoined) and marked as
/// incomplete if the file is one of several of a save by its name ("rank1.safetensors",
/// "model0-mp2.safetensors") and its tensors are not complete ones of the whole save, which is
/// opened for that. Files whose steps differ are separate saves. `name`: of the file. Fails:
/// Cancelled.
Result<CheckpointPtr> markLonePart(CheckpointPtr file, const Location& named,
                                   const CancelToken& cancel);

} // namespace cairn
