// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which files of a folder are what each rank saved for itself. Pure: decides by names.
namespace cairn::formats::ranks {

/// "model_world_size_4_rank_1.pt": base "model", world 4, rank 1; "ckpt_rank3.pt", "rank_3.pt".
struct RankName {
    std::string base; ///< without the parts that tell rank and world; may be empty
    std::optional<std::uint32_t> world;
    std::uint32_t rank = 0;
    std::string ending; ///< ".pt"
};
std::optional<RankName> splitRankName(std::string_view name);

struct RankFile {
    std::string name;
    std::uint32_t rank = 0;
};

/// The files of one kind, by rank. A rank is there at most once.
struct RankSet {
    std::string base;
    std::optional<std::uint32_t> world; ///< as the names tell
    std::string ending;
    std::vector<RankFile> files;
    [[nodiscard]] std::uint32_t ranks() const; ///< told by the names, else by the highest rank
    [[nodiscard]] std::string nameOf(std::uint32_t rank) const; ///< as its neighbours are called
};

/// The sets, "model" first, then in the order of the folder. Files of another world size are a set
/// of their own. Single files without a world size are none.
std::vector<RankSet> rankSets(std::span<const FolderEntry> entries);

} // namespace cairn::formats::ranks
