// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/numpy_shards/shard_names.h"

namespace cairn::formats::numpy_shards {

/// Opens a folder of arrays as one checkpoint, by the rules in README.md. Fails if no file can be
/// read, and with Cancelled; all other errors become notices.
Result<CheckpointPtr> joinFolder(const OpenRequest& request, const FolderNames& names);

} // namespace cairn::formats::numpy_shards
