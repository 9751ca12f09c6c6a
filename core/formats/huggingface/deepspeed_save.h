// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <span>
#include <string>

namespace cairn::formats::huggingface {

/// The DeepSpeed save from which training would resume: the one that the file `latest` names, else
/// the last of `saves`, which are in natural order; empty: none. A pointer to a missing save
/// becomes a notice of `data`.
std::string newestSave(CheckpointData& data, const OpenRequest& request,
                       std::span<const std::string> saves);

/// Checks whether training can be resumed from DeepSpeed's own save (`global_step<N>/`) next to
/// weights that are complete without it. Missing files are added to `data` as files, notices and
/// reasons for incompleteness. Uses the names of the save's files, and the world size in one file
/// of model states; the other ranks' files, of which there may be hundreds, are not opened. A
/// truncated file is detected when the save itself is opened. Fails: Cancelled, OutsideFolder.
Result<void> noteSave(CheckpointData& data, const OpenRequest& request, const std::string& folder);

} // namespace cairn::formats::huggingface
