// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/checkpoint.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::formats::numpy_shards {

/// Names of the checkpoint's files -> positions in CheckpointData::files.
using FilePlaces = std::unordered_map<std::string, std::size_t>;

/// Reads checksum files in the folder: SHA256SUMS, md5sums.txt, checksums.txt ("<hex> <name>" in
/// each line), and shard_0.npz.sha256. Unreadable files and other lines are skipped. At most 4 MiB
/// per file.
std::vector<StoredDigest> digestsBeside(const Folder& folder, std::span<const FolderEntry> entries,
                                        const FilePlaces& places);

} // namespace cairn::formats::numpy_shards
