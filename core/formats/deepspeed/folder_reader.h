// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::deepspeed {

/// Opens a save: a folder with the files of all ranks, as one set of logical tensors. Fails with
/// the first error if none of its files can be read, and with Cancelled.
Result<CheckpointPtr> readTagFolder(const OpenRequest& request);

/// Opens the parent folder: the save that `latest` names, or the newest complete one if that is not
/// possible, and reports which saves were skipped.
Result<CheckpointPtr> readRootFolder(const OpenRequest& request);

} // namespace cairn::formats::deepspeed
