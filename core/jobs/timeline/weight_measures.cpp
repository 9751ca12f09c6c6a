// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/timeline/weight_timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

const double kUnknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

std::string_view weightMeasureName(WeightMeasure measure) {
    constexpr std::array<std::string_view, kWeightMeasures> kNames{
        "mean", "std", "l1", "l2", "absmax", "min", "max", "zeros", "nonfinite", "change"};
    return kNames.at(static_cast<std::size_t>(measure));
}

double WeightStop::value(WeightMeasure measure) const {
    if (measure == WeightMeasure::Change) {
        return change.value_or(kUnknown);
    }
    if (!sums || sums->count == 0) {
        return kUnknown;
    }
    const auto count = static_cast<double>(sums->count);
    if (measure == WeightMeasure::Zeros) {
        return static_cast<double>(sums->zeros) / count;
    }
    if (measure == WeightMeasure::NonFinite) {
        return static_cast<double>(sums->nan + sums->inf) / count;
    }
    if (sums->finite() == 0) {
        return kUnknown;
    }
    switch (measure) {
    case WeightMeasure::Mean:
        return sums->mean;
    case WeightMeasure::Std:
        return std::sqrt(sums->m2 / static_cast<double>(sums->finite()));
    case WeightMeasure::L1:
        return sums->l1;
    case WeightMeasure::L2:
        return std::sqrt(sums->sumSquares);
    case WeightMeasure::AbsMax:
        return std::max(std::abs(sums->min), std::abs(sums->max));
    case WeightMeasure::Min:
        return sums->min;
    case WeightMeasure::Max:
        return sums->max;
    case WeightMeasure::Zeros:
    case WeightMeasure::NonFinite:
    case WeightMeasure::Change:
        break;
    }
    return kUnknown;
}

MetricSeries WeightTimeline::series(WeightMeasure measure, std::string name) const {
    MetricSeries series;
    series.name = std::move(name);
    bool steps = true;
    bool epochs = true;
    for (const WeightStop& stop : stops) {
        const bool known =
            measure == WeightMeasure::Change ? stop.change.has_value() : stop.sums.has_value();
        if (!known) {
            continue;
        }
        steps = steps && stop.step;
        epochs = epochs && stop.epoch;
        series.steps.push_back(static_cast<double>(stop.step.value_or(0)));
        series.epochs.push_back(stop.epoch.value_or(0));
        series.wall.push_back(static_cast<double>(stop.modifiedNs) / 1e9);
        series.values.push_back(stop.value(measure));
    }
    series.steps.resize(steps ? series.steps.size() : 0);
    series.epochs.resize(epochs ? series.epochs.size() : 0);
    return series;
}

} // namespace cairn
