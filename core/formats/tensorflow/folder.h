// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

/// Folders that are, or contain, TensorFlow checkpoints.
namespace cairn::formats::tensorflow {

/// Kind of a folder, by the names of its entries.
enum class FolderKind : std::uint8_t {
    Other,
    Prefixes,    ///< `<prefix>.index` with shards: one checkpoint, or several of a run
    SavedModel,  ///< saved_model.pb and variables/
    OldPrefixes, ///< files of Saver(write_version=V1), judged by name: one checkpoint or several
    Parts,       ///< part-00000-of-00002.index: files of workers that were not merged
};
FolderKind folderKind(std::span<const FolderEntry> entries);

/// Every checkpoint that the names identify: those with an index, and V1 shards, of which the first
/// is the file to open.
std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries);

/// Opens a folder; if there are several checkpoints, the newest complete one, or the newest if none
/// is complete. The path of the result is that of the prefix.
Result<CheckpointPtr> openFolder(const OpenRequest& request);

/// Opens `<prefix>.index` in request.folder, and its shards.
Result<CheckpointPtr> openPrefix(const OpenRequest& request, const std::string& prefix,
                                 std::filesystem::path path);

} // namespace cairn::formats::tensorflow
