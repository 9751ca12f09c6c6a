// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::deepspeed {

/// One save: the folder with the files of all ranks, as one set of logical tensors. Fails when none
/// of its files can be read, with the first error, and with Cancelled.
Result<CheckpointPtr> readTagFolder(const OpenRequest& request);

/// The folder above: opens the save that `latest` names, or the newest complete one when that
/// cannot be, and states what was passed over.
Result<CheckpointPtr> readRootFolder(const OpenRequest& request);

} // namespace cairn::formats::deepspeed
