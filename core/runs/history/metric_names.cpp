// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history.h"

#include <algorithm>
#include <array>
#include <map>

namespace cairn {
namespace {

using names::Direction;
using names::Split;

constexpr auto kBookkeeping = std::to_array<std::string_view>(
    {"time",       "runtime", "second", "seconds", "sec",    "ms",       "memory",
     "mem",        "gpu",     "cpu",    "system",  "flos",   "flops",    "tflops",
     "percentage", "samples", "steps",  "elapsed", "tokens", "timestamp"});
/// Suffixes and prefixes that show when a metric was measured: "train_loss_step", "val_loss_epoch"
/// (Lightning), "epoch_loss" (Keras).
constexpr auto kPlaces = std::to_array<std::string_view>({"epoch", "step"});

template <std::size_t N>
bool hasAny(const std::vector<std::string>& words, const std::array<std::string_view, N>& wanted) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
}

bool isBookkeeping(const std::vector<std::string>& words, Direction better) {
    return hasAny(words, kBookkeeping) ||
           (better == Direction::Unknown && hasAny(words, kPlaces)) ||
           (words.size() > 1 && words.front() == "system");
}

} // namespace

int metricRank(std::string_view name) {
    const std::vector<std::string> words = names::metricWords(name);
    const Direction better = names::directionOf(name);
    if (isBookkeeping(words, better)) {
        return 90;
    }
    const bool heldOut = names::splitOf(name) == Split::HeldOut;
    if (std::ranges::any_of(words, names::isLossWord)) {
        if (better == Direction::Unknown) {
            return 60; // "loss scale" is a setting of mixed precision
        }
        return heldOut ? 10 : words.size() == 1 ? 0 : words.size() <= 3 ? 2 : 5;
    }
    if (better == Direction::Smaller) {
        return heldOut ? 22 : 20;
    }
    if (better == Direction::Larger) {
        return heldOut ? 30 : 32;
    }
    const bool rate = name.find("lr") != std::string_view::npos ||
                      (std::find(words.begin(), words.end(), "learning") != words.end());
    return rate ? 45 : std::find(words.begin(), words.end(), "grad") != words.end() ? 50 : 70;
}

bool MetricGoal::isOf(std::string_view metric) const {
    if (name.ends_with('*')) {
        return metric.starts_with(std::string_view(name).substr(0, name.size() - 1));
    }
    return name == metric || plainMetricName(name) == plainMetricName(metric);
}

const MetricGoal* RunHistory::goalOf(std::string_view metric) const {
    const MetricGoal* found = nullptr;
    for (const MetricGoal& goal : goals) { // later records and exact names take precedence
        const bool names = goal.isOf(metric);
        const bool lessCertain =
            found != nullptr && (goal.name.ends_with('*') && !found->name.ends_with('*'));
        found = names && !lessCertain ? &goal : found;
    }
    return found;
}

std::vector<Claim<Direction>> RunHistory::directionClaims(std::string_view metric) const {
    // Of each source the last goal with this name, else with a pattern.
    std::map<std::filesystem::path, const MetricGoal*> bySource;
    const MetricGoal* last = goals.empty() ? nullptr : goalOf(metric);
    for (const MetricGoal& goal : goals) {
        const bool isAsExact =
            last != nullptr && goal.name.ends_with('*') == last->name.ends_with('*');
        if (isAsExact && goal.better != Direction::Unknown && goal.isOf(metric)) {
            bySource[goal.source] = &goal;
        }
    }
    std::vector<Claim<Direction>> claims;
    for (const auto& [source, goal] : bySource) {
        const Sentence says =
            goal->better == Direction::Larger ? Sentence("larger is better") : "lower is better";
        claims.push_back(
            {goal->better, {Strength::Recorded, "direction-recorded", says, {.file = source}}});
    }
    const Direction implied = names::directionOf(metric);
    if (implied != Direction::Unknown) {
        claims.push_back({implied,
                          {Strength::Named,
                           "direction-in-name",
                           implied == Direction::Larger ? Sentence("larger is better, assumed")
                                                        : "lower is better, assumed",
                           {}}});
    }
    return claims;
}

Decided<Direction> RunHistory::direction(std::string_view metric) const {
    return decide(directionClaims(metric));
}

std::string plainMetricName(std::string_view name) {
    std::string plain;
    for (const std::string& word : names::metricWords(name)) {
        plain += (plain.empty() ? "" : " ") + word;
    }
    return plain;
}

} // namespace cairn
