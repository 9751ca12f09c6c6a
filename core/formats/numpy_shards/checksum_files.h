// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/checkpoint.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::formats::numpy_shards {

/// Names of the checkpoint's files -> their places in CheckpointData::files.
using FilePlaces = std::unordered_map<std::string, std::size_t>;

/// What sha256sum and its like left in the folder: SHA256SUMS, md5sums.txt, checksums.txt ("<hex>
/// <name>", line by line), and shard_0.npz.sha256. Files that cannot be read, and lines that are no
/// such, are passed over. At most 4 MiB a file.
std::vector<StoredDigest> digestsBeside(const Folder& folder, std::span<const FolderEntry> entries,
                                        const FilePlaces& places);

} // namespace cairn::formats::numpy_shards
