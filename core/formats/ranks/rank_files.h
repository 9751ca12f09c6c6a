// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/model/names/part_name.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds the files of a folder that each rank saved separately. Pure: decides by names.
namespace cairn::formats::ranks {

/// The name of one rank's file: "model_world_size_4_rank_1.pt". The base is without the part, and
/// may be empty.
struct RankName : names::PartName {
    std::string ending; ///< ".pt"
};
std::optional<RankName> splitRankName(std::string_view name);

struct RankFile {
    std::string name;
    std::uint32_t rank = 0;  ///< from 0, whatever the names count from
    std::uint32_t piece = 0; ///< of the rank's files
};

/// The files of one kind, by rank.
struct RankSet {
    std::string base;
    std::string kind; ///< the base, without the part that identifies one of several saves
    std::optional<std::uint32_t> world; ///< from the names
    std::string ending;
    std::vector<RankFile> files;
    std::vector<std::string> strays = {};      ///< of ranks beyond the world size
    std::uint32_t first = 0;                   ///< number of the first rank in the names
    std::size_t width = 1;                     ///< digits of a rank in the names, padded with zeros
    bool hasWorldSize = false;                 ///< as RankName
    bool isSure = false;                       ///< the names contain the word "rank"
    std::int64_t newestNs = 0;                 ///< latest modification of a file, since 1970
    bool linksOnly = false;                    ///< all files are links
    [[nodiscard]] std::uint32_t ranks() const; ///< from the names, else from the highest rank
    [[nodiscard]] std::string
    nameOf(std::uint32_t rank) const; ///< file name of a rank, in the form of the others
    /// Names of files that a rank lacks between others of it: its files count from 0.
    [[nodiscard]] std::vector<std::string> missingPieces() const;
};

/// The sets: "model" first, then in folder order. Files of a different world size form a separate
/// set. Single files without a world size are not sets.
std::vector<RankSet> rankSets(std::span<const FolderEntry> entries);

/// The sets of one save.
struct RankSave {
    std::string name; ///< "model_0003999": the base of its first set; "rank" if that is empty
    std::vector<RankSet> sets;        ///< in the order of rankSets()
    std::optional<std::int64_t> step; ///< from the names, if there are several saves
    std::optional<double> epoch;
    std::int64_t newestNs = 0; ///< latest modification of a file
    /// Sets of other world sizes for the same save, newest first: a run that was resumed with a
    /// different number of ranks writes to the folder that it read. Each is complete, or a part of
    /// a save.
    std::vector<RankSave> otherWorlds = {};
};

/// The saves of a folder, newest first. Sets whose bases contain different steps or epochs
/// ("model_0001999", "model_0003999") belong to different saves; all sets without a number form one
/// save, which comes last. If no two numbers differ, everything is one save. If there are several
/// saves, sets of only links ("latest-rank0.pt") are omitted.
std::vector<RankSave> rankSaves(std::span<const FolderEntry> entries);

/// Whether the folder also contains files that are complete checkpoints: "final.pt",
/// "step_500.safetensors".
bool otherSavesBeside(std::span<const FolderEntry> entries);

} // namespace cairn::formats::ranks
