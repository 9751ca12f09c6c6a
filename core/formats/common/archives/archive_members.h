// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

namespace cairn::formats {

/// Converts a checkpoint that was read through a folder of archive members (io/member_folder.h)
/// into ranges of the archive itself: pieces and checksums of members refer to `archive`, and the
/// members are removed from the file list. Files that are missing or in memory stay. A piece that
/// extends beyond its member is removed with a notice. `archive`: the CheckpointFile of the
/// complete archive, which becomes the first file.
void moveIntoArchive(CheckpointData& data, CheckpointFile archive);

} // namespace cairn::formats
