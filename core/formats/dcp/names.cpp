// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/names.h"
#include "core/model/roles.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::formats::dcp {
namespace {

constexpr auto kWrappers =
    std::to_array<std::string_view>({"app", "state", "state_dict", "checkpoint", "train"});

bool isWrapper(std::string_view part) {
    return std::ranges::find(kWrappers, part) != kWrappers.end() || part.starts_with("chained_");
}

std::optional<std::int64_t> number(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

constexpr std::string_view kGroups = "param_groups";

/// Calls `see` with what is before each part that is `part`, its dot included, until it says true.
template <class See>
bool anyBefore(std::string_view name, std::string_view part, See&& see) {
    for (std::size_t at = name.find(part); at != std::string_view::npos;
         at = name.find(part, at + 1)) {
        const std::size_t end = at + part.size();
        const bool whole =
            (at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.');
        if (whole && see(name.substr(0, at))) {
            return true;
        }
    }
    return false;
}

} // namespace

void OptimizerPlaces::note(std::string_view name) {
    anyBefore(name, kGroups, [&](std::string_view prefix) {
        m_prefixes.emplace(prefix);
        return true;
    });
}

bool OptimizerPlaces::holds(std::string_view name) const {
    const auto known = [&](std::string_view prefix) {
        return m_prefixes.contains(std::string(prefix));
    };
    return anyBefore(name, "state", known) || anyBefore(name, kGroups, known);
}

Role roleOf(std::string_view fqn) {
    for (int depth = 0; depth < 3; ++depth) {
        const std::size_t dot = fqn.find('.');
        if (dot == std::string_view::npos || !isWrapper(fqn.substr(0, dot))) {
            break;
        }
        fqn.remove_prefix(dot + 1);
    }
    return roleFromName(fqn);
}

std::optional<std::int64_t> rankInShardName(std::string_view name) {
    name = name.substr(name.rfind('/') + 1);
    const std::size_t mark = name.rfind("__");
    if (mark == std::string_view::npos || !name.ends_with(".distcp")) {
        return std::nullopt;
    }
    name.remove_prefix(mark + 2);
    const std::size_t underscore = name.find('_');
    return underscore == std::string_view::npos ? std::nullopt : number(name.substr(0, underscore));
}

std::optional<std::int64_t> rankInMetadataName(std::string_view name) {
    constexpr std::string_view kEnd = ".metadata";
    if (!name.starts_with("__") || !name.ends_with(kEnd) || name.size() <= kEnd.size() + 2) {
        return std::nullopt;
    }
    return number(name.substr(2, name.size() - 2 - kEnd.size()));
}

} // namespace cairn::formats::dcp
