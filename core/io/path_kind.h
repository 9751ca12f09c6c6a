// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>

/// Questions about a path that may be on another machine ("host:/path"), without opening what it
/// names. Any thread; they access the disk or the network.
namespace cairn {

/// It names a folder, after links.
bool isFolderPath(const std::filesystem::path& path);

/// Fails with Unsupported for "host:/out", unless it is a local path: its folder "host:" exists.
Result<void> checkOutputIsHere(const std::filesystem::path& output);

} // namespace cairn
