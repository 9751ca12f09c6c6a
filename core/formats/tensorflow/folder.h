// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

/// Folders that are, or hold, TensorFlow checkpoints.
namespace cairn::formats::tensorflow {

/// What a folder's entries record.
enum class FolderKind : std::uint8_t {
    Other,
    Prefixes,    ///< `<prefix>.index` with shards: one checkpoint or several of a run
    SavedModel,  ///< saved_model.pb and variables/
    OldPrefixes, ///< files of Saver(write_version=V1), as their names record: one checkpoint or
                 ///< several
    Parts,       ///< part-00000-of-00002.index: workers' files that were not merged yet
};
FolderKind folderKind(std::span<const FolderEntry> entries);

/// Every checkpoint that names describe: those with an index, and the shards of V1's savers, of
/// which the first stands for all.
std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries);

/// Opens it; of several checkpoints the newest complete one, and if none is complete the newest.
/// Its path is then that of the prefix.
Result<CheckpointPtr> openFolder(const OpenRequest& request);

/// `<prefix>.index` in request.folder, and its shards.
Result<CheckpointPtr> openPrefix(const OpenRequest& request, const std::string& prefix,
                                 std::filesystem::path path);

} // namespace cairn::formats::tensorflow
