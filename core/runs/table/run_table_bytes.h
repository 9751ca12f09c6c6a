// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/table/run_table.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

/// The form of the run table in the index cache. Pure, except for the canonical path in
/// cacheEntryOf().
namespace cairn {

/// The name includes the readers, because old rows lack the results of a new reader.
std::string cacheEntryOf(const Experiment& experiment);

/// Shared lists of names are written once; paths are relative to `root`.
std::vector<std::byte> packed(const RunTable& table, const std::filesystem::path& root);

/// By id. Empty if the bytes are not from packed().
std::map<std::string, RunRow> unpacked(std::span<const std::byte> bytes,
                                       const std::filesystem::path& root);

} // namespace cairn
