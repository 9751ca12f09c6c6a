// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/metric_decision.h"

#include "core/io/folder.h"
#include "core/model/names/file_names.h"
#include "core/runs/history/history.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using names::Direction;

/// Whether checkpoints may be ranked by this metric.
bool canRank(std::string_view name) {
    return metricRank(name) < metricRank("learning_rate");
}

bool heldOut(std::string_view name) {
    return names::splitOf(name) == names::Split::HeldOut;
}

/// The newest checkpoint whose record names a metric; null if there is none.
const ScannedCheckpoint* metricRecord(const ScannedRun& run) {
    const auto qualifies = [](const ScannedCheckpoint& each) {
        return each.record && !each.record->metric.empty() && !each.exportOf;
    };
    const auto at = std::find_if(run.checkpoints.rbegin(), run.checkpoints.rend(), qualifies);
    return at != run.checkpoints.rend() ? &*at : nullptr;
}

/// What decides between the curves of a run.
struct CurveChoice {
    const MetricSeries* series = nullptr;
    const MetricGoal* goal = nullptr; ///< if the run is judged by it
    bool isRecorded = false;          ///< in the trainer's record
    std::tuple<bool, bool, bool, int> rank = {};
};

Evidence evidenceFor(const CurveChoice& chosen, std::size_t targets,
                     const ScannedCheckpoint* record, const RunHistory& history) {
    if (chosen.isRecorded) {
        return {Strength::Recorded,
                "metric-in-record",
                "the trainer's own record names this metric",
                {.file = record->path}};
    }
    if (chosen.goal != nullptr && targets == 1) {
        return {Strength::Recorded,
                "metric-is-target",
                "the run's files record a goal for this metric",
                {.file = chosen.goal->source}};
    }
    Place where{.file = {}, .field = chosen.series->name};
    if (chosen.series->source < history.sources.size()) {
        where.file = history.sources[chosen.series->source].path;
    }
    return {Strength::Named, "metric-in-name",
            heldOut(chosen.series->name)
                ? Sentence("by its name, the first of the curves that were measured on held-out "
                           "data")
                : Sentence("by its name, the first of the curves"),
            std::move(where)};
}

} // namespace

MetricFacts metricFacts(std::string_view name) {
    MetricFacts facts;
    facts.rank = metricRank(name);
    facts.better = names::directionOf(name);
    facts.heldOut = heldOut(name);
    facts.canRank =
        canRank(name) && !isBestName(name); // "best_val_loss" is that of the best checkpoint so far
    return facts;
}

Decided<Direction> decideDirection(const ScannedRun& run, const RunHistory& history,
                                   std::string_view metric) {
    std::vector<Claim<Direction>> claims = history.directionClaims(metric);
    const std::string plain = plainMetricName(metric);
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        if (each->record && !each->exportOf && each->record->better != Direction::Unknown &&
            plainMetricName(each->record->metric) == plain) {
            claims.push_back(
                {each->record->better,
                 {Strength::Recorded,
                  "direction-recorded",
                  each->record->better == Direction::Larger ? Sentence("larger is better")
                                                            : "lower is better",
                  {.file = each->path}}});
            break;
        }
    }
    return decide(std::move(claims));
}

JudgingCurve decideCurve(const ScannedRun& run, const RunHistory& history,
                         std::span<const MetricFacts> facts) {
    const ScannedCheckpoint* record = metricRecord(run);
    const std::string recorded =
        record != nullptr ? plainMetricName(record->record->metric) : std::string();
    CurveChoice best;
    std::set<std::string> targets;
    for (std::size_t i = 0; i < history.series.size(); ++i) {
        const MetricSeries& series = history.series[i];
        CurveChoice each{&series};
        each.isRecorded = !recorded.empty() && plainMetricName(series.name) == recorded;
        const MetricGoal* goal = history.goals.empty() ? nullptr : history.goalOf(series.name);
        each.goal = goal != nullptr && goal->isTarget ? goal : nullptr;
        if (!each.isRecorded && each.goal == nullptr && !facts[i].canRank) {
            continue;
        }
        each.rank = {!each.isRecorded, each.goal == nullptr, !facts[i].heldOut, facts[i].rank};
        const bool isBetter =
            best.series == nullptr || each.rank < best.rank ||
            (each.rank == best.rank && naturalLess(series.name, best.series->name));
        if ((isBetter || each.goal != nullptr) && decideDirection(run, history, series.name)) {
            if (each.goal != nullptr) {
                targets.insert(plainMetricName(series.name));
            }
            best = isBetter ? each : best;
        }
    }
    if (best.series == nullptr) {
        return {};
    }
    JudgingCurve curve{history.primary(best.series->name), {}};
    curve.headline = decide<std::string>(
        {{curve.series->name, evidenceFor(best, targets.size(), record, history)}});
    return curve;
}

Decided<std::string> decideHeldMetric(const ScannedRun& run) {
    std::map<std::string, std::size_t> holders;
    const EvidentSaves saves(run);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        for (const auto& [name, value] : each.metrics) {
            // "best_accuracy" is that of the best checkpoint so far, not of this one
            const bool own = canRank(name) && !isBestName(name) && saves.has(each);
            holders[name] += own && std::isfinite(value) ? 1U : 0U;
        }
    }
    std::string best;
    for (const auto& [name, count] : holders) {
        const auto rank = [](const std::string& of) {
            return std::tuple(!heldOut(of), metricRank(of));
        };
        if (count >= 2 && (best.empty() || rank(name) < rank(best))) {
            best = name;
        }
    }
    if (best.empty()) {
        return {};
    }
    Evidence evidence{Strength::Named,
                      "metric-in-checkpoints",
                      sentence("%1 checkpoints hold a value of it", holders[best]),
                      {.file = run.path, .field = best}};
    return decide<std::string>({{best, std::move(evidence)}});
}

} // namespace cairn
