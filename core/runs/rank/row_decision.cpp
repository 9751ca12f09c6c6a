// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/row_decision.h"

#include "core/runs/rank/counted_saves.h"
#include "core/runs/rank/rows_by_epochs.h"
#include "core/runs/rank/rows_by_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// The rows of a step that was logged again, after a restart, are of different weights.
class Rewritten {
public:
    Rewritten(const ScannedRun& run, const MetricSeries& series, const RowMatch& match)
        : m_run(run), m_series(series), m_match(match), m_wereSavedInOrder(wereSavedInOrder()) {}

    /// A checkpoint that may have been saved before its row was logged again; null: none.
    [[nodiscard]] const ScannedCheckpoint* find() const {
        for (std::size_t i = 0; m_series.replaced.size() > 0 && i < m_match.places.size(); ++i) {
            if (m_match.places[i] && isOfEither(m_run.checkpoints[i], *m_match.places[i])) {
                return &m_run.checkpoints[i];
            }
        }
        return nullptr;
    }

private:
    [[nodiscard]] bool isOfEither(const ScannedCheckpoint& checkpoint, double at) const {
        const auto& curve = m_match.curve;
        const auto after = std::ranges::upper_bound(curve, at, {}, &CurvePoint::x);
        if (after == curve.begin()) {
            return false;
        }
        const CurvePoint& row = *std::prev(after);
        const bool isLeft = isLeftBetween(row);
        if (!isLeft && !hasOtherValue(row)) {
            return false;
        }
        const double* held = heldValue(checkpoint, m_series.name);
        if (held != nullptr && isCloseValue(*held, row.value, kRoundedValue)) {
            return false;
        }
        // Where the rows that were logged again end before the checkpoint, it may be older.
        const bool endsBefore = row.x != at && (after == curve.end() || !hasOtherValue(*after));
        return isLeft || endsBefore || !m_wereSavedInOrder;
    }

    [[nodiscard]] double stepOf(const CurvePoint& row) const {
        if (m_match.unit.value != RowUnit::Epochs || m_series.epochs.empty()) {
            return row.x;
        }
        const auto at = std::find(m_series.epochs.rbegin(), m_series.epochs.rend(), row.x);
        const auto index = static_cast<std::size_t>(m_series.epochs.rend() - at);
        return index > 0 && index <= m_series.steps.size() ? m_series.steps[index - 1] : row.x;
    }

    /// Another value was logged at its step before.
    [[nodiscard]] bool hasOtherValue(const CurvePoint& row) const {
        const auto& replaced = m_series.replaced;
        const auto [first, last] =
            std::equal_range(replaced.steps.begin(), replaced.steps.end(), stepOf(row));
        for (auto each = first; each != last; ++each) {
            const auto index = static_cast<std::size_t>(each - replaced.steps.begin());
            if (!isCloseValue(replaced.values[index], row.value, kRoundedValue)) {
                return true;
            }
        }
        return false;
    }

    /// Rows before and after it were logged again after one restart, and this one was not.
    [[nodiscard]] bool isLeftBetween(const CurvePoint& row) const {
        const auto& again = m_series.replaced.steps;
        const double step = stepOf(row);
        const auto after = std::ranges::lower_bound(again, step);
        if (after == again.begin() || after == again.end() || *after == step) {
            return false;
        }
        return std::ranges::none_of(m_series.restarts, [&](std::size_t point) {
            const double at = point < m_series.steps.size() ? m_series.steps[point] : step;
            return *std::prev(after) < at && at <= *after;
        });
    }

    /// Three or more checkpoints, each newer than those of earlier steps: the rows that were logged
    /// again are of those that were saved again.
    [[nodiscard]] bool wereSavedInOrder() const {
        constexpr std::size_t kLeastSaves = 3;
        std::vector<std::pair<double, std::int64_t>> saves;
        for (std::size_t i = 0; i < m_match.places.size(); ++i) {
            if (m_match.places[i]) {
                saves.emplace_back(*m_match.places[i], m_run.checkpoints[i].modifiedNs);
            }
        }
        std::ranges::sort(saves);
        const auto times = [](const auto& save) { return save.second; };
        return saves.size() >= kLeastSaves && std::ranges::is_sorted(saves, {}, times);
    }

    const ScannedRun& m_run;
    const MetricSeries& m_series;
    const RowMatch& m_match;
    bool m_wereSavedInOrder;
};

/// Leaves a match undecided that is of rows which were logged again.
void settleRewritten(RowMatch& match, const ScannedRun& run, const MetricSeries& series) {
    const ScannedCheckpoint* either = Rewritten(run, series, match).find();
    if (either == nullptr) {
        return;
    }
    match.unit.value.reset();
    match.unit.against.insert(match.unit.against.begin(), match.unit.because.begin(),
                              match.unit.because.end());
    match.unit.because.clear();
    match.unit.against.push_back(
        {Strength::Recorded,
         "logged-again",
         "its row was logged again after a restart, and the checkpoint may be older",
         {either->path}});
    match.places.assign(run.checkpoints.size(), std::nullopt);
    match.curve.clear();
}

} // namespace

double endOf(const std::vector<CurvePoint>& curve) {
    double widest = 1;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        widest = std::max(widest, curve[i].x - curve[i - 1].x);
    }
    return curve.empty() ? 0 : curve.back().x + widest;
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
            match.curve = curveOf(series, CompareAxis::Step);
            givePlaces(match, run, steps.placed, 0);
            settleRewritten(match, run, series);
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
        settleRewritten(match, run, series);
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
