// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/counted_saves.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cairn {

bool isCloseValue(double left, double right, double tolerance) {
    return std::abs(left - right) <= std::abs(right) * tolerance ||
           (std::isnan(left) && std::isnan(right));
}

const double* valueAt(const std::vector<ExactPoint>& curve, const Number& x) {
    const auto at = std::ranges::lower_bound(curve, x, {}, &ExactPoint::x);
    return at != curve.end() && at->x == x ? &at->value : nullptr;
}

const double* heldValue(const ScannedCheckpoint& checkpoint, std::string_view metric) {
    const auto at = std::ranges::find(
        checkpoint.metrics, metric, [](const auto& held) { return std::string_view(held.first); });
    return at != checkpoint.metrics.end() ? &at->second : nullptr;
}

bool hasEvidence(const ScannedCheckpoint& checkpoint, std::string_view id) {
    return std::ranges::find(checkpoint.because, id, &Evidence::id) != checkpoint.because.end();
}

Place placeIn(const RunHistory& history, const MetricSeries& series) {
    return {series.source < history.sources.size() ? history.sources[series.source].path
                                                   : std::filesystem::path(),
            series.name};
}

} // namespace cairn
