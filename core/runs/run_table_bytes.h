// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/run_table.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

/// The run table as it is in the index cache. Pure but for the canonical path in shelfOf().
namespace cairn {

/// Who read what is on the shelf is part of its name: with a new reader, old rows show too little.
std::string shelfOf(const Experiment& experiment);

/// Lists of names that rows share are written once; paths as they are below `root`.
std::vector<std::byte> packed(const RunTable& table, const std::filesystem::path& root);

/// By id. Nothing when the bytes are not what packed() makes.
std::map<std::string, RunRow> unpacked(std::span<const std::byte> bytes,
                                       const std::filesystem::path& root);

} // namespace cairn
