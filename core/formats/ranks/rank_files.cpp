// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/rank_files.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::formats::ranks {
namespace {

constexpr std::uint32_t kMostRanks = 1'000'000;
constexpr auto kEndings = std::to_array<std::string_view>({".pt", ".pth", ".bin", ".ckpt"});

/// Digits at `at`, after one separator that may be missing; moves past them.
std::optional<std::uint32_t> numberAt(std::string_view text, std::size_t& at) {
    const bool separated = at < text.size() && (text[at] == '_' || text[at] == '-');
    const std::size_t from = at + (separated ? 1 : 0);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + text.size(), value);
    if (error != std::errc() || value > kMostRanks) {
        return std::nullopt;
    }
    at = static_cast<std::size_t>(end - text.data());
    return value;
}

/// Takes "<word>_<number>" out of the text, with a separator before it.
std::optional<std::uint32_t> takeNumber(std::string& text, std::string_view word) {
    for (std::size_t at = text.rfind(word); at != std::string::npos && text.size() > at;
         at = at == 0 ? std::string::npos : text.rfind(word, at - 1)) {
        const bool starts =
            at == 0 || text[at - 1] == '_' || text[at - 1] == '-' || text[at - 1] == '.';
        std::size_t end = at + word.size();
        const auto number = starts ? numberAt(text, end) : std::nullopt;
        const bool ends =
            end == text.size() || text[end] == '_' || text[end] == '-' || text[end] == '.';
        if (number && ends) {
            const std::size_t from = at == 0 ? 0 : at - 1;
            text.erase(from, end - from);
            return number;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<RankName> splitRankName(std::string_view name) {
    const auto ending = std::find_if(kEndings.begin(), kEndings.end(),
                                     [&](std::string_view each) { return name.ends_with(each); });
    if (ending == kEndings.end()) {
        return std::nullopt;
    }
    RankName split;
    split.ending = *ending;
    split.base = name.substr(0, name.size() - ending->size());
    // DeepSpeed's and Megatron's ranks are of several kinds, and have readers of their own.
    if (split.base.find("mp_rank") != std::string::npos ||
        split.base.find("zero_pp") != std::string::npos) {
        return std::nullopt;
    }
    split.world = takeNumber(split.base, "world_size");
    const auto rank = takeNumber(split.base, "rank");
    if (!rank || (split.world && *rank >= *split.world)) {
        return std::nullopt;
    }
    split.rank = *rank;
    return split;
}

std::uint32_t RankSet::ranks() const {
    return world.value_or(files.empty() ? 0 : files.back().rank + 1);
}

std::string RankSet::nameOf(std::uint32_t rank) const {
    const std::string& like = files.front().name;
    const std::string digits = std::to_string(files.front().rank);
    const std::size_t word = like.rfind("rank");
    const std::size_t at = word == std::string::npos ? word : like.find(digits, word);
    return at == std::string::npos
               ? like
               : like.substr(0, at) + std::to_string(rank) + like.substr(at + digits.size());
}

std::vector<RankSet> rankSets(std::span<const FolderEntry> entries) {
    std::vector<RankSet> sets;
    for (const FolderEntry& entry : entries) {
        const auto split =
            entry.kind == EntryKind::Folder ? std::nullopt : splitRankName(entry.name);
        if (!split) {
            continue;
        }
        auto set = std::find_if(sets.begin(), sets.end(), [&](const RankSet& each) {
            return each.base == split->base && each.world == split->world &&
                   each.ending == split->ending;
        });
        if (set == sets.end()) {
            sets.push_back({split->base, split->world, split->ending, {}});
            set = sets.end() - 1;
        }
        set->files.push_back({entry.name, split->rank});
    }
    for (RankSet& set : sets) {
        std::ranges::stable_sort(set.files, {}, &RankFile::rank);
        const auto sameRank = [](const RankFile& a, const RankFile& b) { return a.rank == b.rank; };
        const auto again = std::unique(set.files.begin(), set.files.end(), sameRank);
        set.files.erase(again, set.files.end()); // "rank_1" and "rank_01"
    }
    std::erase_if(sets, [](const RankSet& set) { return !set.world && set.files.size() < 2; });
    std::stable_partition(sets.begin(), sets.end(),
                          [](const RankSet& set) { return set.base == "model"; });
    return sets;
}

} // namespace cairn::formats::ranks
