// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>

/// What a checkpoint takes on disk. Used by the experiment scan.
namespace cairn {

struct ScannedSize {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0; ///< newest modification, since 1970
};

inline constexpr int kSizedLevels = 8; ///< below a checkpoint's folder

/// Of all files in a checkpoint's folder and the `levels` below it, up to a limit. Checkpoints of
/// their own right in it are left out; what cannot be listed counts nothing. Reads no file.
ScannedSize sizeOfFolder(const Folder& folder, int levels = kSizedLevels);

} // namespace cairn
