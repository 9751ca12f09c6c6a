// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/rank_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>

namespace cairn::formats::ranks {
namespace {

constexpr std::uint32_t kMostRanks = 1'000'000;
constexpr auto kEndings = std::to_array<std::string_view>({".pt", ".pth", ".bin", ".ckpt"});

/// "<word>_<number>" in a text, with the separator before it.
struct Found {
    std::size_t from = 0;
    std::size_t end = 0;
    std::size_t digitsAt = 0;
    std::uint32_t number = 0;
};

bool separates(char c) {
    return c == '_' || c == '-' || c == '.';
}

std::optional<std::uint32_t> numberAt(std::string_view text, std::size_t from, std::size_t& end) {
    std::uint32_t value = 0;
    const auto [last, error] =
        std::from_chars(text.data() + from, text.data() + text.size(), value);
    if (error != std::errc() || value > kMostRanks) {
        return std::nullopt;
    }
    end = static_cast<std::size_t>(last - text.data());
    return value;
}

/// The last occurrence that is a separate word.
std::optional<Found> findNumber(std::string_view text, std::string_view word) {
    for (std::size_t at = text.rfind(word); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind(word, at - 1)) {
        Found found;
        found.from = at == 0 ? 0 : at - 1;
        found.digitsAt = at + word.size();
        found.digitsAt += found.digitsAt < text.size() && text[found.digitsAt] != '.' &&
                                  separates(text[found.digitsAt])
                              ? 1
                              : 0;
        const bool starts = at == 0 || separates(text[at - 1]);
        const auto number = starts ? numberAt(text, found.digitsAt, found.end) : std::nullopt;
        if (number && (found.end == text.size() || separates(text[found.end]))) {
            found.number = *number;
            return found;
        }
    }
    return std::nullopt;
}

/// "consolidated.01": Meta's Llama, one file for each model parallel rank.
std::optional<Found> findLlamaRank(std::string_view stem) {
    constexpr std::string_view kStart = "consolidated.";
    Found found{kStart.size() - 1, 0, kStart.size(), 0};
    const auto number =
        stem.starts_with(kStart) ? numberAt(stem, kStart.size(), found.end) : std::nullopt;
    found.number = number.value_or(0);
    return number && found.end == stem.size() ? std::optional(found) : std::nullopt;
}

/// The number of "-of-00000004" or "_of_4" at `at`; moves past it.
std::optional<std::uint32_t> takeCount(std::string_view text, std::size_t& at) {
    const std::string_view rest = text.substr(at);
    const bool is = rest.starts_with("-of-") || rest.starts_with("_of_");
    std::size_t end = 0;
    const auto count = is ? numberAt(text, at + 4, end) : std::nullopt;
    if (!count || (end != text.size() && !separates(text[end]))) {
        return std::nullopt;
    }
    at = end;
    return count;
}

void dropSecondNames(RankSet& set) {
    std::ranges::stable_sort(set.files, {}, &RankFile::rank);
    const auto sameRank = [](const RankFile& a, const RankFile& b) { return a.rank == b.rank; };
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
    RankName split;
    split.ending = *ending;
    const std::string_view stem = name.substr(0, name.size() - ending->size());
    // DeepSpeed and Megatron have several kinds of ranks and separate readers.
    if (stem.find("mp_rank") != std::string_view::npos ||
        stem.find("zero_pp") != std::string_view::npos) {
        return std::nullopt;
    }
    auto rank = findNumber(stem, "rank");
    rank = rank ? rank : findLlamaRank(stem);
    if (!rank) {
        return std::nullopt;
    }
    split.rank = rank->number;
    split.digitsAt = rank->digitsAt;
    split.digits = rank->end - rank->digitsAt;
    const auto count = takeCount(stem, rank->end);
    split.base = std::string(stem.substr(0, rank->from)) + std::string(stem.substr(rank->end));
    const auto world = findNumber(split.base, "world_size");
    if (world) {
        split.base.erase(world->from, world->end - world->from);
    }
    split.hasWorldSize = world.has_value();
    split.world = world ? std::optional(world->number) : count;
    const bool contradicts = world && count && world->number != *count;
    const bool tooHigh = world ? split.rank >= world->number : count && split.rank > *count;
    return contradicts || tooHigh || split.world == 0U ? std::nullopt : std::optional(split);
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
    return like.substr(0, split->digitsAt) + digits + like.substr(split->digitsAt + split->digits);
}

std::vector<RankSet> rankSets(std::span<const FolderEntry> entries) {
    std::vector<RankSet> sets;
    std::map<std::tuple<std::string, std::optional<std::uint32_t>, std::string>, std::size_t> at;
    for (const FolderEntry& entry : entries) {
        const auto split =
            entry.kind == EntryKind::Folder ? std::nullopt : splitRankName(entry.name);
        if (!split) {
            continue;
        }
        const auto [known, added] =
            at.try_emplace({split->base, split->world, split->ending}, sets.size());
        if (added) {
            sets.push_back({split->base, split->base, split->world, split->ending, {}});
            sets.back().hasWorldSize = split->hasWorldSize;
            sets.back().linksOnly = true;
        }
        RankSet* set = &sets[known->second];
        // "08" is padded; for "12" that is known only if another number has a leading zero.
        const bool padded = split->digits > 1 && entry.name[split->digitsAt] == '0';
        set->width = padded ? std::max(set->width, split->digits) : set->width;
        set->files.push_back({entry.name, split->rank});
        set->newestNs = std::max(set->newestNs, entry.identity.mtimeNs);
        set->linksOnly = set->linksOnly && entry.kind == EntryKind::Link;
    }
    for (RankSet& set : sets) {
        dropSecondNames(set);
        countFromZero(set);
    }
    std::erase_if(sets, [](const RankSet& set) { return !set.world && set.files.size() < 2; });
    std::stable_partition(sets.begin(), sets.end(),
                          [](const RankSet& set) { return set.base == "model"; });
    return sets;
}

} // namespace cairn::formats::ranks
