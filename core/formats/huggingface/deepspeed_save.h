// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <span>
#include <string>

namespace cairn::formats::huggingface {

/// Which of DeepSpeed's own saves training would continue from: the one that the file `latest`
/// names, where that exists, else the last of `saves`, which are in natural order; empty: there is
/// none. A file that points nowhere is a notice of `data`.
std::string newestSave(CheckpointData& data, const OpenRequest& request,
                       std::span<const std::string> saves);

/// Looks whether training can continue from DeepSpeed's own save (`global_step<N>/`) beside weights
/// that are complete without it. What is missing becomes files, notices and reasons of `data`,
/// which is incomplete then. Goes by the names of the save's files, and by the world size that one
/// file of model states shows: the other ranks' files, of which there may be hundreds, are not
/// opened. A file that is truncated shows when the save is opened by itself. Fails: Cancelled,
/// OutsideFolder.
Result<void> noteSave(CheckpointData& data, const OpenRequest& request, const std::string& folder);

} // namespace cairn::formats::huggingface
