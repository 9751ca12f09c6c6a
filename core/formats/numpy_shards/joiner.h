// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/numpy_shards/shard_names.h"

namespace cairn::formats::numpy_shards {

/// Opens a folder of arrays as one checkpoint: README.md shows by which rules. Fails when no file
/// of it can be read, and with Cancelled; all else is a notice.
Result<CheckpointPtr> joinFolder(const OpenRequest& request, const FolderNames& names);

} // namespace cairn::formats::numpy_shards
