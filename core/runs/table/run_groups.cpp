// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_groups.h"

#include "core/io/folder.h"
#include "core/runs/compare/setting_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace cairn {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = trimmed(text.substr(0, comma));
        if (!part.empty()) {
            parts.emplace_back(part);
        }
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

Result<std::size_t> settingNamed(const RunGrid& grid, const std::string& name) {
    CAIRN_TRY(const GridColumn column, grid.find(name));
    if (column.kind != GridColumn::Kind::Setting) { // "lr" may be a metric, too
        if (const auto setting = grid.find("config." + name)) {
            return setting->index;
        }
        return fail(ErrorCode::InvalidArgument, "Runs can be grouped by settings only")
            .butFound(verbatim(name));
    }
    return column.index;
}

/// "lr", or the complete key if the last part is not unique among the group's settings.
std::string shortKey(const RunGrid& grid, const RunGroups& groups, std::size_t setting) {
    const std::string& key = grid.settings()[setting].key;
    const std::string_view last = lastPartOf(key);
    const auto same = std::ranges::count_if(groups.settings, [&](std::size_t each) {
        return lastPartOf(grid.settings()[each].key) == last;
    });
    return same == 1 ? std::string(last) : key;
}

/// "wd" of "weight_decay" and of "weightDecay"; a single word stays.
std::string initialsOf(std::string_view key) {
    std::string initials;
    bool starts = true;
    for (const char each : key) {
        const bool isCapital = each >= 'A' && each <= 'Z';
        const bool isSeparator = each == '_' || each == '-' || each == '.';
        if ((starts || isCapital) && !isSeparator) {
            initials += static_cast<char>(isCapital ? each - 'A' + 'a' : each);
        }
        starts = isSeparator;
    }
    return initials.size() > 1 ? initials : std::string(key);
}

/// Whether it tells groups apart, or there is only one.
bool isDistinctive(const RunGroups& groups, const RunGroup& group, std::size_t at) {
    return groups.groups.size() == 1 ||
           std::ranges::any_of(groups.groups, [&](const RunGroup& each) {
               return each.key.at(at) != group.key.at(at);
           });
}

bool isText(const SettingValue& value) {
    return !value.number && value.text != "true" && value.text != "false" && value.text != "null";
}

/// What a group is sorted by.
struct GroupKey {
    bool isKnown = false;
    double number = 0;
    std::string text;
};

GroupKey keyOf(const RunGrid& grid, const RunGroups& groups, const RunGroup& group,
               GridColumn column) {
    if (column.kind == GridColumn::Kind::Setting) {
        const auto at = std::ranges::find(groups.settings, std::size_t{column.index});
        if (at != groups.settings.end()) {
            const std::uint32_t value =
                group.key[static_cast<std::size_t>(at - groups.settings.begin())];
            return {value != GridSetting::kNoValue, static_cast<double>(value), {}};
        }
    }
    if (column == GridColumn::of(RunFact::Name)) {
        return {true, 0, groupLabel(grid, groups, group)};
    }
    const bool isSum =
        column == GridColumn::of(RunFact::Bytes) || column == GridColumn::of(RunFact::Checkpoints);
    const Figures figures = groupFigures(grid, group, column, {Aggregate::Mean});
    const double mean = figures.of(Aggregate::Mean);
    return {!std::isnan(mean), isSum ? mean * figures.n : mean, {}};
}

} // namespace

RunGroups groupRuns(const RunGrid& grid, std::span<const std::uint32_t> rows,
                    std::vector<std::size_t> settings) {
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> byKey; // values are ascending
    for (const std::uint32_t row : rows) {
        std::vector<std::uint32_t> key;
        for (const std::size_t setting : settings) {
            key.push_back(grid.settings().at(setting).ofRow.at(row));
        }
        byKey[std::move(key)].push_back(row);
    }
    RunGroups groups{std::move(settings), {}};
    for (auto& [key, members] : byKey) {
        groups.groups.push_back({key, std::move(members)});
    }
    return groups;
}

Result<std::vector<std::size_t>> settingsAllBut(const RunGrid& grid,
                                                std::span<const std::string> names) {
    std::vector<std::size_t> without;
    for (const std::string& name : names) {
        CAIRN_TRY(const std::size_t setting, settingNamed(grid, name));
        without.push_back(setting);
    }
    std::vector<std::size_t> settings;
    for (std::size_t i = 0; i < grid.differing(); ++i) {
        if (!grid.settings()[i].isIdentity && std::ranges::find(without, i) == without.end()) {
            settings.push_back(i);
        }
    }
    return settings;
}

Result<std::vector<std::size_t>> parseGroupKeys(const RunGrid& grid, std::string_view text) {
    constexpr std::string_view kAllBut = "all but";
    text = trimmed(text);
    if (text.starts_with(kAllBut) &&
        (text.size() == kAllBut.size() || text[kAllBut.size()] == ' ')) {
        return settingsAllBut(grid, splitAtCommas(text.substr(kAllBut.size())));
    }
    std::vector<std::size_t> settings;
    for (const std::string& name : splitAtCommas(text)) {
        CAIRN_TRY(const std::size_t setting, settingNamed(grid, name));
        if (std::ranges::find(settings, setting) == settings.end()) {
            settings.push_back(setting);
        }
    }
    return settings;
}

std::string groupLabel(const RunGrid& grid, const RunGroups& groups, const RunGroup& group) {
    std::string label;
    std::string missing;
    for (std::size_t i = 0; i < groups.settings.size(); ++i) {
        if (!isDistinctive(groups, group, i)) {
            continue;
        }
        const GridSetting& setting = grid.settings().at(groups.settings[i]);
        const std::uint32_t value = group.key.at(i);
        const bool isSet = value != GridSetting::kNoValue;
        std::string& text = isSet ? label : missing;
        text += (text.empty() ? "" : " · ") + shortKey(grid, groups, groups.settings[i]) + " " +
                (isSet ? setting.values.at(value).text : "–");
    }
    return label.empty() ? missing : label;
}

std::string shortGroupLabel(const RunGrid& grid, const RunGroups& groups, const RunGroup& group) {
    std::vector<std::string> names;
    std::optional<std::size_t> firstNumeric;
    for (std::size_t i = 0; i < groups.settings.size(); ++i) {
        names.push_back(initialsOf(shortKey(grid, groups, groups.settings[i])));
        if (!firstNumeric && grid.settings().at(groups.settings[i]).isNumeric) {
            firstNumeric = i;
        }
    }
    std::string label;
    for (std::size_t i = 0; i < groups.settings.size(); ++i) {
        if (!isDistinctive(groups, group, i)) {
            continue;
        }
        const GridSetting& setting = grid.settings().at(groups.settings[i]);
        const std::uint32_t value = group.key.at(i);
        const bool isSet = value != GridSetting::kNoValue;
        const bool isAlone = isSet && (i == firstNumeric || isText(setting.values.at(value)));
        const std::string name = std::ranges::count(names, names[i]) == 1
                                     ? names[i]
                                     : shortKey(grid, groups, groups.settings[i]);
        label += (label.empty() ? "" : " · ") + (isAlone ? std::string() : name + " ") +
                 (isSet ? setting.values.at(value).shown : "–");
    }
    return label;
}

Figures groupFigures(const RunGrid& grid, const RunGroup& group, GridColumn column,
                     AggregateSet wanted) {
    std::vector<double> values;
    for (const std::uint32_t row : group.rows) {
        if (const auto number = grid.number(row, column)) {
            values.push_back(*number);
        }
    }
    return figuresOf(values, wanted);
}

std::optional<std::uint32_t> bestRowOf(const RunGrid& grid, std::span<const std::uint32_t> rows,
                                       std::size_t metric) {
    const bool larger = grid.metrics().at(metric).better == names::Direction::Larger;
    std::optional<std::uint32_t> best;
    double value = 0;
    for (const std::uint32_t row : rows) {
        const auto each = grid.number(row, GridColumn::metric(metric, MetricPart::Best));
        if (each && !std::isnan(*each) && (!best || (larger ? *each > value : *each < value))) {
            best = row;
            value = *each;
        }
    }
    return best;
}

void sortGroups(const RunGrid& grid, RunGroups& groups, GridColumn column, bool descending) {
    std::vector<std::pair<GroupKey, RunGroup>> keyed;
    keyed.reserve(groups.groups.size());
    for (RunGroup& group : groups.groups) {
        GroupKey key = keyOf(grid, groups, group, column);
        keyed.emplace_back(std::move(key), std::move(group));
    }
    std::ranges::stable_sort(keyed, [&](const auto& left, const auto& right) {
        const GroupKey& a = left.first;
        const GroupKey& b = right.first;
        if (!a.isKnown || !b.isKnown) {
            return a.isKnown && !b.isKnown;
        }
        const GroupKey& first = descending ? b : a;
        const GroupKey& second = descending ? a : b;
        return first.number != second.number ? first.number < second.number
                                             : naturalLess(first.text, second.text);
    });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        groups.groups[i] = std::move(keyed[i].second);
    }
}

} // namespace cairn
