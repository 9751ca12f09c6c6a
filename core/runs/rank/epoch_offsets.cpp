// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/epoch_offsets.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {
namespace {

/// The log's epochs by step, of each epoch the last row.
std::vector<ExactPoint> epochsOfRows(const RunHistory& history, const MetricSeries& series) {
    MetricSeries epochs;
    epochs.steps = series.steps;
    epochs.stepRests = series.stepRests;
    epochs.values = series.epochs;
    for (const MetricSeries& column : history.series) {
        if (epochs.values.empty() && column.name == "epoch" && column.source == series.source &&
            column.stepsFrom == StepsFrom::Source) {
            epochs.steps = column.steps;
            epochs.stepRests = column.stepRests;
            epochs.values = column.values;
        }
    }
    std::vector<ExactPoint> last;
    for (const ExactPoint& point : curveBySteps(epochs)) {
        if (!std::isfinite(point.value)) {
            continue;
        }
        if (!last.empty() && last.back().value == point.value) {
            last.back() = point;
        } else {
            last.push_back(point);
        }
    }
    return last;
}

} // namespace

bool EpochOffsets::differ() const {
    constexpr double kMostOffset = 1.5;
    constexpr double kRoundings = 1e-6;
    return least <= most &&
           (most - least > 1 - kRoundings || most > kMostOffset || least < -kMostOffset);
}

EpochOffsets epochOffsets(std::span<const CountedSave> placed, const RunHistory& history,
                          const MetricSeries& series) {
    EpochOffsets offsets;
    const std::vector<ExactPoint> rows = epochsOfRows(history, series);
    if (rows.size() < 2) {
        return offsets;
    }
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const CountedSave& each : placed) {
        if (!each.checkpoint->epoch || !std::isfinite(*each.checkpoint->epoch)) {
            continue;
        }
        auto after = std::ranges::lower_bound(rows, each.at, {}, &ExactPoint::x);
        after = std::clamp(after, rows.begin() + 1, rows.end() - 1);
        const ExactPoint& left = *(after - 1);
        const double slope = (after->value - left.value) / (after->x - left.x);
        const double offset = left.value + slope * (each.at - left.x) - *each.checkpoint->epoch;
        offsets.least = std::min(offsets.least, offset);
        offsets.most = std::max(offsets.most, offset);
        // A step in the name and an epoch of it may be one number.
        if (hasEvidence(*each.checkpoint, "step-in-values") &&
            hasEvidence(*each.checkpoint, "epoch-in-values")) {
            first = std::min(first, *each.checkpoint->epoch);
            last = std::max(last, *each.checkpoint->epoch);
        }
    }
    offsets.span = last > first ? last - first : 0;
    return offsets;
}

} // namespace cairn
