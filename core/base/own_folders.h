// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace cairn {

/// The folders that may contain the programs and modules that are installed with this code, in the
/// order in which to search: that of the shared library that contains this code, if it is in one
/// (the Python module), then that of the running program. Absolute. Any thread; reads /proc.
std::vector<std::filesystem::path> ownFolders();

} // namespace cairn
