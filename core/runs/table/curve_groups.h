// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/compare/compare.h"
#include "core/runs/table/run_figures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Exact aggregation of the curves of several runs: every point counts, nothing is sampled or
/// interpolated. Pure; any thread.
namespace cairn {

/// Columns are parallel to `x`.
struct AggregatedCurve {
    std::vector<double> x;          ///< ascending
    std::vector<std::uint32_t> n;   ///< runs with a value at x
    std::vector<std::uint32_t> nan; ///< runs whose value at x is NaN
    /// By Aggregate; empty if not wanted. NaN where n is too small for it.
    std::array<std::vector<double>, kAggregates> values;
    [[nodiscard]] const std::vector<double>& of(Aggregate each) const {
        return values[static_cast<std::size_t>(each)];
    }
};

/// Aggregates at each x of any curve, or only at the positions `at` (ascending; the result at a
/// position is the same as in the complete curve). A run counts at x if x lies between its first
/// and its last point, with its last value at or before x; a NaN there counts as no value.
/// `curves`: as from curveOf(), one for each run, ascending x, each x once. Fails only with
/// Cancelled.
Result<AggregatedCurve> aggregateCurves(std::span<const std::vector<CurvePoint>> curves,
                                        AggregateSet wanted, std::span<const double> at = {},
                                        const CancelToken& cancel = {});

/// The curves of one metric of several runs.
struct CurveSet {
    std::vector<std::vector<CurvePoint>> curves; ///< those with points
    std::vector<std::size_t> series;             ///< of each curve, index into the argument
    /// Indices of series without points on that axis, or whose steps have another unit than those
    /// of most series (epochs, row numbers): a common x would be wrong.
    std::vector<std::size_t> leftOut;
};
CurveSet curvesOf(std::span<const MetricSeries* const> series, CompareAxis axis);

/// What an aggregation lacks of a series: that it was left out, or that its steps were rounded.
struct CurveLimit {
    std::size_t series = 0; ///< index into the argument of curvesOf()
    bool isLeftOut = false;
    Error error;
};
/// `set`: of the same arguments. Those left out first.
std::vector<CurveLimit> limitsOf(const CurveSet& set, std::span<const MetricSeries* const> series,
                                 CompareAxis axis);

} // namespace cairn
