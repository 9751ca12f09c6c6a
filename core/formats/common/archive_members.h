// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

namespace cairn::formats {

/// Turns what was read through the folder of an archive's members (io/member_folder.h) into ranges
/// of the archive itself: pieces and checksums of members are moved to `archive`, their files leave
/// the list; files that are missing, or in memory, stay. A piece that its member is too short for
/// goes, with a notice. `archive`: as CheckpointFile of the whole, listed first.
void moveIntoArchive(CheckpointData& data, CheckpointFile archive);

} // namespace cairn::formats
