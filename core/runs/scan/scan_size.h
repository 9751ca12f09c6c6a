// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <span>

/// Disk usage of a checkpoint. Used by the experiment scan.
namespace cairn {

struct ScannedSize {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0; ///< latest modification, since 1970
};

inline constexpr int kSizedLevels = 8; ///< levels below a checkpoint's folder

/// Sums over all files in a checkpoint's folder with these entries, up to `levels` deep and up to a
/// limit. Separate checkpoints directly in it are excluded; unlistable folders count as empty.
/// Reads no file.
ScannedSize sizeOfFolder(const Folder& folder, std::span<const FolderEntry> entries,
                         int levels = kSizedLevels);

} // namespace cairn
