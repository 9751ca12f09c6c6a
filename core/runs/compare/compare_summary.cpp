// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare_summary.h"

#include "core/runs/compare/setting_words.h"
#include "core/runs/rank/metric_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace cairn {
namespace {

using names::Direction;

bool hasValues(const MetricComparison& metric) {
    return (metric.left.best && metric.right.best) || (metric.left.last && metric.right.last);
}

void addMetric(ComparisonSummary& summary, const MetricComparison& metric) {
    summary.metric = metric.name;
    summary.better = metric.better;
    summary.isBest = metric.left.best && metric.right.best;
    summary.left = summary.isBest ? metric.left.best->value : metric.left.last->value;
    summary.right = summary.isBest ? metric.right.best->value : metric.right.last->value;
    summary.parting = metric.parting;
    const double difference = summary.right - summary.left;
    if (summary.left != 0 && std::isfinite(difference)) {
        summary.change = difference / std::abs(summary.left);
    }
    if (std::isnan(difference) && summary.left != summary.right) {
        return;
    }
    if (summary.left == summary.right) {
        summary.verdict = Verdict::Equal;
    } else if (summary.better != Direction::Unknown) {
        const bool larger = summary.right > summary.left;
        summary.verdict =
            larger == (summary.better == Direction::Larger) ? Verdict::Better : Verdict::Worse;
    }
}

std::string changeText(double change) {
    const double percent = std::abs(change) * 100;
    std::array<char, 40> text{};
    const char* form = percent < 1 ? "%.2g" : percent < 10 ? "%.1f" : "%.0f";
    std::snprintf(text.data(), text.size(), form, percent);
    return std::string(change < 0 ? "-" : "+") + text.data() + " %";
}

std::string metricText(const ComparisonSummary& summary) {
    std::string text = summary.metric + " " + summaryNumber(summary.right) + " against " +
                       summaryNumber(summary.left);
    return summary.change && *summary.change != 0 ? text + " (" + changeText(*summary.change) + ")"
                                                  : text;
}

std::string headText(const ComparisonSummary& summary, const std::string& left,
                     const std::string& right) {
    switch (summary.verdict) {
    case Verdict::Better:
        return right + " is better: " + metricText(summary) + ".";
    case Verdict::Worse:
        return right + " is worse: " + metricText(summary) + ".";
    case Verdict::Equal:
        return left + " and " + right + " are equal: " + summary.metric + " " +
               summaryNumber(summary.left) + ".";
    case Verdict::Unknown:
        break;
    }
    return summary.metric.empty()
               ? left + " and " + right + " have no metric in common."
               : right + " compared with " + left + ": " + metricText(summary) + ".";
}

/// Of a run in a comparison with the first one.
std::optional<double> figureOf(const MetricSide& side, bool best) {
    const auto& point = best ? side.best : side.last;
    return point ? std::optional(point->value) : std::nullopt;
}

const MetricComparison* metricIn(const RunComparison& pair, const std::string& name) {
    const auto at = std::ranges::find(pair.metrics, name, &MetricComparison::name);
    return at != pair.metrics.end() ? &*at : nullptr;
}

/// The metrics of the first pair that all pairs have.
RunComparison commonOf(std::span<const RunComparison> pairs) {
    RunComparison common;
    for (const MetricComparison& each : pairs.front().metrics) {
        const bool inAll = std::ranges::all_of(pairs, [&](const RunComparison& pair) {
            const MetricComparison* metric = metricIn(pair, each.name);
            return metric != nullptr && hasValues(*metric);
        });
        if (inAll) {
            common.metrics.push_back(each);
        }
    }
    return common;
}

void addValues(RunsSummary& summary, std::span<const RunComparison> pairs,
               const MetricComparison& metric) {
    summary.metric = metric.name;
    summary.better = metric.better;
    summary.isBest = std::ranges::all_of(pairs, [&](const RunComparison& pair) {
        const MetricComparison* each = metricIn(pair, metric.name);
        return each->left.best && each->right.best;
    });
    summary.values.push_back(*figureOf(metric.left, summary.isBest));
    for (const RunComparison& pair : pairs) {
        const MetricComparison* each = metricIn(pair, metric.name);
        summary.values.push_back(*figureOf(each->right, summary.isBest));
    }
    const bool larger = summary.better == Direction::Larger;
    for (std::size_t i = 0; i < summary.values.size(); ++i) {
        const double value = summary.values[i];
        const bool wins = !summary.winner || (larger ? value > summary.values[*summary.winner]
                                                     : value < summary.values[*summary.winner]);
        if (summary.better != Direction::Unknown && !std::isnan(value) && wins) {
            summary.winner = i;
        }
    }
}

std::string valuesText(const RunsSummary& summary) {
    std::string text;
    for (std::size_t i = 0; i < summary.values.size(); ++i) {
        if (i == summary.winner) {
            continue;
        }
        text += (text.empty() ? "" : ", ") + runLetter(i) + " " + summaryNumber(summary.values[i]);
        const double base = summary.winner ? summary.values[*summary.winner] : 0;
        const double change = (summary.values[i] - base) / std::abs(base);
        if (base != 0 && std::isfinite(change) && change != 0) {
            text += " (" + changeText(change) + ")";
        }
    }
    return text;
}

} // namespace

const MetricComparison* decidingMetric(const RunComparison& comparison, const ScannedRun* leftRun,
                                       const ScannedRun* rightRun) {
    const MetricComparison* chosen = nullptr;
    std::array<int, 5> least{};
    for (const MetricComparison& each : comparison.metrics) {
        if (!hasValues(each)) {
            continue;
        }
        const MetricFacts facts = metricFacts(each.name);
        const bool ranks = (leftRun != nullptr && leftRun->scoreMetric() == each.left.name) ||
                           (rightRun != nullptr && rightRun->scoreMetric() == each.right.name);
        const std::array<int, 5> order{ranks ? 0 : 1, each.better == Direction::Unknown ? 1 : 0,
                                       facts.canRank ? 0 : 1, // "best_loss" is of another step
                                       facts.heldOut ? 0 : 1, facts.rank};
        if (chosen == nullptr || order < least) {
            chosen = &each;
            least = order;
        }
    }
    return chosen;
}

std::string runLetter(std::size_t index) {
    constexpr std::size_t kLetters = 26;
    return index < kLetters ? std::string(1, static_cast<char>('A' + static_cast<char>(index)))
                            : "run " + std::to_string(index + 1);
}

std::vector<SettingOfRuns> settingsOfRuns(std::span<const RunComparison> pairs) {
    const auto less = [](const std::string& a, const std::string& b) {
        return metricNameLess(a, b);
    };
    std::map<std::string, std::vector<std::optional<Value>>, decltype(less)> byKey(less);
    const auto rowOf = [&](const std::string& key, const std::optional<Value>& first) -> auto& {
        auto& values = byKey[key];
        if (values.empty()) {
            values.assign(pairs.size() + 1, first); // until a pair shows a difference
        }
        return values;
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const SettingsComparison& settings = pairs[i].settings;
        for (const SettingDifference& each : settings.different) {
            rowOf(each.key, each.left)[i + 1] = each.right;
        }
        for (const Setting& each : settings.onlyLeft) {
            rowOf(each.key, each.value)[i + 1] = std::nullopt;
        }
        for (const Setting& each : settings.onlyRight) {
            rowOf(each.key, std::nullopt)[i + 1] = each.value;
        }
    }
    std::vector<SettingOfRuns> all;
    for (auto& [key, values] : byKey) {
        all.push_back({key, std::move(values)});
    }
    return all;
}

RunsSummary summaryOfRuns(std::span<const RunComparison> pairs,
                          std::span<const ScannedRun* const> runs) {
    RunsSummary summary;
    if (pairs.empty()) {
        return summary;
    }
    const RunComparison common = commonOf(pairs);
    const ScannedRun* first = runs.empty() ? nullptr : runs.front();
    if (const MetricComparison* metric =
            decidingMetric(common, first, runs.size() > 1 ? runs[1] : first)) {
        addValues(summary, pairs, *metric);
    }
    for (SettingOfRuns& each : settingsOfRuns(pairs)) {
        const bool inAll =
            std::ranges::all_of(each.values, [](const auto& value) { return value.has_value(); });
        if (inAll && !namesRun(each.key)) {
            summary.settings.push_back(std::move(each));
        }
    }
    std::ranges::stable_sort(summary.settings, {},
                             [](const SettingOfRuns& each) { return settingRank(each.key); });
    if (summary.settings.size() > kSummarySettings) {
        summary.moreSettings = summary.settings.size() - kSummarySettings;
        summary.settings.resize(kSummarySettings);
    }
    return summary;
}

std::string summaryText(const RunsSummary& summary) {
    std::string text;
    if (summary.metric.empty()) {
        text = "The runs have no metric in common.";
    } else if (summary.winner) {
        text = runLetter(*summary.winner) + " is best: " + summary.metric + " " +
               summaryNumber(summary.values[*summary.winner]) + "; " + valuesText(summary) + ".";
    } else {
        text = summary.metric + ": " + valuesText(summary) + ".";
    }
    std::string differs;
    for (const SettingOfRuns& each : summary.settings) {
        differs += (differs.empty() ? " Differs: " : "; ") + std::string(lastPartOf(each.key));
        for (std::size_t i = 0; i < each.values.size(); ++i) {
            differs += (i == 0 ? " " : ", ") + settingText(*each.values[i]);
        }
    }
    if (summary.moreSettings > 0) {
        differs += " and " + std::to_string(summary.moreSettings) + " more";
    }
    return differs.empty() ? text : text + differs + ".";
}

std::string_view verdictName(Verdict verdict) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"unknown", "better", "worse", "equal"});
    return kNames.at(static_cast<std::size_t>(verdict));
}

std::string summaryNumber(double value) {
    if (!std::isfinite(value)) {
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

ComparisonSummary summaryOf(const RunComparison& comparison, const ScannedRun* leftRun,
                            const ScannedRun* rightRun, std::string_view metric) {
    ComparisonSummary summary;
    const auto chosen = std::ranges::find_if(comparison.metrics, [&](const MetricComparison& each) {
        return each.name == metric && hasValues(each);
    });
    const MetricComparison* deciding = chosen != comparison.metrics.end()
                                           ? &*chosen
                                           : decidingMetric(comparison, leftRun, rightRun);
    if (deciding != nullptr) {
        addMetric(summary, *deciding);
    }
    summary.settingsRead = comparison.settings.count();
    for (const SettingDifference& each : comparison.settings.different) {
        if (namesRun(each.key)) {
            ++summary.names;
        } else {
            summary.settings.push_back(each);
        }
    }
    std::ranges::stable_sort(summary.settings, {},
                             [](const SettingDifference& each) { return settingRank(each.key); });
    if (summary.settings.size() > kSummarySettings) {
        summary.moreSettings = summary.settings.size() - kSummarySettings;
        summary.settings.resize(kSummarySettings);
    }
    summary.onlyLeft = comparison.settings.onlyLeft.size();
    summary.onlyRight = comparison.settings.onlyRight.size();
    return summary;
}

std::string summaryText(const ComparisonSummary& summary, std::string_view left,
                        std::string_view right) {
    std::string text = headText(summary, std::string(left), std::string(right));
    std::string differs;
    for (const SettingDifference& each : summary.settings) {
        const std::string_view last = lastPartOf(each.key);
        const auto same = std::ranges::count_if(
            summary.settings, [&](const auto& other) { return lastPartOf(other.key) == last; });
        differs += (differs.empty() ? " Differs: " : ", ") +
                   (same == 1 ? std::string(last) : each.key) + " " + settingText(each.left) +
                   " → " + settingText(each.right);
    }
    if (summary.moreSettings > 0) {
        differs += " and " + std::to_string(summary.moreSettings) + " more";
    }
    const std::size_t only = summary.onlyLeft + summary.onlyRight;
    if (summary.settingsRead == 0) {
        return text + " Neither run recorded its settings.";
    }
    const std::string compared = std::to_string(summary.settingsRead);
    if (differs.empty() && only == 0) {
        return text + (summary.names > 0
                           ? " Only names and paths differ (" + compared + " settings compared)."
                           : " No setting differs (" + compared + " compared).");
    }
    if (differs.empty()) {
        return text + " Settings of one run only: " + std::to_string(only) + ".";
    }
    return text + differs + ".";
}

} // namespace cairn
