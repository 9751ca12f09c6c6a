// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/jobs/timeline/weight_timeline.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"
#include "tests/support/safetensors_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

const double kInf = std::numeric_limits<double>::infinity();

/// A safetensors file of float32 vectors.
std::string fileOf(const std::map<std::string, std::vector<float>>& tensors) {
    std::vector<test::SafetensorsTensor> rows;
    std::string data;
    for (const auto& [name, values] : tensors) {
        rows.push_back({name,
                        "F32",
                        {static_cast<std::int64_t>(values.size())},
                        values.size() * sizeof(float)});
        data += asText(std::as_bytes(std::span(values)));
    }
    return test::safetensorsFile(test::safetensorsHeader(rows), data);
}

/// Three steps in which "a.weight" changes 3,4 → 3,4 → 6,8 and "b.weight" does not.
class WeightTimelineTest : public ::testing::Test {
protected:
    void SetUp() override {
        write(100, {3, 4});
        write(200, {3, 4});
        write(1000, {6, 8});
    }
    void write(int step, std::vector<float> a) const {
        folder.write("run/step-" + std::to_string(step) + ".safetensors",
                     fileOf({{"a.weight", std::move(a)}, {"b.weight", {0, 1, 0}}}));
    }
    ScannedRun run() const {
        const auto experiment = scanExperiment(folder.path());
        EXPECT_TRUE(experiment);
        return experiment->runs.at(0);
    }
    WeightTimeline timeline(const WeightRequest& request) {
        auto result = weightTimeline(run(), request, cache);
        EXPECT_TRUE(result) << describe(result.error());
        return result ? *result : WeightTimeline();
    }
    static std::vector<double> values(const WeightTimeline& timeline, WeightMeasure measure) {
        return timeline.series(measure, "w").values;
    }

    TemporaryFolder folder;
    TemporaryFolder home;
    IndexCache cache{home.path()};
};

using Numbers = std::vector<double>;

TEST_F(WeightTimelineTest, MeasuresOneTensorInTrainingOrder) {
    const WeightTimeline line = timeline({{"a.weight"}, true});
    ASSERT_EQ(line.stops.size(), 3U);
    EXPECT_EQ(line.measured, 3U);
    EXPECT_EQ(values(line, WeightMeasure::L2), (Numbers{5, 5, 10}));
    EXPECT_EQ(values(line, WeightMeasure::Mean), (Numbers{3.5, 3.5, 7}));
    EXPECT_EQ(values(line, WeightMeasure::Std), (Numbers{0.5, 0.5, 1}));
    EXPECT_EQ(values(line, WeightMeasure::AbsMax), (Numbers{4, 4, 8}));
    EXPECT_EQ(values(line, WeightMeasure::Min), (Numbers{3, 3, 6}));
    EXPECT_EQ(values(line, WeightMeasure::Change), (Numbers{0, 1})) << "the first has none";
    const MetricSeries series = line.series(WeightMeasure::L2, "l2 of a.weight");
    EXPECT_EQ(series.name, "l2 of a.weight");
    EXPECT_EQ(series.steps, (Numbers{100, 200, 1000}));
    EXPECT_TRUE(series.epochs.empty());
    EXPECT_EQ(series.wall.size(), 3U);
    EXPECT_EQ(line.series(WeightMeasure::Change, "c").steps, (Numbers{200, 1000}));
}

TEST_F(WeightTimelineTest, AGlobIsMeasuredTogether) {
    const WeightTimeline line = timeline({{"*.weight"}, true});
    EXPECT_EQ(line.stops[0].tensors, 2U);
    EXPECT_EQ(line.stops[0].sums->count, 5U);
    EXPECT_EQ(values(line, WeightMeasure::Zeros), (Numbers{0.4, 0.4, 0.4}));
    EXPECT_EQ(values(line, WeightMeasure::L1), (Numbers{8, 8, 15}));
    EXPECT_DOUBLE_EQ(line.stops[2].value(WeightMeasure::Change), 5 / std::sqrt(26.0));
    EXPECT_EQ(values(timeline({}), WeightMeasure::L1), (Numbers{8, 8, 15})) << "all weights";
}

TEST_F(WeightTimelineTest, NonFiniteValuesAndZerosAreTold) {
    write(100, {0, 0});
    write(200, {NAN, 1});
    write(1000, {NAN, INFINITY});
    const WeightTimeline line = timeline({{"a.weight"}, true});
    EXPECT_EQ(values(line, WeightMeasure::NonFinite), (Numbers{0, 0.5, 1}));
    EXPECT_EQ(line.stops[1].value(WeightMeasure::Mean), 1) << "of the finite ones";
    EXPECT_TRUE(std::isnan(line.stops[2].value(WeightMeasure::Mean)));
    EXPECT_EQ(line.stops[1].change, kInf) << "from nothing to something";
}

TEST_F(WeightTimelineTest, ASecondCallReadsNothing) {
    std::atomic<std::uint64_t> bytes{0};
    WeightTimelineOptions options;
    options.progress = &bytes;
    const WeightRequest request{{"a.*"}, true};
    const auto first = weightTimeline(run(), request, cache, options);
    EXPECT_GT(bytes.exchange(0), 0U);
    const auto second = weightTimeline(run(), request, cache, options);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(bytes, 0U);
    EXPECT_EQ(first->fromCache, 0U);
    EXPECT_EQ(second->fromCache, 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(second->stops[i].sums, first->stops[i].sums);
        EXPECT_EQ(second->stops[i].change, first->stops[i].change);
    }
    // Another selection, and one without the distance, have cache entries of their own.
    EXPECT_EQ(timeline({{"b.*"}, false}).fromCache, 0U);
    EXPECT_EQ(timeline({{"b.*"}, true}).fromCache, 1U) << "the first stop has no distance";
    EXPECT_EQ(timeline({{"b.*"}, true}).fromCache, 3U);
}

TEST_F(WeightTimelineTest, AChangedCheckpointIsMeasuredAgainAndTheNextHeldAgainstIt) {
    const WeightRequest request{{"a.weight"}, true};
    timeline(request);
    write(200, {0, 5});
    const WeightTimeline again = timeline(request);
    EXPECT_EQ(again.fromCache, 1U);
    EXPECT_EQ(values(again, WeightMeasure::L2), (Numbers{5, 5, 10}));
    EXPECT_DOUBLE_EQ(again.stops[1].value(WeightMeasure::Change), std::sqrt(10.0) / 5);
    EXPECT_DOUBLE_EQ(again.stops[2].value(WeightMeasure::Change), std::sqrt(45.0) / 5);
    fs::remove(folder.path() / "run/step-200.safetensors");
    EXPECT_EQ(values(timeline(request), WeightMeasure::Change), (Numbers{1}));
}

TEST_F(WeightTimelineTest, WhatCannotBeReadIsLeftOutWithItsReason) {
    std::string cut = fileOf({{"a.weight", {1, 2}}});
    cut.resize(cut.size() - 4);
    folder.write("run/step-300.safetensors", cut);
    folder.write("run/step-400.safetensors", fileOf({{"other", {1}}}));
    folder.write("run/step-500.safetensors.tmp", fileOf({{"a.weight", {1, 2}}}));
    const WeightTimeline line = timeline({{"a.weight"}, true});
    ASSERT_EQ(line.stops.size(), 6U);
    EXPECT_EQ(line.measured, 3U);
    EXPECT_TRUE(line.stops[2].error);
    EXPECT_EQ(line.stops[3].error->code, ErrorCode::TensorNotFound);
    EXPECT_EQ(line.stops[4].error->code, ErrorCode::BeingWritten);
    EXPECT_EQ(line.series(WeightMeasure::L2, "w").steps, (Numbers{100, 200, 1000}));
    EXPECT_EQ(values(line, WeightMeasure::Change), (Numbers{0, 1})) << "against the last readable";
}

TEST_F(WeightTimelineTest, SaysWhenNothingIsCalledSo) {
    const auto nothing = weightTimeline(run(), {{"nothing.*"}, false}, cache);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::TensorNotFound);
    const auto unbalanced = weightTimeline(run(), {{"{a"}, false}, cache);
    ASSERT_FALSE(unbalanced);
    EXPECT_EQ(unbalanced.error().code, ErrorCode::InvalidArgument);
}

TEST_F(WeightTimelineTest, TellsEachStopAndKeepsThemWhenCancelled) {
    WeightTimelineOptions options;
    std::vector<std::size_t> told;
    options.done = [&](const WeightStop& stop, std::size_t done, std::size_t total) {
        EXPECT_EQ(total, 3U);
        EXPECT_TRUE(stop.sums);
        told.push_back(done);
        if (done == 2) {
            options.cancel.cancel();
        }
    };
    const WeightRequest request{{"a.weight"}, false};
    const auto cancelled = weightTimeline(run(), request, cache, options);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(told, (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(timeline(request).fromCache, 2U);
}

TEST_F(WeightTimelineTest, LinksAndARunOfOneAreNoTrouble) {
    folder.link("run/last.safetensors", "step-1000.safetensors");
    EXPECT_EQ(timeline({{"a.weight"}, false}).stops.size(), 3U);
    fs::remove(folder.path() / "run/step-100.safetensors");
    fs::remove(folder.path() / "run/step-200.safetensors");
    const WeightTimeline one = timeline({{"a.weight"}, true});
    ASSERT_EQ(one.stops.size(), 1U);
    EXPECT_FALSE(one.stops[0].change);
    EXPECT_TRUE(weightTimeline(ScannedRun(), {}, cache)->stops.empty());
}

} // namespace
} // namespace cairn
