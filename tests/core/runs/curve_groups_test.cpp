// SPDX-License-Identifier: Apache-2.0
// Aggregates of several runs: against NumPy's results, and the rule of who counts at an x.
// tests/interop/test_many_runs.py compares random curves with NumPy itself.
#include "core/runs/table/curve_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace cairn {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();
using Curve = std::vector<CurvePoint>;
using Counts = std::vector<std::uint32_t>;

TEST(RunFigures, AreThoseOfNumPy) {
    const std::vector<double> values{0.1, 0.7, -1.3, 2.25, 3.5, 0.1, 9.75, -4.125, 0.3, 1.7};
    const Figures figures = figuresOf(values);
    EXPECT_EQ(figures.n, 10U);
    const std::array<double, kAggregates> numpy{
        1.2974999999999999, 3.6168673139426426, 1.143753870667403, -4.125, 9.75, 0.5, 0.1, 2.1125};
    EXPECT_EQ(figures.values, numpy);
}

TEST(RunFigures, NanIsNoValueAndInfinityIsOne) {
    const Figures figures = figuresOf(std::vector<double>{1, kNan, kInf, kNan});
    EXPECT_EQ(figures.n, 2U);
    EXPECT_EQ(figures.nan, 2U);
    EXPECT_EQ(figures.of(Aggregate::Mean), kInf);
    EXPECT_TRUE(std::isnan(figures.of(Aggregate::Std)));
    EXPECT_EQ(figures.of(Aggregate::Min), 1);
    EXPECT_EQ(figures.of(Aggregate::Median), kInf);
    const Figures same = figuresOf(std::vector<double>{kInf, kInf, kInf});
    EXPECT_EQ(same.of(Aggregate::Median), kInf) << "not the difference of two infinities";
    EXPECT_EQ(same.of(Aggregate::Q25), kInf);
}

TEST(RunFigures, FewValues) {
    const Figures none = figuresOf({});
    EXPECT_EQ(none.n, 0U);
    EXPECT_TRUE(std::isnan(none.of(Aggregate::Mean)));
    EXPECT_TRUE(std::isnan(none.of(Aggregate::Median)));
    const Figures one = figuresOf(std::vector<double>{3});
    EXPECT_EQ(one.of(Aggregate::Mean), 3);
    EXPECT_TRUE(std::isnan(one.of(Aggregate::Std))) << "n - 1 is 0";
    EXPECT_TRUE(std::isnan(one.of(Aggregate::Sem)));
    EXPECT_EQ(one.of(Aggregate::Q75), 3);
}

TEST(RunFigures, NamesMatch) {
    for (std::size_t i = 0; i < kAggregates; ++i) {
        const auto each = static_cast<Aggregate>(i);
        EXPECT_EQ(aggregateNamed(aggregateName(each)), each);
    }
    EXPECT_FALSE(aggregateNamed("average"));
}

TEST(CurveGroups, ARunCountsBetweenItsFirstAndLastPoint) {
    const std::vector<Curve> curves{{{1, 10}, {3, 30}, {5, 50}}, {{2, 2}, {4, 4}}, {{4, 100}}};
    const auto result = aggregateCurves(curves, AggregateSet::all());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->x, (std::vector<double>{1, 2, 3, 4, 5}));
    EXPECT_EQ(result->n, (Counts{1, 2, 2, 3, 1}));
    EXPECT_EQ(result->of(Aggregate::Mean), (std::vector<double>{10, 6, 16, 134.0 / 3, 50}))
        << "the last value at or before x, without interpolation";
    EXPECT_EQ(result->of(Aggregate::Max), (std::vector<double>{10, 10, 30, 100, 50}));
    EXPECT_TRUE(std::isnan(result->of(Aggregate::Std)[0]));
}

TEST(CurveGroups, ANanIsNoValueUntilTheNextPoint) {
    const std::vector<Curve> curves{{{1, 1}, {2, kNan}, {4, 4}}, {{1, 3}, {3, 5}, {4, kNan}}};
    const auto result = aggregateCurves(curves, {Aggregate::Mean});
    EXPECT_EQ(result->n, (Counts{2, 1, 1, 1}));
    EXPECT_EQ(result->nan, (Counts{0, 1, 1, 1}));
    EXPECT_EQ(result->of(Aggregate::Mean), (std::vector<double>{2, 3, 5, 4}));
    EXPECT_TRUE(result->of(Aggregate::Std).empty()) << "not wanted";
}

TEST(CurveGroups, AtPositionsAsInTheCompleteCurve) {
    std::vector<Curve> curves(7);
    for (std::size_t run = 0; run < curves.size(); ++run) {
        for (std::size_t i = 0; i < 400; ++i) {
            const auto x = static_cast<double>(i * (run + 1)) / 3;
            curves[run].push_back({x, std::sin(x + static_cast<double>(run))});
        }
    }
    const auto whole = aggregateCurves(curves, AggregateSet::all());
    std::vector<double> at;
    for (std::size_t i = 0; i < whole->x.size(); i += 37) {
        at.push_back(whole->x[i]);
    }
    const auto part = aggregateCurves(curves, AggregateSet::all(), at);
    ASSERT_EQ(part->x, at);
    for (std::size_t i = 0; i < at.size(); ++i) {
        EXPECT_EQ(part->n[i], whole->n[i * 37]);
        for (std::size_t each = 0; each < kAggregates; ++each) {
            const double a = part->values[each][i];
            const double b = whole->values[each][i * 37];
            EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << each << " at " << at[i];
        }
    }
    const auto outside = aggregateCurves(curves, {Aggregate::Mean}, std::vector<double>{-1, 1e9});
    EXPECT_EQ(outside->n, (Counts{0, 0}));
}

TEST(CurveGroups, NothingAndOne) {
    const auto none = aggregateCurves({}, AggregateSet::all());
    EXPECT_TRUE(none->x.empty());
    const std::vector<Curve> one{{{1, 5}}, {}};
    const auto single = aggregateCurves(one, {Aggregate::Mean});
    EXPECT_EQ(single->n, (Counts{1}));
    CancelToken cancel;
    cancel.cancel();
    EXPECT_FALSE(aggregateCurves(one, {Aggregate::Mean}, {}, cancel));
}

TEST(CurveGroups, ARestartCountsOnceAndOtherUnitsAreLeftOut) {
    MetricSeries restarted;
    restarted.name = "loss";
    restarted.steps = {1, 2, 3, 2, 3, 4};
    restarted.values = {9, 8, 7, 6, 5, 4};
    MetricSeries plain = restarted;
    plain.steps = {1, 2, 3, 4, 5, 6};
    MetricSeries epochs = plain;
    epochs.stepsFrom = StepsFrom::Epoch;
    const std::vector<const MetricSeries*> all{&restarted, &epochs, &plain};
    const CurveSet set = curvesOf(all, CompareAxis::Step);
    EXPECT_EQ(set.series, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(set.leftOut, (std::vector<std::size_t>{1}));
    EXPECT_EQ(set.curves[0], (Curve{{1, 9}, {2, 6}, {3, 5}, {4, 4}})) << "the last value of a step";
    EXPECT_EQ(curvesOf(all, CompareAxis::Epoch).curves.size(), 0U) << "no epochs were logged";
}

TEST(CurveGroups, WhatAnAggregationLacksIsSaid) {
    constexpr double kFar = 9'007'199'254'740'992;
    MetricSeries far;
    far.name = "loss";
    far.steps = {kFar - 1, kFar, kFar};
    far.values = {3, 2, 1};
    far.stepRests = {0, 0, 1};
    MetricSeries plain = far;
    plain.steps = {1, 2, 3};
    plain.stepRests = {};
    MetricSeries epochs = plain;
    epochs.stepsFrom = StepsFrom::Epoch;
    const std::vector<const MetricSeries*> all{&far, &epochs, &plain};
    const auto limits = limitsOf(curvesOf(all, CompareAxis::Step), all, CompareAxis::Step);
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_TRUE(limits[0].isLeftOut);
    EXPECT_EQ(limits[0].series, 1U);
    EXPECT_FALSE(limits[1].isLeftOut);
    EXPECT_EQ(limits[1].series, 0U);
    EXPECT_TRUE(limitsOf(curvesOf(std::span(all).first(1), CompareAxis::FirstStep),
                         std::span(all).first(1), CompareAxis::FirstStep)
                    .empty());
}

} // namespace
} // namespace cairn
