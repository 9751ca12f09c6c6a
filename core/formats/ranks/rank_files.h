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

/// "model_world_size_4_rank_1.pt": base "model", world 4, rank 1; "ckpt_rank3.pt", "rank_3.pt",
/// "final_rank-00000001-of-00000004.pth".
struct RankName {
    std::string base; ///< without the parts that record rank and world; may be empty
    std::optional<std::uint32_t> world;
    std::uint32_t rank = 0;    ///< the world's size, too, after "-of-": some count from 1
    std::string ending;        ///< ".pt"
    bool hasWorldSize = false; ///< the words "world_size" are in it
    std::size_t digitsAt = 0;  ///< of the rank, in the name
    std::size_t digits = 0;    ///< how many
};
std::optional<RankName> splitRankName(std::string_view name);

struct RankFile {
    std::string name;
    std::uint32_t rank = 0; ///< from 0, whatever the name counts from
};

/// The files of one kind, by rank. A rank is there at most once.
struct RankSet {
    std::string base;
    std::string kind; ///< the base; of one of several saves, without what states which save
    std::optional<std::uint32_t> world; ///< as the names record
    std::string ending;
    std::vector<RankFile> files;
    std::vector<std::string> strays = {};      ///< of a rank that the world does not have
    std::uint32_t first = 0;                   ///< what the names count from
    std::size_t width = 1;                     ///< digits of a rank in the names, zeros in front
    bool hasWorldSize = false;                 ///< as RankName
    std::int64_t newestNs = 0;                 ///< newest modification of a file, since 1970
    bool linksOnly = false;                    ///< none of the files is more than a link
    [[nodiscard]] std::uint32_t ranks() const; ///< recorded by the names, else by the highest rank
    [[nodiscard]] std::string nameOf(std::uint32_t rank) const; ///< as its neighbours are called
};

/// The sets, "model" first, then in the order of the folder. Files of another world size are a set
/// of their own. Single files without a world size are none.
std::vector<RankSet> rankSets(std::span<const FolderEntry> entries);

/// The sets of one save.
struct RankSave {
    std::string name;          ///< "model_0003999": the base of its first set, "rank" without one
    std::vector<RankSet> sets; ///< as rankSets() orders them
    std::optional<std::int64_t> step; ///< recorded by the names, where there are several saves
    std::optional<double> epoch;
    std::int64_t newestNs = 0; ///< newest modification of a file
    /// What other worlds left of the same save, newest first: a run that continued with another
    /// number of ranks writes beside the files that it read. Each is a whole of its own, or part of
    /// one.
    std::vector<RankSave> otherWorlds = {};
};

/// The saves of a folder, newest first. Sets whose bases show different steps or epochs
/// ("model_0001999", "model_0003999") are of different saves; all those that record none are one,
/// and come last. Everything is one save as long as no two show different ones. Sets of nothing but
/// links ("latest-rank0.pt") are left out beside several saves.
std::vector<RankSave> rankSaves(std::span<const FolderEntry> entries);

/// Beside the ranks' files is what is a checkpoint by itself: "final.pt", "step_500.safetensors".
bool otherSavesBeside(std::span<const FolderEntry> entries);

} // namespace cairn::formats::ranks
