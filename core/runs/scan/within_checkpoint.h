// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"

#include <filesystem>
#include <vector>

namespace cairn {

/// Checkpoints in the folder of another one that its reader does not use: the same model in a
/// second format, shards that were consolidated beside the result. Searches the files that are not
/// `checkpoint`'s, and the folders that contain none of its files. Empty for a single file. Cheap,
/// like scanExperiment(); what cannot be listed is skipped. Any thread.
std::vector<std::filesystem::path> checkpointsWithin(const Checkpoint& checkpoint,
                                                     const CancelToken& cancel = {});

} // namespace cairn
