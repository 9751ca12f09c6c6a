// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace cairn {
namespace {

using names::Direction;

bool isFinite(const CurvePoint& point) {
    return std::isfinite(point.value);
}

std::vector<CurvePoint> finiteOf(const std::vector<CurvePoint>& curve) {
    std::vector<CurvePoint> finite;
    std::copy_if(curve.begin(), curve.end(), std::back_inserter(finite), isFinite);
    return finite;
}

/// REQUIRES: `curve` not empty, x within it.
double interpolate(const std::vector<CurvePoint>& curve, double x) {
    const auto after = std::ranges::lower_bound(curve, x, {}, &CurvePoint::x);
    if (after == curve.end()) {
        return curve.back().value;
    }
    if (after == curve.begin() || after->x == x) {
        return after->value;
    }
    const CurvePoint& left = *std::prev(after);
    const double part = (x - left.x) / (after->x - left.x);
    return left.value + part * (after->value - left.value);
}

double areaOf(const std::vector<CurvePoint>& curve, double from, double to) {
    CurvePoint last{from, interpolate(curve, from)};
    double area = 0;
    const auto add = [&](const CurvePoint& next) {
        area += (next.x - last.x) * (next.value / 2 + last.value / 2);
        last = next;
    };
    for (auto at = std::ranges::upper_bound(curve, from, {}, &CurvePoint::x);
         at != curve.end() && at->x < to; ++at) {
        add(*at);
    }
    add({to, interpolate(curve, to)});
    return area;
}

MetricSide sideOf(const MetricSeries& series, const std::vector<CurvePoint>& curve,
                  Direction direction) {
    MetricSide side;
    side.name = series.name;
    side.points = series.size();
    for (const double value : series.values) {
        side.nonFinite += std::isfinite(value) ? 0U : 1U;
    }
    for (const CurvePoint& point : curve) {
        const bool better =
            !side.best || (direction == Direction::Larger ? point.value > side.best->value
                                                          : point.value < side.best->value);
        if (direction != Direction::Unknown && isFinite(point) && better) {
            side.best = point;
        }
    }
    if (!curve.empty()) {
        side.last = curve.back();
    }
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const double wall : series.wall) {
        first = std::isfinite(wall) ? std::min(first, wall) : first;
        last = std::isfinite(wall) ? std::max(last, wall) : last;
    }
    if (first <= last) {
        side.wallSeconds = last - first;
    }
    return side;
}

void findGoal(MetricSide& side, const std::vector<CurvePoint>& curve, std::optional<double> goal,
              Direction direction) {
    side.goal = goal;
    if (!goal || direction == Direction::Unknown) {
        return;
    }
    const auto reached = std::ranges::find_if(curve, [&](const CurvePoint& point) {
        return isFinite(point) &&
               (direction == Direction::Larger ? point.value >= *goal : point.value <= *goal);
    });
    if (reached != curve.end()) {
        side.reaches = reached->x;
    }
}

/// Exact over steps: those beyond 2^53 that doubles do not tell apart have points of their own, at
/// one x.
std::vector<CurvePoint> comparedCurve(const MetricSeries& series, CompareAxis axis) {
    if (axis != CompareAxis::Step || series.stepRests.empty()) {
        return curveOf(series, axis);
    }
    std::vector<CurvePoint> points;
    for (const ExactPoint& each : curveBySteps(series)) {
        points.push_back({each.x.nearest, each.value});
    }
    return points;
}

double nearest(double x) {
    return x;
}
double nearest(const Number& x) {
    return x.nearest;
}

/// Two NaN are equal even if their bits differ.
bool sameValue(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool within(double a, double b, double tolerance) {
    if (sameValue(a, b)) {
        return true;
    }
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(b - a) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// Compares the points with equal x; returns the mean of the finite differences.
template <class Point>
std::optional<double> walkCommon(const std::vector<Point>& left, const std::vector<Point>& right,
                                 double tolerance, MetricComparison& result) {
    double sum = 0;
    std::size_t finite = 0;
    for (std::size_t l = 0, r = 0; l < left.size() && r < right.size();) {
        if (left[l].x != right[r].x) {
            left[l].x < right[r].x ? ++l : ++r;
            continue;
        }
        const double x = nearest(left[l].x);
        const double a = left[l++].value;
        const double b = right[r++].value;
        ++result.common;
        result.firstCommon = result.firstCommon.value_or(x);
        result.lastCommon = x;
        result.left.atCommon = a;
        result.right.atCommon = b;
        if (!result.firstUnequal) {
            (sameValue(a, b) ? result.lastEqual : result.firstUnequal) = x;
        }
        if (!result.parting && !within(a, b, tolerance)) {
            result.parting = x;
        }
        if (std::isfinite(a) && std::isfinite(b)) {
            sum += b - a;
            ++finite;
        }
    }
    return finite > 0 ? std::optional(sum / static_cast<double>(finite)) : std::nullopt;
}

} // namespace

MetricComparison compareCurves(const MetricSeries& left, const MetricSeries& right,
                               const CompareOptions& options, std::optional<Direction> known) {
    const Direction better = known.value_or(names::directionOf(left.name));
    const auto leftCurve = comparedCurve(left, options.axis);
    const auto rightCurve = comparedCurve(right, options.axis);
    MetricComparison result;
    result.name = left.name;
    result.better = better;
    result.left = sideOf(left, leftCurve, better);
    result.right = sideOf(right, rightCurve, better);
    const auto bestOf = [](const MetricSide& side) {
        return side.best ? std::optional(side.best->value) : std::nullopt;
    };
    findGoal(result.left, leftCurve, options.threshold ? options.threshold : bestOf(result.right),
             better);
    findGoal(result.right, rightCurve, options.threshold ? options.threshold : bestOf(result.left),
             better);
    const bool hasRests =
        options.axis == CompareAxis::Step && (!left.stepRests.empty() || !right.stepRests.empty());
    result.meanDifference =
        hasRests ? walkCommon(curveBySteps(left), curveBySteps(right), options.tolerance, result)
                 : walkCommon(leftCurve, rightCurve, options.tolerance, result);
    const auto leftFinite = finiteOf(leftCurve);
    const auto rightFinite = finiteOf(rightCurve);
    if (leftFinite.empty() || rightFinite.empty()) {
        return result;
    }
    const double from = std::max(leftFinite.front().x, rightFinite.front().x);
    const double to = std::min(leftFinite.back().x, rightFinite.back().x);
    if (from < to) {
        result.left.area = areaOf(leftFinite, from, to);
        result.right.area = areaOf(rightFinite, from, to);
        result.meanDifference = (*result.right.area - *result.left.area) / (to - from);
    }
    return result;
}

} // namespace cairn
