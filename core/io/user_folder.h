// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <filesystem>
#include <string>

/// The user's folders for cache and state. Source: XDG Base Directory Specification 0.8.
namespace cairn {

/// The folder "cairn" in the absolute path from `variable` (XDG_CACHE_HOME, XDG_STATE_HOME), else
/// in `fallback` (".cache", ".local/state") of the home folder. Empty: no home folder.
std::filesystem::path userFolder(const char* variable, const std::string& fallback);

/// Opens the folder. If it is missing, creates it and its parents with access for this user only.
Result<FileHandle> openUserFolder(FileOps& fileOps, const std::filesystem::path& path);

} // namespace cairn
