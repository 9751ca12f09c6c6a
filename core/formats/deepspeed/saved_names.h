// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/file_names.h"
#include "core/formats/format.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::deepspeed {

/// Reports the files that were saved for another rank or layer and then renamed, so that slices are
/// not joined in the wrong order: torch.save names the folder in its archive after the file.
/// Archives with any other name prove nothing. Reads up to 286 bytes of each file.
void checkSavedNames(const OpenRequest& request, const FileSet& files, CheckpointData& data);

} // namespace cairn::formats::deepspeed
