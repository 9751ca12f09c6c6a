// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/metric_words.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/counted_saves.h"
#include "core/runs/rank/metric_decision.h"
#include "core/runs/rank/metric_facts.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/rank/row_decision.h"
#include "core/runs/rank/unread_logs.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace cairn {
namespace {

/// The smallest distance between two neighbours; infinite for fewer than two.
double interval(std::vector<Number> positions) {
    std::ranges::sort(positions);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < positions.size(); ++i) {
        const double gap = positions[i] - positions[i - 1];
        least = gap > 0 ? std::min(least, gap) : least;
    }
    return least;
}

void scoreByValues(ScannedRun& run, const RunHistory& history) {
    run.headline = decideHeldMetric(run);
    run.direction = run.headline ? decideDirection(run, history, run.scoreMetric())
                                 : Decided<names::Direction>();
    run.headline = run.direction ? run.headline : Decided<std::string>();
    const EvidentSaves saves(run);
    for (ScannedCheckpoint& each : run.checkpoints) {
        for (const auto& [name, value] : each.metrics) {
            if (saves.has(each) && run.headline && name == run.scoreMetric()) {
                each.score = value;
                each.scoreFrom = Place{.file = each.path, .field = name};
            }
        }
    }
}

/// The location of the curve's point; in a joined curve the file differs from point to point.
Place placeOf(const RunHistory& history, const MetricSeries& series, const ExactPoint& point,
              bool bySteps) {
    Place from{.file = {}, .field = series.name};
    const bool isStep = bySteps || series.epochs.empty();
    std::size_t at = std::min(isStep ? series.steps.size() : series.epochs.size(), series.size());
    while (at > 0 && (isStep ? series.stepAt(at - 1) : Number(series.epochs[at - 1])) != point.x) {
        --at;
    }
    const std::uint32_t source = at > 0 ? series.sourceOf(at - 1) : series.source;
    if (source < history.sources.size()) {
        from.file = history.sources[source].path;
    }
    if (at > 0 && at <= series.steps.size()) {
        from.step = series.stepAt(at - 1);
    }
    return from;
}

/// The checkpoint itself holds another measurement than its row. A training loss may be that of a
/// batch, which a log averages.
bool isContradicted(const ScannedCheckpoint& checkpoint, const std::string& metric, double row) {
    const double* held =
        names::splitOf(metric) == names::Split::HeldOut ? heldValue(checkpoint, metric) : nullptr;
    return held != nullptr && !isCloseValue(*held, row, kDifferentValue);
}

void giveScores(ScannedRun& run, const RunHistory& history, std::span<const MetricFacts> facts) {
    run.headline = {};
    run.direction = {};
    run.scoreSource.clear();
    run.undecidedMetric.clear();
    run.rowsBecause.clear();
    run.rowsAgainst.clear();
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.score.reset();
        each.scoreFrom.reset();
    }
    JudgingCurve judging = decideCurve(run, history, facts);
    const MetricSeries* series = judging.series;
    if (series == nullptr) {
        scoreByValues(run, history);
        return;
    }
    RowMatch match = decideRows(run, history, *series);
    const std::vector<std::optional<Number>>& places = match.places;
    run.rowsBecause = std::move(match.unit.because);
    run.rowsAgainst = std::move(match.unit.against);
    if (!match.unit.value) {
        run.undecidedMetric = run.checkpoints.empty() ? std::string() : series->name;
        scoreByValues(run, history); // a value of another row would be misleading
        return;
    }
    if (const Sentence unread = unreadLogs(history); !unread.empty()) {
        run.rowsAgainst.push_back({Strength::Recorded, kLogsNotRead, unread, {}});
    }
    const bool bySteps = *match.unit.value != RowUnit::Epochs;
    std::vector<Number> positions;
    for (const auto& place : places) {
        if (place) {
            positions.push_back(*place);
        }
    }
    const std::vector<ExactPoint>& curve = match.curve;
    // The row of an epoch applies to that epoch only.
    const double reach = bySteps ? interval(positions) : std::min(interval(positions), 1.0);
    const Number end = endOf(curve);
    run.headline = std::move(judging.headline);
    if (series->source < history.sources.size()) {
        run.scoreSource = history.sources[series->source].path;
    }
    run.direction = decideDirection(run, history, series->name);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) {
            continue;
        }
        const auto after = std::ranges::upper_bound(curve, *places[i], {}, &ExactPoint::x);
        if (after == curve.end() && *places[i] > end) {
            continue;
        }
        if (after != curve.begin() && *places[i] - std::prev(after)->x < reach) {
            const ExactPoint& point = *std::prev(after);
            if (isContradicted(run.checkpoints[i], series->name, point.value)) {
                run.rowsAgainst.push_back({Strength::Recorded,
                                           "value-differs",
                                           "the checkpoint contains a different value of the "
                                           "metric than its row, and gets none",
                                           {run.checkpoints[i].path, series->name}});
                continue;
            }
            run.checkpoints[i].score = point.value;
            run.checkpoints[i].scoreFrom = placeOf(history, *series, point, bySteps);
        }
    }
}

} // namespace

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
    settleRun(run);
}

RunScores scoresOf(const ScannedRun& run) {
    RunScores scores{run.headline,
                     run.direction,
                     run.scoreSource,
                     run.rowsBecause,
                     run.rowsAgainst,
                     run.undecidedMetric,
                     {}};
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.score) {
            scores.values.push_back({each.path, *each.score, each.scoreFrom});
        }
    }
    return scores;
}

void settleRun(ScannedRun& run, const RunScores& scores) {
    run.headline = scores.headline;
    run.direction = scores.direction;
    run.scoreSource = scores.source;
    run.rowsBecause = scores.because;
    run.rowsAgainst = scores.against;
    run.undecidedMetric = scores.undecidedMetric;
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
