// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/rank_files.h"

#include "core/model/names/shard_name.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cairn::formats::ranks {
namespace {

constexpr auto kEndings =
    std::to_array<std::string_view>({".pt", ".pth", ".bin", ".ckpt", ".safetensors"});

/// DeepSpeed and Megatron have several kinds of ranks and separate readers: of their names only
/// "mp_rank_00.pt" is a file by itself.
bool isOfOtherReader(std::string_view stem, const names::PartName& part) {
    return stem.find("zero_pp") != std::string_view::npos ||
           (stem.find("mp_rank") != std::string_view::npos && part.digits.end != stem.size());
}

/// "model-00001-of-00002.safetensors" is Hugging Face's, and "train_shard_0.bin" an array of data.
bool isOfOtherKind(std::string_view name, std::string_view ending, const names::PartName& part) {
    const bool published = (ending == ".safetensors" || ending == ".bin") && splitShardName(name);
    const bool data =
        ending == ".bin" && !part.count && (part.word == "shard" || part.word == "part");
    return published || data;
}

/// In "dp0_tp1_pp0" the number that differs between the files is the rank; if several differ, the
/// ranks are counted in the order of the numbers.
void numberGrid(RankSet& set, const std::vector<std::vector<std::uint32_t>>& grids) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < grids.front().size(); ++axis) {
        if (std::ranges::any_of(
                grids, [&](const auto& grid) { return grid.at(axis) != grids.front().at(axis); })) {
            axes.push_back(axis);
        }
    }
    const std::set<std::vector<std::uint32_t>> sorted(grids.begin(), grids.end());
    for (std::size_t i = 0; i < grids.size(); ++i) {
        set.files[i].rank =
            axes.size() == 1
                ? grids[i].at(axes.front())
                : static_cast<std::uint32_t>(std::distance(sorted.begin(), sorted.find(grids[i])));
    }
}

/// Without the word "rank" or a number of files, "mp2" may be a setting: the numbers must count.
bool isCount(const RankSet& set) {
    const std::uint32_t first = set.files.empty() ? 2 : set.files.front().rank;
    const bool starts = first <= 1;
    std::uint32_t next = first;
    const bool rises = std::ranges::all_of(set.files, [&](const RankFile& file) {
        const bool counts = file.rank == next || file.rank + 1 == next;
        next = file.rank + 1;
        return counts;
    });
    return starts && rises;
}

void dropSecondNames(RankSet& set) {
    const auto place = [](const RankFile& file) { return std::pair(file.rank, file.piece); };
    std::ranges::stable_sort(set.files, {}, place);
    const auto sameRank = [&](const RankFile& a, const RankFile& b) {
        return place(a) == place(b);
    };
    const auto again = std::unique(set.files.begin(), set.files.end(), sameRank);
    set.files.erase(again, set.files.end()); // "rank_1" and "rank_01"
}

/// In "rank-4-of-4" ranks count from 1, unless there is a rank 0.
void countFromZero(RankSet& set) {
    if (!set.world || set.files.empty() || set.files.back().rank < *set.world) {
        return;
    }
    if (set.files.front().rank > 0) {
        set.first = 1;
        for (RankFile& file : set.files) {
            --file.rank;
        }
        return;
    }
    set.strays.push_back(std::move(set.files.back().name));
    set.files.pop_back();
}

} // namespace

std::optional<RankName> splitRankName(std::string_view name) {
    const auto ending = std::find_if(kEndings.begin(), kEndings.end(),
                                     [&](std::string_view each) { return name.ends_with(each); });
    if (ending == kEndings.end()) {
        return std::nullopt;
    }
    const std::string_view stem = name.substr(0, name.size() - ending->size());
    auto part = names::splitPartName(stem);
    if (!part || isOfOtherReader(stem, *part) || isOfOtherKind(name, *ending, *part)) {
        return std::nullopt;
    }
    return RankName{*std::move(part), std::string(*ending)};
}

std::uint32_t RankSet::ranks() const {
    return world.value_or(files.empty() ? 0 : files.back().rank + 1);
}

std::string RankSet::nameOf(std::uint32_t rank) const {
    const std::string& like = files.front().name;
    const auto split = splitRankName(like);
    if (!split) {
        return like;
    }
    std::string digits = std::to_string(rank + first);
    digits.insert(0, width > digits.size() ? width - digits.size() : 0, '0');
    return like.substr(0, split->digits.begin) + digits + like.substr(split->digits.end);
}

std::vector<std::string> RankSet::missingPieces() const {
    constexpr std::size_t kMost = 100;
    std::vector<std::string> missing;
    std::map<std::uint32_t, std::uint32_t> next; // of each rank
    for (const RankFile& file : files) {
        const auto split = splitRankName(file.name);
        std::uint32_t& piece = next[file.rank];
        for (; split && split->piece && piece < file.piece && missing.size() < kMost; ++piece) {
            missing.push_back(file.name.substr(0, split->pieceDigits.begin) +
                              std::to_string(piece) + file.name.substr(split->pieceDigits.end));
        }
        piece = file.piece + 1;
    }
    return missing;
}

std::vector<RankSet> rankSets(std::span<const FolderEntry> entries) {
    std::vector<RankSet> sets;
    std::map<std::tuple<std::string, std::optional<std::uint32_t>, std::string, std::size_t>,
             std::size_t>
        at;
    std::vector<std::vector<std::vector<std::uint32_t>>> grids; // of the sets
    for (const FolderEntry& entry : entries) {
        const auto split =
            entry.kind == EntryKind::Folder ? std::nullopt : splitRankName(entry.name);
        if (!split) {
            continue;
        }
        const auto [known, added] = at.try_emplace(
            {split->base, split->count, split->ending, split->grid.size()}, sets.size());
        if (added) {
            sets.push_back({split->base, split->base, split->count, split->ending, {}});
            sets.back().hasWorldSize = split->hasWorldSize;
            sets.back().isSure = split->hasWorldSize || split->word == "rank";
            sets.back().linksOnly = true;
            grids.emplace_back();
        }
        RankSet* set = &sets[known->second];
        // "08" is padded; for "12" that is known only if another number has a leading zero.
        const std::size_t digits = split->digits.end - split->digits.begin;
        const bool padded = digits > 1 && entry.name[split->digits.begin] == '0';
        set->width = padded ? std::max(set->width, digits) : set->width;
        set->files.push_back({entry.name, split->index, split->piece.value_or(0)});
        set->newestNs = std::max(set->newestNs, entry.identity.mtimeNs);
        set->linksOnly = set->linksOnly && entry.kind == EntryKind::Link;
        if (!split->grid.empty()) {
            grids[known->second].push_back(split->grid);
        }
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (!grids[i].empty()) {
            numberGrid(sets[i], grids[i]);
        }
    }
    for (RankSet& set : sets) {
        dropSecondNames(set);
        countFromZero(set);
    }
    std::erase_if(sets, [](const RankSet& set) {
        return !set.world && (set.files.size() < 2 || (!set.isSure && !isCount(set)));
    });
    std::stable_partition(sets.begin(), sets.end(),
                          [](const RankSet& set) { return set.base == "model"; });
    return sets;
}

} // namespace cairn::formats::ranks
