// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/names.h"

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

} // namespace

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
