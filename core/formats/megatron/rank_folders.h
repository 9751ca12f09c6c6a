// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the folders of a legacy save are, by their names alone. Pure.
/// Source: Megatron-LM megatron/training/checkpointing.py (get_checkpoint_name,
/// read_metadata).
namespace cairn::formats::megatron {

/// "mp_rank_01_002": the folder of one model parallel rank.
struct RankFolder {
    std::string name;
    std::uint32_t tp = 0;
    std::vector<std::uint32_t>
        rest; ///< pipeline rank, expert rank: which of them, the layout records
};
/// Nothing: no such name.
std::optional<RankFolder> parseRankFolder(std::string_view name);

/// All of them, in the order of their numbers.
std::vector<RankFolder> rankFolders(std::span<const FolderEntry> entries);

/// As its folder is called when several pipeline or expert ranks are there.
std::string rankFolderName(std::uint32_t tp, std::optional<std::uint32_t> pp,
                           std::optional<std::uint32_t> ep);

/// "iter_0000500" -> 500; "release" -> 0; nothing: no save's name.
std::optional<std::int64_t> iterationOfFolder(std::string_view name);

/// What latest_checkpointed_iteration.txt states, as a folder: "500" -> "iter_0000500". Other text
/// is given back as it is.
std::string folderOfTracker(std::string_view text);

} // namespace cairn::formats::megatron
