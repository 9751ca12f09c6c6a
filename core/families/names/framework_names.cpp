// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/framework_names.h"

#include "core/families/config/name_pattern.h"
#include "core/families/config/words.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kRank = "mp_rank_";

/// A prefix around the rank of a slice.
struct SlicePrefix {
    std::string before;
    std::string after; ///< the rank
    bool hasRank = false;
};

SlicePrefix slicePrefixOf(const Recognised& recognised) {
    const std::string& prefix = recognised.prefix;
    const std::size_t at = recognised.framework->slices.empty() ? prefix.npos : prefix.find(kRank);
    const std::size_t dot = at == prefix.npos ? prefix.npos : prefix.find('.', at);
    const bool starts = at != prefix.npos && (at == 0 || prefix[at - 1] == '.');
    if (!starts || dot == prefix.npos) {
        return {prefix, {}, false};
    }
    return {prefix.substr(0, at), prefix.substr(dot + 1), true};
}

struct PlacedName {
    std::size_t slice = 0;
    std::string_view name;
};

std::optional<PlacedName> placed(std::string_view name, const SlicePrefix& prefix) {
    PlacedName made;
    if (!name.starts_with(prefix.before)) {
        return std::nullopt;
    }
    name.remove_prefix(prefix.before.size());
    if (prefix.hasRank) {
        if (!name.starts_with(kRank)) {
            return std::nullopt;
        }
        name.remove_prefix(kRank.size());
        const auto [end, error] =
            std::from_chars(name.data(), name.data() + name.size(), made.slice);
        if (error != std::errc()) {
            return std::nullopt;
        }
        name.remove_prefix(static_cast<std::size_t>(end - name.data()));
        const std::string after = "." + prefix.after;
        if (!name.starts_with(after)) {
            return std::nullopt;
        }
        name.remove_prefix(after.size());
    }
    made.name = name;
    return made;
}

/// What is before a name that ends with `first`, if the other patterns match names behind it.
std::optional<std::string> prefixOf(std::span<const NamedTensor> tensors, std::string_view first,
                                    std::span<const std::string_view> others) {
    for (const NamedTensor& each : tensors) {
        if (!each.name.ends_with(first)) {
            continue;
        }
        std::string before = each.name.substr(0, each.name.size() - first.size());
        const bool isWhole = before.empty() || before.ends_with('.');
        if (isWhole && std::ranges::all_of(others, [&](std::string_view other) {
                return anyMatches(tensors, other, before);
            })) {
            return before;
        }
    }
    return std::nullopt;
}

/// All slices have the same names.
Result<void> checkSlices(const std::map<std::size_t, std::set<std::string, std::less<>>>& slices) {
    std::set<std::string_view> all;
    for (const auto& [slice, names] : slices) {
        all.insert(names.begin(), names.end());
    }
    std::size_t next = 0;
    for (const auto& [slice, names] : slices) {
        const auto lacking = std::ranges::find_if(
            all, [&own = names](std::string_view name) { return !own.contains(name); });
        if (slice != next || lacking != all.end()) {
            return fail(ErrorCode::NotFound, "A slice of tensor parallelism lacks a tensor that "
                                             "others have")
                .inTensor(slice != next ? std::string(*all.begin()) : std::string(*lacking))
                .butFound(sentence("nothing in rank %1", slice != next ? next : slice))
                .withHint("Copy the missing files of this rank; `cairn-cli check` reports whether "
                          "the checkpoint is complete");
        }
        ++next;
    }
    return {};
}

} // namespace

bool anyMatches(std::span<const NamedTensor> tensors, std::string_view pattern,
                std::string_view prefix) {
    const NamePattern wanted(pattern);
    return std::ranges::any_of(tensors, [&](const NamedTensor& each) {
        return each.name.starts_with(prefix) &&
               wanted.match(std::string_view(each.name).substr(prefix.size())).has_value();
    });
}

std::optional<Recognised> recognise(std::span<const NamedTensor> tensors) {
    for (const Framework* framework : knownFrameworks()) {
        const std::vector<std::string_view> anchors = wordsOf(framework->anchors);
        std::string_view rest = anchors.front();
        while (!rest.empty()) {
            const std::string_view first = rest.substr(0, rest.find('|'));
            rest.remove_prefix(std::min(first.size() + 1, rest.size()));
            if (auto prefix = prefixOf(tensors, first, std::span(anchors).subspan(1))) {
                return Recognised{framework, std::move(*prefix)};
            }
        }
    }
    return std::nullopt;
}

Result<FrameworkNames> namesBelow(std::span<const NamedTensor> tensors,
                                  const Recognised& recognised) {
    FrameworkNames made;
    CAIRN_TRY(const Recipe common, Recipe::parse(recognised.framework->common));
    const SlicePrefix prefix = slicePrefixOf(recognised);
    std::map<std::size_t, std::set<std::string, std::less<>>> slices;
    for (const NamedTensor& each : tensors) {
        const auto place = placed(each.name, prefix);
        const bool isDropped = common.dropsText(each.name);
        if (!place && !isDropped) {
            return fail(ErrorCode::Unsupported,
                        "The checkpoint contains tensors beside the model whose names are "
                        "converted")
                .inTensor(each.name)
                .expecting(sentence("names that begin with %1", recognised.prefix))
                .withHint("PATH#subtree selects one model; --names keep leaves the names as they "
                          "are");
        }
        if (isDropped && place && !recognised.framework->slices.empty()) {
            made.dropped.push_back(each.name);
            continue;
        }
        if (!place) {
            continue;
        }
        const std::string name(place->name);
        slices[place->slice].insert(name);
        made.sliced.push_back({each.tensor, "slice." + std::to_string(place->slice) + "." + name});
        if (place->slice == 0) {
            made.plain.push_back({each.tensor, name});
        }
    }
    CAIRN_CHECK(checkSlices(slices));
    made.slices = slices.size();
    return made;
}

} // namespace cairn
