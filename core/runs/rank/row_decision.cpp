// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/row_decision.h"

#include "core/runs/rank/counted_saves.h"
#include "core/runs/rank/rows_by_epochs.h"
#include "core/runs/rank/rows_by_steps.h"
#include "core/runs/rank/rows_logged_again.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace cairn {
namespace {

void givePlaces(RowMatch& match, const ScannedRun& run, const std::vector<CountedSave>& placed,
                double offset) {
    for (const CountedSave& each : placed) {
        match.places[static_cast<std::size_t>(each.checkpoint - run.checkpoints.data())] =
            each.at - offset;
    }
}

void appendEvidence(std::vector<Evidence>& to, const std::vector<Evidence>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

/// Why it is undecided which attempt saved a checkpoint; nothing: it is not.
std::optional<Evidence> severalAttempts(const RowMatch& match, const ScannedRun& run,
                                        const RunHistory& history, const MetricSeries& series) {
    if (hasTooManyAttempts(series, match.places.size())) {
        return Evidence{Strength::Recorded, "many-attempts",
                        "this training was restarted too often to decide which attempt saved "
                        "which checkpoint",
                        placeIn(history, series)};
    }
    if (const ScannedCheckpoint* either = loggedAgain(run, series, match)) {
        return Evidence{Strength::Recorded,
                        "logged-again",
                        "another attempt of this training, after a restart, may have saved the "
                        "checkpoint",
                        {either->path}};
    }
    return std::nullopt;
}

/// Leaves a match undecided where another attempt may have saved a checkpoint.
void settleLoggedAgain(RowMatch& match, const ScannedRun& run, const RunHistory& history,
                       const MetricSeries& series) {
    auto several = severalAttempts(match, run, history, series);
    if (!several) {
        return;
    }
    match.unit.value.reset();
    match.unit.against.insert(match.unit.against.begin(), match.unit.because.begin(),
                              match.unit.because.end());
    match.unit.because.clear();
    match.unit.against.push_back(std::move(*several));
    match.places.assign(run.checkpoints.size(), std::nullopt);
    match.curve.clear();
}

} // namespace

Number endOf(const std::vector<ExactPoint>& curve) {
    double widest = 1;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        widest = std::max(widest, curve[i].x - curve[i - 1].x);
    }
    return curve.empty() ? Number() : curve.back().x + widest;
}

RowMatch decideRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series) {
    RowMatch match;
    match.places.resize(run.checkpoints.size());
    StepRows steps = stepRows(run, history, series);
    if (steps.isPossible) {
        const auto decided = decide(std::move(steps.claims));
        const bool isDecided = decided.isAtLeast(Strength::Recorded) && decided.value->has_value();
        match.unit.because = isDecided ? decided.because : std::vector<Evidence>();
        match.unit.against = decided.against;
        if (isDecided) {
            match.unit.value = **decided.value;
            match.curve = curveBySteps(series);
            givePlaces(match, run, steps.placed, 0);
            settleLoggedAgain(match, run, history, series);
            return match;
        }
        appendEvidence(match.unit.against, decided.because);
    }
    if (series.stepsFrom == StepsFrom::Count) {
        match.unit.against.push_back({Strength::Named, "row-number",
                                      "the log records no steps; its rows are numbered",
                                      placeIn(history, series)});
    }
    EpochRows epochs = epochRows(run, history, series);
    appendEvidence(match.unit.against, epochs.offset.against);
    if (epochs.offset.value) {
        match.unit.value = RowUnit::Epochs;
        match.unit.because = epochs.offset.because;
        match.curve = std::move(epochs.curve);
        givePlaces(match, run, epochs.placed, *epochs.offset.value);
        settleLoggedAgain(match, run, history, series);
    } else if (match.unit.against.empty()) {
        match.unit.against.push_back(
            {Strength::Named, epochs.placed.empty() ? "no-common-count" : "several-offsets",
             epochs.placed.empty()
                 ? Sentence("the log and the checkpoints record nothing that both count")
                 : Sentence("the log and the checkpoints may count from different numbers"),
             placeIn(history, series)});
    }
    return match;
}

} // namespace cairn
