// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Classifies the folders of a legacy save by name. Pure. Source: Megatron-LM
/// megatron/training/checkpointing.py (get_checkpoint_name, read_metadata).
namespace cairn::formats::megatron {

/// "mp_rank_01_002": the folder of one model parallel rank.
struct RankFolder {
    std::string name;
    std::uint32_t tp = 0;
    std::vector<std::uint32_t> rest; ///< pipeline rank and expert rank; the layout defines which
};
/// Empty: a different name.
std::optional<RankFolder> parseRankFolder(std::string_view name);

/// In ascending order.
std::vector<RankFolder> rankFolders(std::span<const FolderEntry> entries);

/// The folder name of a rank when there are several pipeline or expert ranks.
std::string rankFolderName(std::uint32_t tp, std::optional<std::uint32_t> pp,
                           std::optional<std::uint32_t> ep);

/// "iter_0000500" -> 500; "release" -> 0; empty: not the name of a save.
std::optional<std::int64_t> iterationOfFolder(std::string_view name);

/// The folder that latest_checkpointed_iteration.txt names: "500" -> "iter_0000500". Other text is
/// returned unchanged.
std::string folderOfTracker(std::string_view text);

} // namespace cairn::formats::megatron
