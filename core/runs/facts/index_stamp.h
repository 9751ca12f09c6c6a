// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/location.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>

/// Shows whether a checkpoint's files are those of an earlier time. Any thread.
namespace cairn {

/// The identity of some files: a digest of name, inode, size, mtime and ctime of each.
using IndexStamp = std::array<std::byte, 16>;

/// The stamp of a checkpoint's files, or of any file or folder with everything in it, 8 levels
/// deep. Empty if it cannot be listed.
std::optional<IndexStamp> stampOf(const std::filesystem::path& path);

/// A stamp and what was listed for it: whoever opens the checkpoint afterwards passes both on.
struct Stamped {
    std::optional<IndexStamp> stamp;
    std::optional<Location::Listed> folder; ///< if it is one that can be listed
};
Stamped stamped(const std::filesystem::path& path);

} // namespace cairn
