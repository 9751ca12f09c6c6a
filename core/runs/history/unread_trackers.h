// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/io/folder.h"

#include <filesystem>
#include <optional>

namespace cairn {

/// What a tracker wrote that no reader reads, by its name: a notice with what to run, so that a
/// folder with nothing else is not silently empty. Pure.
std::optional<Error> unreadTracker(const FolderEntry& entry, const std::filesystem::path& parent);

} // namespace cairn
