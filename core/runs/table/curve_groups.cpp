// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/curve_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cairn {
namespace {

using Curves = std::span<const std::vector<CurvePoint>>;

constexpr std::size_t kBetweenChecks = 4096;

/// All x of all curves, ascending, each once.
std::vector<double> unionOf(Curves curves) {
    std::vector<double> all;
    std::vector<double> joined;
    for (const auto& curve : curves) { // often all curves have the same x
        const bool isNew =
            all.size() != curve.size() || !std::ranges::equal(all, curve, {}, {}, &CurvePoint::x);
        if (!isNew) {
            continue;
        }
        joined.clear();
        joined.reserve(all.size() + curve.size());
        auto left = all.begin();
        for (const CurvePoint& point : curve) {
            while (left != all.end() && *left < point.x) {
                joined.push_back(*left++);
            }
            left += left != all.end() && *left == point.x ? 1 : 0;
            joined.push_back(point.x);
        }
        joined.insert(joined.end(), left, all.end());
        std::swap(all, joined);
    }
    return all;
}

/// The values of all curves at ascending positions.
class Cursor {
public:
    explicit Cursor(Curves curves) : m_curves(curves), m_after(curves.size()) {}

    /// Appends the values at x, except NaN; returns the number of those.
    std::uint32_t collect(double x, std::vector<double>& values) {
        std::uint32_t nan = 0;
        for (std::size_t i = 0; i < m_curves.size(); ++i) {
            const std::vector<CurvePoint>& curve = m_curves[i];
            std::size_t& after = m_after[i]; // the first point beyond x
            advance(curve, after, x);
            if (after == 0 || x > curve.back().x) {
                continue;
            }
            const double value = curve[after - 1].value;
            if (std::isnan(value)) {
                ++nan;
            } else {
                values.push_back(value);
            }
        }
        return nan;
    }

private:
    /// By steps that double, then by bisection: positions may be far apart.
    static void advance(const std::vector<CurvePoint>& curve, std::size_t& after, double x) {
        std::size_t step = 1;
        std::size_t low = after; // all points before it are at or before x
        while (low < curve.size() && curve[low].x <= x) {
            after = low + 1;
            low += step;
            step *= 2;
        }
        const auto from = curve.begin() + static_cast<std::ptrdiff_t>(after);
        const auto to = curve.begin() + static_cast<std::ptrdiff_t>(std::min(low, curve.size()));
        after = static_cast<std::size_t>(
            std::ranges::upper_bound(from, std::max(from, to), x, {}, &CurvePoint::x) -
            curve.begin());
    }

    Curves m_curves;
    std::vector<std::size_t> m_after;
};

} // namespace

Result<AggregatedCurve> aggregateCurves(Curves curves, AggregateSet wanted,
                                        std::span<const double> at, const CancelToken& cancel) {
    AggregatedCurve result;
    result.x = at.empty() ? unionOf(curves) : std::vector<double>(at.begin(), at.end());
    const std::size_t size = result.x.size();
    result.n.resize(size);
    result.nan.resize(size);
    for (std::size_t each = 0; each < kAggregates; ++each) {
        if (wanted.has(static_cast<Aggregate>(each))) {
            result.values[each].resize(size);
        }
    }
    Cursor cursor(curves);
    std::vector<double> values;
    std::vector<double> scratch;
    for (std::size_t i = 0; i < size; ++i) {
        if (i % kBetweenChecks == 0) {
            CAIRN_CHECK(cancel.check());
        }
        values.clear();
        result.nan[i] = cursor.collect(result.x[i], values);
        const Figures figures = figuresInPlace(values, wanted, scratch);
        result.n[i] = figures.n;
        for (std::size_t each = 0; each < kAggregates; ++each) {
            if (!result.values[each].empty()) {
                result.values[each][i] = figures.values[each];
            }
        }
    }
    return result;
}

CurveSet curvesOf(std::span<const MetricSeries* const> series, CompareAxis axis) {
    // Epochs and wall times have one unit; steps have that of the log.
    const bool hasUnits = axis == CompareAxis::Step || axis == CompareAxis::FirstStep;
    std::map<StepsFrom, std::size_t> units;
    for (const MetricSeries* each : series) {
        ++units[each->stepsFrom];
    }
    StepsFrom usual = StepsFrom::Source;
    for (const auto& [unit, count] : units) {
        usual = count > units[usual] ? unit : usual;
    }
    CurveSet set;
    for (std::size_t i = 0; i < series.size(); ++i) {
        std::vector<CurvePoint> curve = curveOf(*series[i], axis);
        if (curve.empty() || (hasUnits && series[i]->stepsFrom != usual)) {
            set.leftOut.push_back(i);
            continue;
        }
        set.curves.push_back(std::move(curve));
        set.series.push_back(i);
    }
    return set;
}

std::vector<CurveLimit> limitsOf(const CurveSet& set, std::span<const MetricSeries* const> series,
                                 CompareAxis axis) {
    std::vector<CurveLimit> limits;
    for (const std::size_t left : set.leftOut) {
        if (series[left]->size() > 0) {
            limits.push_back(
                {left, true,
                 fail(ErrorCode::HistoryNoStep, "The curve is not aggregated: its x is missing or "
                                                "has a different unit than in most runs")
                     .inField(series[left]->name)
                     .butFound(verbatim(std::string(stepsFromName(series[left]->stepsFrom))))});
        }
    }
    for (const std::size_t used : set.series) {
        if (axis == CompareAxis::Step && !series[used]->stepRests.empty()) {
            limits.push_back(
                {used, false,
                 fail(ErrorCode::HistoryNoStep,
                      "Steps beyond 2^53 are rounded in aggregated curves; of those that become "
                      "one, the last value is used")
                     .inField(series[used]->name)});
        }
    }
    return limits;
}

} // namespace cairn
