// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cairn {
namespace {

std::vector<double> positionsOf(const MetricSeries& series, CompareAxis axis) {
    switch (axis) {
    case CompareAxis::Step:
    case CompareAxis::FirstStep:
        break;
    case CompareAxis::Epoch:
        return series.epochs;
    case CompareAxis::Time:
        return series.wall;
    }
    if (!series.steps.empty()) {
        return series.steps;
    }
    std::vector<double> counted(series.values.size());
    for (std::size_t i = 0; i < counted.size(); ++i) {
        counted[i] = static_cast<double>(i);
    }
    return counted;
}

double nearest(double x) {
    return x;
}
double nearest(const Number& x) {
    return x.nearest;
}

/// The points in ascending x, one for each.
template <class Point, class X>
std::vector<Point> risingPoints(const std::vector<X>& positions, const MetricSeries& series) {
    std::vector<Point> points;
    points.reserve(std::min(positions.size(), series.values.size()));
    for (std::size_t i = 0; i < std::min(positions.size(), series.values.size()); ++i) {
        if (std::isfinite(nearest(positions[i]))) {
            points.push_back({positions[i], series.values[i]});
        }
    }
    if (!std::ranges::is_sorted(points, {}, &Point::x)) {
        std::ranges::stable_sort(points, {}, &Point::x);
    }
    std::size_t kept = 0;
    for (const Point& point : points) {
        const bool again = kept > 0 && points[kept - 1].x == point.x;
        points[again ? kept - 1 : kept++] = point; // the value that was logged last is used
    }
    points.resize(kept);
    return points;
}

} // namespace

std::vector<ExactPoint> curveBySteps(const MetricSeries& series) {
    std::vector<Number> steps(series.steps.empty() ? series.size() : series.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i] = series.steps.empty() ? Number(i) : series.stepAt(i);
    }
    return risingPoints<ExactPoint>(steps, series);
}

std::vector<ExactPoint> curveByEpochs(const MetricSeries& series) {
    return risingPoints<ExactPoint>(series.epochs.get(), series);
}

std::vector<CurvePoint> curveOf(const MetricSeries& series, CompareAxis axis) {
    if (axis == CompareAxis::FirstStep && !series.stepRests.empty()) { // the differences are exact
        const std::vector<ExactPoint> exact = curveBySteps(series);
        std::vector<CurvePoint> points;
        points.reserve(exact.size());
        for (const ExactPoint& each : exact) {
            points.push_back({each.x - exact.front().x, each.value});
        }
        return points;
    }
    auto points = risingPoints<CurvePoint>(positionsOf(series, axis), series);
    if (!points.empty() && (axis == CompareAxis::FirstStep || axis == CompareAxis::Time)) {
        const double first = points.front().x;
        for (CurvePoint& point : points) {
            point.x -= first;
        }
    }
    return points;
}

} // namespace cairn
