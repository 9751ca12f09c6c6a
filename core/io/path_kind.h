// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

/// Questions about a path that may be on another machine ("host:/path"), without opening what it
/// names. Any thread; they access the disk or the network.
namespace cairn {

/// It names a folder, after links.
bool isFolderPath(const std::filesystem::path& path);

/// As absolutePath(); a name of another machine is absolute already.
std::filesystem::path absolutePlace(const std::filesystem::path& path);

} // namespace cairn
