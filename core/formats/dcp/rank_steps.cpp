// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/rank_steps.h"

#include "core/model/names/tokens.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace cairn::formats::dcp {
namespace {

constexpr int kMaxLevels = 4; ///< of an item's value
constexpr double kMostSteps = 9e15;

bool isDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string_view> partsOf(std::string_view name) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        parts.push_back(name.substr(0, dot));
        if (dot == name.size()) {
            return parts;
        }
        name.remove_prefix(dot + 1);
    }
}

/// "rank_0", "dp_rank3", "ranks"; not "ranker".
bool namesRank(std::string_view part) {
    return std::ranges::any_of(names::wordsOf(part), [](const std::string& word) {
        return word == "rank" || word == "ranks";
    });
}

/// "rank_0", or the number of "ranks.0".
bool isRankPart(std::string_view part, std::string_view before) {
    const std::size_t last = part.find_last_not_of("0123456789");
    const std::size_t stem = last == std::string_view::npos ? 0 : last + 1;
    return (stem < part.size() && namesRank(part.substr(0, stem))) ||
           (isDigits(part) && namesRank(before));
}

/// Whether parts name a parameter's count in a flat optimizer: "state.PARAMETER.step" from `state`
/// on. Between the two of "state.rank_0.step" is only the rank: a count of the loop.
bool isParameterStep(std::span<const std::string_view> parts) {
    if (parts.size() < 3 || parts.front() != "state" || parts.back() != "step") {
        return false;
    }
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
        const bool listsRanks =
            namesRank(parts[i]) && i + 2 < parts.size() && isDigits(parts[i + 1]);
        if (!listsRanks && !isRankPart(parts[i], parts[i - 1])) {
            return true;
        }
    }
    return false;
}

/// The name with the rank's number replaced: "rank_0", "dp_rank3", or a number below "ranks".
/// Empty: it names no rank, or is a part of a flat optimizer's state ("state.0.rank_0.step").
std::optional<std::string> withoutRank(std::string_view name) {
    std::string group;
    bool found = false;
    std::string_view before;
    const std::vector<std::string_view> parts = partsOf(name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view part = parts[i];
        if (part == "param_groups" || isParameterStep(std::span(parts).subspan(i))) {
            return std::nullopt;
        }
        const bool isRank = isRankPart(part, before);
        found = found || isRank;
        const std::size_t stem = part.find_last_not_of("0123456789") + 1; // 0 if there is none
        group += isRank ? std::string(part.substr(0, stem)) + "*" : std::string(part);
        group += '.';
        before = part;
    }
    return found ? std::optional(std::move(group)) : std::nullopt;
}

class Collector {
public:
    Collector(const BytesItem& item, std::vector<RankStep>& steps) : m_item(item), m_steps(steps) {}

    void visit(const Value& value, const std::string& name, int level) {
        const auto number = numberOf(value);
        const auto counter = number ? sharedCounter(partsOf(name)) : std::nullopt;
        if (counter) {
            auto group = withoutRank(name);
            const bool isCount =
                *number >= 0 && *number < kMostSteps && std::floor(*number) == *number;
            if (group && isCount) {
                m_steps.push_back({std::move(*group), name, m_item.file,
                                   static_cast<std::int64_t>(*number), *counter});
            }
            return;
        }
        if (level == kMaxLevels) {
            return;
        }
        const bool named = value.kind() == ValueKind::Dict || value.kind() == ValueKind::Object;
        for (std::size_t i = 0; i < value.items().size(); ++i) {
            const ValueItem& item = value.items()[i];
            visit(item.value, name + "." + (named ? keyText(item.key) : std::to_string(i)),
                  level + 1);
        }
    }

private:
    const BytesItem& m_item;
    std::vector<RankStep>& m_steps;
};

} // namespace

bool mayRecordRankStep(std::string_view itemName) {
    return namesRank(itemName);
}

void addRankSteps(const BytesItem& item, const Value& value, std::vector<RankStep>& steps) {
    Collector(item, steps).visit(value, item.name, 0);
}

} // namespace cairn::formats::dcp
