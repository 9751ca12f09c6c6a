// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/names.h"

#include <charconv>

namespace cairn::formats::dcp {
namespace {

std::optional<std::int64_t> number(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

constexpr std::string_view kGroups = "param_groups";

/// Calls `see` with the text before each component `part`, including its dot, until it returns
/// true.
template <class See> bool anyBefore(std::string_view name, std::string_view part, See&& see) {
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
