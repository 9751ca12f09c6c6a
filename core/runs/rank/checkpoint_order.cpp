// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/model/names/file_names.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn {
namespace {

bool isWhole(const ScannedCheckpoint& checkpoint) {
    return !checkpoint.isLink() && checkpoint.mayBeComplete();
}

/// Whether the checkpoints are ordered by step: always, unless a checkpoint has only an epoch.
bool ordersByStep(const ScannedRun& run) {
    const EvidentSaves saves(run);
    const auto epochOnly = [&saves](const ScannedCheckpoint& each) {
        return each.epoch && !each.orderNumber() && saves.has(each);
    };
    const auto stepOnly = [&saves](const ScannedCheckpoint& each) {
        return each.orderNumber() && !each.epoch && saves.has(each);
    };
    return !std::ranges::any_of(run.checkpoints, epochOnly) ||
           std::ranges::any_of(run.checkpoints, stepOnly);
}

struct Key {
    int group = 0; ///< 0: by the run's measure, 1: by the other measure, 2: by time
    Number number;
    std::int64_t time = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
};

Key keyOf(const ScannedCheckpoint& each, bool byStep) {
    const std::optional<Number> step = each.orderNumber();
    const auto epoch = each.epoch ? std::optional(Number(*each.epoch)) : std::nullopt;
    const auto first = byStep ? step : epoch;
    const auto second = byStep ? epoch : step;
    const auto sane = [](const Number& number) { return number.isNothing() ? Number() : number; };
    if (first) {
        return {0, sane(*first), 0};
    }
    if (second) {
        return {1, sane(*second), 0};
    }
    return {2, 0, each.modifiedNs};
}

/// Places links right after their targets; links without a target at the end.
void putLinksAfterTargets(std::vector<ScannedCheckpoint>& list) {
    const auto middle = std::stable_partition(
        list.begin(), list.end(), [](const ScannedCheckpoint& each) { return !each.isLink(); });
    if (middle == list.end()) {
        return;
    }
    std::map<std::string, std::size_t, std::less<>> placeOf;
    for (auto each = list.begin(); each != middle; ++each) {
        placeOf.emplace(each->name, placeOf.size());
    }
    const auto place = [&](const ScannedCheckpoint& each) {
        const auto at = placeOf.find(each.isLink() ? each.linkTo : each.name);
        return std::pair(at != placeOf.end() ? at->second : list.size(), each.isLink());
    };
    std::ranges::stable_sort(list, {}, place);
}

/// The checkpoint that a pointer file ("latest") names, else the last one in training order, with
/// complete ones before others and saves before exports. If there are several files for one step,
/// the largest is the one from which training resumes, not a file with only weights or counters.
const ScannedCheckpoint* latestOf(const ScannedRun& run) {
    const ScannedCheckpoint* latest = nullptr;
    const bool byStep = ordersByStep(run);
    const auto rank = [&](const ScannedCheckpoint& each) {
        const Key key = keyOf(each, byStep);
        const std::uint64_t bytes = key.group < 2 ? each.bytes : 0;
        return std::tuple(!each.isExport, isWhole(each), !each.noModel, each.pointedAsLatest,
                          -key.group, key.number, bytes, each.modifiedNs);
    };
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (!each.isLink() && (latest == nullptr || rank(each) >= rank(*latest))) {
            latest = &each;
        }
    }
    return latest;
}

void markLatest(ScannedRun& run) {
    const ScannedCheckpoint* latest = latestOf(run);
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.latest = &each == latest;
    }
}

void markBest(ScannedRun& run) {
    const Decided<std::size_t> best = decideBest(run);
    run.bestIs = {{}, best.because, best.against};
    if (!best) {
        return;
    }
    ScannedCheckpoint& checkpoint = run.checkpoints[*best.value];
    checkpoint.best = true;
    run.bestIs.value = checkpoint.name;
    run.bestSource = best.because.front().where.file;
    if (best.isBy(kBestInRecord)) {
        const auto& holder =
            *std::ranges::find(run.checkpoints, run.bestSource, &ScannedCheckpoint::path);
        run.bestMetric = holder.record->metric;
        run.bestValue = holder.record->value;
    } else if (checkpoint.score) { // by a name: its value all the same
        run.bestMetric = run.scoreMetric();
        run.bestValue = checkpoint.score;
    }
}

} // namespace

void settleRun(ScannedRun& run) {
    decideSaveNumbers(run);
    const bool byStep = ordersByStep(run);
    std::ranges::stable_sort(run.checkpoints,
                             [&](const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
                                 const Key left = keyOf(a, byStep);
                                 const Key right = keyOf(b, byStep);
                                 return left != right ? left < right : naturalLess(a.name, b.name);
                             });
    putLinksAfterTargets(run.checkpoints);
    markLatest(run);
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.best = false;
    }
    run.bestIs = {};
    run.bestMetric.clear();
    run.bestValue.reset();
    run.bestSource.clear();
    markBest(run);
}

const ScannedCheckpoint* Experiment::newestComplete() const {
    const ScannedCheckpoint* newest = nullptr;
    std::int64_t newestNs = 0;
    for (const ScannedRun& run : runs) {
        std::int64_t runNs = 0;
        for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
            runNs = std::max(runNs, checkpoint.modifiedNs);
        }
        const ScannedCheckpoint* last = latestOf(run);
        if (last != nullptr && isWhole(*last) && (newest == nullptr || runNs > newestNs)) {
            newest = last;
            newestNs = runNs;
        }
    }
    return newest;
}

RankedRuns rankRuns(const Experiment& experiment, std::span<const std::uint32_t> runs) {
    struct Metric {
        const ScannedRun* first; // its metric and direction
        std::vector<std::pair<double, std::uint32_t>> scores;
    };
    std::vector<Metric> metrics;
    for (const std::uint32_t index : runs) {
        const ScannedRun& run = experiment.runs[index];
        const auto best = std::ranges::find(run.checkpoints, true, &ScannedCheckpoint::best);
        if (!run.headline || best == run.checkpoints.end() || !best->score ||
            !std::isfinite(*best->score)) {
            continue;
        }
        auto at = std::ranges::find_if(metrics, [&run](const Metric& each) {
            return each.first->scoreMetric() == run.scoreMetric() &&
                   each.first->direction.value == run.direction.value;
        });
        if (at == metrics.end()) {
            at = metrics.insert(metrics.end(), {&run, {}});
        }
        at->scores.emplace_back(*best->score, index);
    }
    RankedRuns ranked;
    const auto most = std::ranges::max_element(
        metrics, {}, [](const Metric& each) { return each.scores.size(); });
    if (most != metrics.end()) {
        const double sign = most->first->largerIsBetter() ? -1 : 1;
        std::ranges::stable_sort(most->scores, {},
                                 [sign](const auto& score) { return sign * score.first; });
        ranked.metric = most->first->scoreMetric();
        ranked.ranked = most->scores.size();
        for (const auto& [score, run] : most->scores) {
            ranked.runs.push_back(run);
        }
    }
    std::set<std::uint32_t> placed(ranked.runs.begin(), ranked.runs.end());
    std::ranges::copy_if(runs, std::back_inserter(ranked.runs),
                         [&placed](std::uint32_t run) { return placed.insert(run).second; });
    return ranked;
}

} // namespace cairn
