// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/formats/ranks/rank_files.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

namespace cairn::formats::ranks {
namespace {

using names::Meaning;
using names::means;

/// In detectron2's "model_0001999" the number is a step, but "model_1" is the second of two models.
constexpr std::string_view kModel = "model";
constexpr std::size_t kModelDigits = 4;
constexpr std::string_view kSigns = "-_=.";

struct Position {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    [[nodiscard]] bool recorded() const { return step || epoch; }
    friend bool operator==(const Position&, const Position&) = default;
};

std::string withoutSigns(std::string text) {
    const std::size_t last = text.find_last_not_of(kSigns);
    text.resize(last == std::string::npos ? 0 : last + 1);
    return text;
}

struct FilePosition {
    Position position;
    std::string kind; ///< the base without that number
};

FilePosition positionOf(std::string_view base) {
    Position position;
    std::string kind;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < base.size();) {
        if (!isDigit(base[at])) {
            ++at;
            continue;
        }
        std::int64_t number = 0;
        const char* end = base.data() + base.size();
        const auto [last, error] = std::from_chars(base.data() + at, end, number);
        const std::size_t begin = at;
        at = static_cast<std::size_t>(last - base.data());
        if (error != std::errc() || (at < base.size() && isLetter(base[at]))) {
            continue; // "7b"
        }
        const std::string word = names::wordBefore(base, begin);
        const bool whole = begin == 0 && at == base.size();
        const bool epoch = means(word, Meaning::Epoch);
        const bool unit = epoch || means(word, Meaning::Step);
        if (epoch) {
            position.epoch = static_cast<double>(number);
        } else if (whole || unit || (word == kModel && at - begin >= kModelDigits)) {
            position.step = number;
        } else {
            continue;
        }
        kind += base.substr(kept, begin - kept);
        kept = at;
        kind = withoutSigns(kind);
        kind.resize(kind.size() - (unit ? word.size() : 0));
        kind = withoutSigns(kind);
    }
    kind += base.substr(kept);
    return {position, kind};
}

struct Group {
    Position position;
    std::int64_t newestNs = 0;
    RankSave save;
};

/// Sorts by step and epoch if all groups record the same kind, else by time; groups that record
/// nothing come last.
void sortNewestFirst(std::vector<Group>& groups) {
    const auto numbered = std::stable_partition(
        groups.begin(), groups.end(), [](const Group& each) { return each.position.recorded(); });
    const Position& like = groups.front().position;
    const bool alike = std::all_of(groups.begin(), numbered, [&](const Group& each) {
        return each.position.step.has_value() == like.step.has_value() &&
               each.position.epoch.has_value() == like.epoch.has_value();
    });
    std::stable_sort(groups.begin(), numbered, [&](const Group& a, const Group& b) {
        return !alike                                 ? a.newestNs > b.newestNs
               : a.position.epoch != b.position.epoch ? a.position.epoch > b.position.epoch
                                                      : a.position.step > b.position.step;
    });
}

/// Splits a save whose kinds occur for several world sizes into one save per world size: returns
/// the newest, which contains the others. Sets of a kind without a world size belong to the newest.
RankSave splitByWorldSize(RankSave save) {
    std::map<std::string, std::set<std::optional<std::uint32_t>>> worldsOf;
    for (const RankSet& set : save.sets) {
        worldsOf[set.kind].insert(set.world);
    }
    const bool several =
        std::ranges::any_of(worldsOf, [](const auto& kind) { return kind.second.size() > 1; });
    if (!several) {
        return save;
    }
    std::map<std::optional<std::uint32_t>, RankSave> worlds;
    std::vector<RankSet> ofAny;
    for (RankSet& set : save.sets) {
        if (!set.world && worldsOf.at(set.kind).size() == 1) {
            ofAny.push_back(std::move(set));
            continue;
        }
        RankSave& own =
            worlds.try_emplace(set.world, RankSave{save.name, {}, save.step, save.epoch, 0, {}})
                .first->second;
        own.newestNs = std::max(own.newestNs, set.newestNs);
        own.sets.push_back(std::move(set));
    }
    std::vector<RankSave> sorted;
    for (auto& [world, own] : worlds) {
        sorted.push_back(std::move(own));
    }
    std::ranges::stable_sort(sorted, std::ranges::greater(), &RankSave::newestNs);
    RankSave first = std::move(sorted.front());
    std::ranges::move(ofAny, std::back_inserter(first.sets));
    first.otherWorlds.assign(std::make_move_iterator(sorted.begin() + 1),
                             std::make_move_iterator(sorted.end()));
    return first;
}

std::string nameOf(const RankSet& set) {
    return set.base.empty() ? "rank" : set.base;
}

} // namespace

bool otherSavesBeside(std::span<const FolderEntry> entries) {
    constexpr auto kSaveEndings =
        std::to_array<std::string_view>({".pt", ".pth", ".ckpt", ".safetensors"});
    constexpr auto kStems = std::to_array<std::string_view>({"final", "best", "last", "latest"});
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        const std::string_view name = entry.name;
        const auto ending = std::ranges::find_if(
            kSaveEndings, [&](std::string_view each) { return name.ends_with(each); });
        if (entry.kind != EntryKind::File || ending == kSaveEndings.end() || splitRankName(name)) {
            return false;
        }
        const std::string_view stem = name.substr(0, name.size() - ending->size());
        return positionOf(stem).position.recorded() ||
               std::ranges::find(kStems, stem) != kStems.end();
    });
}

std::vector<RankSave> rankSaves(std::span<const FolderEntry> entries) {
    std::vector<Group> groups;
    std::map<std::pair<std::optional<std::int64_t>, std::optional<double>>, std::size_t> at;
    for (RankSet& set : rankSets(entries)) {
        auto [position, kind] = positionOf(set.base);
        set.kind = std::move(kind);
        const auto [known, added] = at.try_emplace({position.step, position.epoch}, groups.size());
        if (added) {
            groups.push_back({position, 0, {set.base, {}, position.step, position.epoch, 0, {}}});
        }
        groups[known->second].save.sets.push_back(std::move(set));
    }
    const auto recorded =
        std::ranges::count_if(groups, [](const Group& each) { return each.position.recorded(); });
    std::vector<RankSave> saves;
    if (recorded < 2) {
        RankSave all;
        all.sets = rankSets(entries);
        if (!all.sets.empty()) {
            all.name = nameOf(all.sets.front());
            saves.push_back(splitByWorldSize(std::move(all)));
        }
        return saves;
    }
    for (Group& group : groups) {
        if (!group.position.recorded()) {
            std::erase_if(group.save.sets, [](const RankSet& set) { return set.linksOnly; });
        }
        std::stable_partition(group.save.sets.begin(), group.save.sets.end(),
                              [](const RankSet& set) { return set.kind == kModel; });
        for (const RankSet& set : group.save.sets) {
            group.newestNs = std::max(group.newestNs, set.newestNs);
        }
        if (!group.save.sets.empty()) {
            group.save.name = nameOf(group.save.sets.front());
        }
    }
    std::erase_if(groups, [](const Group& group) { return group.save.sets.empty(); });
    sortNewestFirst(groups);
    for (Group& group : groups) {
        saves.push_back(splitByWorldSize(std::move(group.save)));
    }
    return saves;
}

} // namespace cairn::formats::ranks
