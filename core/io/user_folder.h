// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <filesystem>
#include <string>

/// The user's own folders for what programs keep. Source: XDG Base Directory Specification 0.8.
namespace cairn {

/// "cairn" in the folder that `variable` (XDG_CACHE_HOME, XDG_STATE_HOME) names with an absolute
/// path, else in `fallback` (".cache", ".local/state") of the home folder. Empty: there is no home.
std::filesystem::path userFolder(const char* variable, const std::string& fallback);

/// Opens the folder; made for this user alone, with its parents, where it is missing.
Result<FileHandle> openUserFolder(FileOps& fileOps, const std::filesystem::path& path);

} // namespace cairn
