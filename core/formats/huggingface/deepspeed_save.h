// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <string>

namespace cairn::formats::huggingface {

/// Looks whether training can go on from DeepSpeed's own save (`global_step<N>/`) beside weights
/// that are whole without it. What is not there becomes files, notices and reasons of `data`, which
/// is incomplete then. Goes by the names of the save's files, and by the world size that one file
/// of model states tells: the other ranks' files, of which there may be hundreds, are not opened. A
/// file that is cut off shows when the save is opened by itself. Fails: Cancelled, OutsideFolder.
Result<void> noteSave(CheckpointData& data, const OpenRequest& request, const std::string& folder);

} // namespace cairn::formats::huggingface
