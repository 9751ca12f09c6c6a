// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/tar/tar_index.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::nemo {

/// The archive's members as a folder. `source`: the tar; `path`: for messages.
FolderPtr folderOf(ByteSourcePtr source, const TarIndex& index, std::filesystem::path path);

/// Turns what was read through such a folder into ranges of the archive itself: pieces and
/// checksums of members are moved to `archive`, their files leave the list; files that are missing,
/// or in memory, stay. A piece that its member is too short for goes, with a notice. `archive`: as
/// CheckpointFile of the tar, listed first.
void moveIntoArchive(CheckpointData& data, CheckpointFile archive);

} // namespace cairn::formats::nemo
