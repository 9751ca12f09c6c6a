// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_row.h"

#include "core/runs/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cairn {
namespace {

/// Different values of one key, as one text.
std::string joinedText(const std::vector<Value>& values) {
    std::string text;
    for (const Value& value : values) {
        text += (text.empty() ? "" : " | ") + settingText(value);
    }
    return text;
}

/// A list with thousands of positions (a vocabulary, a schedule) would displace real settings.
constexpr std::size_t kMaxValueText = 2'000;

Value shortened(const Value& value) {
    const std::string* text = value.asString();
    const bool isLong = text != nullptr && text->size() > kMaxValueText;
    return isLong ? Value(text->substr(0, kMaxValueText) + "…") : value;
}

void addSettings(RunRow& row, const RunHistory& history) {
    bool cut = false;
    std::map<std::string, std::vector<Value>> byKey; // values in the order of their sources
    const std::vector<std::string> disputed = disputedSettings(history.settings);
    for (const ValueItem& source : history.settings.items()) {
        if (disputed.empty()) {
            break;
        }
        const Value alone = Value::dict({source});
        for (const Setting& each : flatSettings(alone, {}, &cut)) {
            if (std::ranges::binary_search(disputed, each.key)) {
                auto& values = byKey[each.key];
                const bool known = std::ranges::any_of(
                    values, [&](const Value& value) { return sameSetting(value, each.value); });
                if (!known) {
                    values.push_back(each.value);
                }
            }
        }
    }
    for (Setting& each : flatSettings(history.settings, {}, &cut)) {
        if (row.settings.size() == kMaxRowSettings) {
            cut = true;
            break;
        }
        const auto found = byKey.find(each.key);
        const bool differs = found != byKey.end() && found->second.size() > 1;
        row.settings.push_back({std::move(each.key),
                                differs ? Value(joinedText(found->second)) : shortened(each.value),
                                differs});
    }
    row.settingsCut = cut;
}

void widen(std::optional<double>& least, std::optional<double>& most, double value) {
    if (std::isfinite(value)) {
        least = std::min(least.value_or(value), value);
        most = std::max(most.value_or(value), value);
    }
}

void addExtent(RunRow& row, const RunHistory& history) {
    for (const MetricSeries& series : history.series) {
        if (series.stepsFrom == StepsFrom::Source && !series.steps.empty() &&
            std::isfinite(series.steps.back())) {
            const Number step = series.stepAt(series.steps.size() - 1);
            const auto last = Number(std::trunc(step.nearest), step.rest).asInt();
            row.lastStep =
                last ? std::optional(std::max(row.lastStep.value_or(*last), *last)) : row.lastStep;
        }
        for (const double wall : series.wall) {
            widen(row.firstWall, row.lastWall, wall);
        }
    }
}

CurveOutline outlineOf(const MetricSeries& series) {
    CurveOutline outline{series.name, {}};
    const std::vector<CurvePoint> curve = curveOf(series, CompareAxis::Step);
    if (curve.empty()) {
        return outline;
    }
    const double first = curve.front().x;
    const double length = curve.back().x - first;
    const std::size_t parts = std::min(curve.size(), CurveOutline::kMaxPoints);
    outline.values.assign(parts, std::numeric_limits<float>::quiet_NaN());
    for (const CurvePoint& point : curve) {
        const double part = length > 0 ? (point.x - first) / length : 0;
        const auto index =
            std::min(parts - 1, static_cast<std::size_t>(part * static_cast<double>(parts)));
        if (std::isfinite(point.value)) {
            outline.values[index] = static_cast<float>(point.value);
        }
    }
    return outline;
}

} // namespace

MetricCell metricCell(const MetricSeries& series, names::Direction direction) {
    MetricCell cell;
    cell.source = series.source;
    cell.points = static_cast<std::uint32_t>(
        std::min<std::size_t>(series.size(), std::numeric_limits<std::uint32_t>::max()));
    cell.best = std::numeric_limits<double>::quiet_NaN();
    const auto xOf = [&](std::size_t i) {
        return i < series.steps.size() ? series.stepAt(i) : Number{static_cast<double>(i)};
    };
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Number value = series.valueAt(i);
        const Number best{cell.best, cell.bestRest};
        const bool better = std::isnan(cell.best) ||
                            (direction == names::Direction::Larger ? value > best : value < best);
        if (std::isfinite(value.nearest) && better && direction != names::Direction::Unknown) {
            cell.best = value.nearest;
            cell.bestRest = value.rest;
            cell.bestX = xOf(i).nearest;
            cell.bestXRest = xOf(i).rest;
        }
    }
    if (series.size() > 0) {
        const Number last = series.valueAt(series.size() - 1);
        const Number lastX = xOf(series.size() - 1);
        cell.last = last.nearest;
        cell.lastRest = last.rest;
        cell.lastX = lastX.nearest;
        cell.lastXRest = lastX.rest;
    }
    return cell;
}

void addRowFacts(RunRow& row, const RunHistory& history, std::span<const MetricFacts> facts,
                 const std::string& rankingMetric) {
    addSettings(row, history);
    row.goals = history.goals;
    for (MetricGoal& goal : row.goals) {
        goal.source.clear();
    }
    addExtent(row, history);
    const MetricSeries* series = rankingMetric.empty() ? nullptr : history.primary(rankingMetric);
    if (series == nullptr && !facts.empty()) {
        const auto least = std::ranges::min_element(facts, {}, &MetricFacts::rank);
        const auto index = static_cast<std::size_t>(least - facts.begin());
        series = history.primary(history.series.at(index).name);
    }
    if (series != nullptr) {
        row.outline = outlineOf(*series);
    }
}

} // namespace cairn
