// SPDX-License-Identifier: Apache-2.0
//
// From the names that users type to columns.
#include "core/runs/history/history.h"
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_grid_builder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kMostHints = 4;

constexpr auto kSettingPrefixes =
    std::to_array<std::string_view>({"config.", "settings.", "setting.", "params."});
constexpr auto kMetricPrefixes = std::to_array<std::string_view>({"metrics.", "metric."});

struct PartName {
    std::string_view suffix;
    MetricPart part;
};
constexpr auto kParts = std::to_array<PartName>({{".last", MetricPart::Last},
                                                 {".best", MetricPart::Best},
                                                 {".best_step", MetricPart::BestStep},
                                                 {".last_step", MetricPart::LastStep}});

std::optional<RunFact> factNamed(std::string_view name) {
    if (name == "size") {
        return RunFact::Bytes;
    }
    for (std::size_t i = 0; i < kRunFacts; ++i) {
        if (runFactName(static_cast<RunFact>(i)) == name) {
            return static_cast<RunFact>(i);
        }
    }
    return std::nullopt;
}

/// "lr" is the end of "optimizer.lr", not of "optimizer_lr".
bool endsWithPart(std::string_view name, std::string_view end, std::string_view separators) {
    return name.size() > end.size() && name.ends_with(end) &&
           separators.find(name[name.size() - end.size() - 1]) != std::string_view::npos;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

/// Similar names, the most similar first.
class Similar {
public:
    explicit Similar(std::string_view wanted) : m_wanted(lowerCase(wanted)) {}

    void consider(const std::string& name) {
        constexpr std::size_t kLongest = 64;
        if (name.size() > kLongest || m_wanted.size() > kLongest) {
            return;
        }
        const std::string known = lowerCase(name);
        const std::string last = known.substr(known.find_last_of("./") + 1);
        const std::size_t allowed = std::max<std::size_t>(1, m_wanted.size() / 3);
        std::size_t distance =
            std::min(editDistance(known, m_wanted), editDistance(last, m_wanted));
        if (distance > allowed && m_wanted.size() > 1 &&
            known.find(m_wanted) != std::string::npos) {
            distance = allowed;
        }
        if (distance <= allowed) {
            m_found.emplace(distance, name);
            if (m_found.size() > kMostHints) {
                m_found.erase(std::prev(m_found.end()));
            }
        }
    }

    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& [distance, name] : m_found) {
            text += (text.empty() ? "" : ", ") + name;
        }
        return text;
    }

private:
    std::string m_wanted;
    std::set<std::pair<std::size_t, std::string>> m_found;
};

/// The only one of `all` whose name matches; the names of the others if there are several.
template <class Items, class NameOf, class Matches>
std::optional<std::uint32_t> onlyOne(const Items& all, const NameOf& nameOf, const Matches& matches,
                                     std::vector<std::string>& several) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (matches(nameOf(all[i]))) {
            found.push_back(i);
        }
    }
    if (found.size() == 1) {
        return found.front();
    }
    for (const std::uint32_t each : found) {
        several.push_back(nameOf(all[each]));
    }
    return std::nullopt;
}

const auto kKeyOf = [](const GridSetting& setting) -> const std::string& { return setting.key; };
const auto kNameOf = [](const GridMetric& metric) -> const std::string& { return metric.name; };

std::string listOf(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostHints); ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > kMostHints ? text + ", …" : text;
}

/// "eval_loss.last" -> "eval_loss" and the part.
std::pair<std::string_view, MetricPart> splitPart(std::string_view name) {
    for (const PartName& each : kParts) {
        if (name.size() > each.suffix.size() && name.ends_with(each.suffix)) {
            return {name.substr(0, name.size() - each.suffix.size()), each.part};
        }
    }
    return {name, MetricPart::Value};
}

template <class Prefixes>
std::optional<std::string_view> without(std::string_view name, const Prefixes& prefixes) {
    for (const std::string_view prefix : prefixes) {
        if (name.size() > prefix.size() && name.starts_with(prefix)) {
            return name.substr(prefix.size());
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<GridColumn> RunGrid::exactColumn(std::string_view name) const {
    if (const auto fact = factNamed(name)) {
        return GridColumn::of(*fact);
    }
    if (const auto setting = m_settingAt.find(std::string(name)); setting != m_settingAt.end()) {
        return GridColumn::setting(setting->second);
    }
    return exactMetric(name);
}

std::optional<GridColumn> RunGrid::exactMetric(std::string_view name) const {
    if (const auto metric = m_metricAt.find(std::string(name)); metric != m_metricAt.end()) {
        return GridColumn::metric(metric->second);
    }
    const auto [base, part] = splitPart(name);
    const auto metric = m_metricAt.find(std::string(base));
    return metric != m_metricAt.end() ? std::optional(GridColumn::metric(metric->second, part))
                                      : std::nullopt;
}

std::optional<GridColumn> RunGrid::settingEnding(std::string_view name,
                                                 std::vector<std::string>& several) const {
    if (const auto exact = m_settingAt.find(std::string(name)); exact != m_settingAt.end()) {
        return GridColumn::setting(exact->second);
    }
    const auto matches = [&](const std::string& key) { return endsWithPart(key, name, "."); };
    const auto one = onlyOne(m_settings, kKeyOf, matches, several);
    return one ? std::optional(GridColumn::setting(*one)) : std::nullopt;
}

std::optional<GridColumn> RunGrid::metricLike(std::string_view name,
                                              std::vector<std::string>& several) const {
    if (const auto exact = exactMetric(name)) {
        return exact;
    }
    const auto [base, part] = splitPart(name);
    const std::string plain = plainMetricName(base);
    const auto isSame = [&](const std::string& each) { return plainMetricName(each) == plain; };
    auto one = onlyOne(m_metrics, kNameOf, isSame, several);
    if (!one && several.empty()) {
        const auto matches = [end = base](const std::string& each) {
            return endsWithPart(each, end, "./");
        };
        one = onlyOne(m_metrics, kNameOf, matches, several);
    }
    return one ? std::optional(GridColumn::metric(*one, part)) : std::nullopt;
}

Result<GridColumn> RunGrid::find(std::string_view name) const {
    if (const auto exact = exactColumn(name)) {
        return *exact;
    }
    const auto settingName = without(name, kSettingPrefixes);
    const auto metricName = without(name, kMetricPrefixes);
    std::vector<std::string> several;
    std::optional<GridColumn> found;
    if (!metricName) {
        found = settingEnding(settingName.value_or(name), several);
    }
    if (!found && !settingName && several.empty()) {
        found = metricLike(metricName.value_or(name), several);
    }
    if (found) {
        return *found;
    }
    if (!several.empty()) {
        return fail(ErrorCode::InvalidArgument, "Several columns have this name")
            .butFound(verbatim(std::string(name)))
            .withHint(sentence("Use one of: %1", listOf(several)));
    }
    Similar similar(settingName.value_or(metricName.value_or(name)));
    for (std::size_t i = 0; i < kRunFacts; ++i) {
        similar.consider(std::string(runFactName(static_cast<RunFact>(i))));
    }
    std::ranges::for_each(m_settings, [&](const auto& each) { similar.consider(each.key); });
    std::ranges::for_each(m_metrics, [&](const auto& each) { similar.consider(each.name); });
    const std::string names = similar.text();
    return fail(ErrorCode::InvalidArgument, "Unknown column")
        .butFound(verbatim(std::string(name)))
        .withHint(names.empty() ? "Columns are settings, metrics, and name, state, step, "
                                  "checkpoints, bytes, duration, started, newest, best"
                                : sentence("Similar names: %1", names));
}

std::string RunGrid::nameOf(GridColumn column) const {
    if (column.kind == GridColumn::Kind::Fact) {
        return std::string(runFactName(static_cast<RunFact>(column.index)));
    }
    const bool isSetting = column.kind == GridColumn::Kind::Setting;
    std::string name =
        isSetting ? m_settings.at(column.index).key : m_metrics.at(column.index).name;
    for (const PartName& each : kParts) {
        name += !isSetting && each.part == column.part ? each.suffix : "";
    }
    if (exactColumn(name) == column) {
        return name;
    }
    return (isSetting ? "config." : "metrics.") + name;
}

} // namespace cairn
