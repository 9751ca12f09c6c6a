// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/model/names/file_names.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/metric_facts.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/rank/row_decision.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

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

/// The trainer's own metric, from the newest record; empty if there is none.
std::string recordedMetric(const ScannedRun& run) {
    const auto qualifies = [](const ScannedCheckpoint& each) {
        return each.record && !each.record->metric.empty();
    };
    const auto at = std::find_if(run.checkpoints.rbegin(), run.checkpoints.rend(), qualifies);
    return at != run.checkpoints.rend() ? plainMetricName(at->record->metric) : std::string();
}

/// Which direction of a metric is better: from the trainer's record, else from the run's files or
/// the metric's name.
Direction directionIn(const ScannedRun& run, const RunHistory& history, const std::string& metric) {
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        if (each->record && each->record->better != Direction::Unknown &&
            plainMetricName(each->record->metric) == plainMetricName(metric)) {
            return each->record->better;
        }
    }
    return history.directionOf(metric);
}

/// The metric by which the run's checkpoints are ranked; null if there is none. A metric with an
/// unknown direction is not used.
const MetricSeries* judging(const ScannedRun& run, const RunHistory& history,
                            std::span<const MetricFacts> facts, const std::string& recorded) {
    const MetricSeries* best = nullptr;
    std::tuple<bool, bool, bool, int> bestRank;
    for (std::size_t i = 0; i < history.series.size(); ++i) {
        const MetricSeries& series = history.series[i];
        const bool isRecorded = !recorded.empty() && plainMetricName(series.name) == recorded;
        const MetricGoal* goal = history.goals.empty() ? nullptr : history.goalOf(series.name);
        const bool isTarget = goal != nullptr && goal->isTarget;
        if (!isRecorded && !isTarget && !facts[i].canRank) {
            continue;
        }
        const std::tuple rank(!isRecorded, !isTarget, !facts[i].heldOut, facts[i].rank);
        const bool isBetter = best == nullptr || rank < bestRank ||
                              (rank == bestRank && naturalLess(series.name, best->name));
        if (isBetter && directionIn(run, history, series.name) != Direction::Unknown) {
            best = &series;
            bestRank = rank;
        }
    }
    return best != nullptr ? history.primary(best->name) : nullptr;
}

/// The smallest distance between two neighbours; infinite for fewer than two.
double interval(std::vector<double> positions) {
    std::ranges::sort(positions);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < positions.size(); ++i) {
        const double gap = positions[i] - positions[i - 1];
        least = gap > 0 ? std::min(least, gap) : least;
    }
    return least;
}

/// A metric that the values of at least two checkpoints contain, best rank first.
std::string heldMetric(const ScannedRun& run) {
    std::map<std::string, std::size_t> holders;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        for (const auto& [name, value] : each.metrics) {
            // "best_accuracy" is that of the best checkpoint so far, not of this one
            const bool own = canRank(name) && !isBestName(name) && !each.isLink();
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
    return best;
}

void scoreByValues(ScannedRun& run, const RunHistory& history) {
    run.scoreMetric = heldMetric(run);
    const Direction better = directionIn(run, history, run.scoreMetric);
    run.scoreMetric = better == Direction::Unknown ? std::string() : run.scoreMetric;
    run.largerScoreIsBetter = better == Direction::Larger;
    for (ScannedCheckpoint& each : run.checkpoints) {
        for (const auto& [name, value] : each.metrics) {
            if (!each.isLink() && !run.scoreMetric.empty() && name == run.scoreMetric) {
                each.score = value;
                each.scoreFrom = NumberFrom{each.path, {}, {}, name};
            }
        }
    }
}

/// The location of the curve's point; in a joined curve the file differs from point to point.
NumberFrom placeOf(const RunHistory& history, const MetricSeries& series, const CurvePoint& point,
                   bool bySteps) {
    NumberFrom from{{}, {}, {}, series.name};
    const std::vector<double>& axis =
        bySteps || series.epochs.empty() ? series.steps : series.epochs;
    std::size_t at = std::min(axis.size(), series.size());
    while (at > 0 && axis[at - 1] != point.x) {
        --at;
    }
    const std::uint32_t source = at > 0 ? series.sourceOf(at - 1) : series.source;
    if (source < history.sources.size()) {
        from.file = history.sources[source].path;
    }
    if (at > 0 && at <= series.steps.size()) {
        from.step = series.steps[at - 1];
    }
    return from;
}

void giveScores(ScannedRun& run, const RunHistory& history, std::span<const MetricFacts> facts) {
    run.scoreMetric.clear();
    run.scoreSource.clear();
    run.undecidedMetric.clear();
    run.rowsBecause.clear();
    run.rowsAgainst.clear();
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.score.reset();
        each.scoreFrom.reset();
    }
    const MetricSeries* series = judging(run, history, facts, recordedMetric(run));
    if (series == nullptr) {
        scoreByValues(run, history);
        return;
    }
    RowMatch match = decideRows(run, history, *series);
    const std::vector<std::optional<double>>& places = match.places;
    run.rowsBecause = std::move(match.unit.because);
    run.rowsAgainst = std::move(match.unit.against);
    if (!match.unit.value) {
        run.undecidedMetric = run.checkpoints.empty() ? std::string() : series->name;
        scoreByValues(run, history); // a value of another row would be misleading
        return;
    }
    const bool bySteps = *match.unit.value != RowUnit::Epochs;
    std::vector<double> positions;
    for (const auto& place : places) {
        if (place) {
            positions.push_back(*place);
        }
    }
    const std::vector<CurvePoint>& curve = match.curve;
    // The row of an epoch applies to that epoch only.
    const double reach = bySteps ? interval(positions) : std::min(interval(positions), 1.0);
    const double end = endOf(curve);
    run.scoreMetric = series->name;
    if (series->source < history.sources.size()) {
        run.scoreSource = history.sources[series->source].path;
    }
    run.largerScoreIsBetter = directionIn(run, history, series->name) == Direction::Larger;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) {
            continue;
        }
        const auto after = std::ranges::upper_bound(curve, *places[i], {}, &CurvePoint::x);
        if (after == curve.end() && *places[i] > end) {
            continue;
        }
        if (after != curve.begin() && *places[i] - std::prev(after)->x < reach) {
            const CurvePoint& point = *std::prev(after);
            run.checkpoints[i].score = point.value;
            run.checkpoints[i].scoreFrom = placeOf(history, *series, point, bySteps);
        }
    }
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

void settleRun(ScannedRun& run, const RunHistory& history) {
    std::vector<MetricFacts> facts;
    facts.reserve(history.series.size());
    for (const MetricSeries& series : history.series) {
        facts.push_back(metricFacts(series.name));
    }
    settleRun(run, history, facts);
}

void settleRun(ScannedRun& run, const RunHistory& history, std::span<const MetricFacts> facts) {
    decideSaveNumbers(run);
    giveScores(run, history, facts);
    run.directionFrom = directionEvidence(run, history);
    settleRun(run);
}

RunScores scoresOf(const ScannedRun& run) {
    RunScores scores{run.scoreMetric,
                     run.scoreSource,
                     run.largerScoreIsBetter,
                     run.rowsBecause,
                     run.rowsAgainst,
                     run.undecidedMetric,
                     run.directionFrom.strength != Strength::Named,
                     {}};
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.score) {
            scores.values.push_back({each.path, *each.score, each.scoreFrom});
        }
    }
    return scores;
}

void settleRun(ScannedRun& run, const RunScores& scores) {
    run.scoreMetric = scores.metric;
    run.scoreSource = scores.source;
    run.largerScoreIsBetter = scores.largerIsBetter;
    run.rowsBecause = scores.because;
    run.rowsAgainst = scores.against;
    run.undecidedMetric = scores.undecidedMetric;
    run.directionFrom = directionEvidence(scores.isDirectionRecorded, scores.largerIsBetter);
    std::map<std::filesystem::path, const RunScores::Score*> byPath;
    for (const RunScores::Score& score : scores.values) {
        byPath.emplace(score.path, &score);
    }
    for (ScannedCheckpoint& each : run.checkpoints) {
        const auto score = byPath.find(each.path);
        const bool known = score != byPath.end();
        each.score = known ? std::optional(score->second->value) : std::nullopt;
        each.scoreFrom = known ? score->second->from : std::nullopt;
    }
    settleRun(run);
}

} // namespace cairn
