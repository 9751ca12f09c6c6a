// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"
#include "tests/core/runs/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace cairn {
namespace {

using test::findCheckpoint;
using test::kNan;
using test::series;
using test::smallSafetensors;
using test::TemporaryFolder;

using Items = std::vector<ValueItem>;
Value settings(Value of) {
    return Value::dict(Items{{Value("config.json"), std::move(of)}});
}

Glob glob(std::string_view pattern) {
    auto parsed = Glob::parse(pattern);
    EXPECT_TRUE(parsed);
    return *parsed;
}

TEST(CurveOf, KeepsWhatWasWrittenLastAfterARestart) {
    const auto curve =
        curveOf(series("loss", {1, 2, 3, 2, 3, 4}, {9, 8, 7, 6, 5, 4}), CompareAxis::Step);
    EXPECT_EQ(curve, (std::vector<CurvePoint>{{1, 9}, {2, 6}, {3, 5}, {4, 4}}));
}

TEST(CurveOf, CountsWhereNoStepsAreTold) {
    const auto curve = curveOf(series("loss", {}, {3, 2}), CompareAxis::Step);
    EXPECT_EQ(curve, (std::vector<CurvePoint>{{0, 3}, {1, 2}}));
    EXPECT_TRUE(curveOf(series("loss", {1, 2}, {3, 2}), CompareAxis::Epoch).empty());
    const auto gap = curveOf(series("loss", {1, kNan, 3}, {3, 2, 1}), CompareAxis::FirstStep);
    EXPECT_EQ(gap, (std::vector<CurvePoint>{{0, 3}, {2, 1}}));
}

/// 2^53 and the number after it, which doubles do not tell apart.
constexpr std::int64_t kFar = 9'007'199'254'740'992;

TEST(CompareCurves, TellsStepsBeyondTheDoublesApart) {
    MetricSeries a = series("loss", {static_cast<double>(kFar), static_cast<double>(kFar)}, {3, 1});
    a.stepRests = {0, 1};
    const MetricSeries b = series("loss", {static_cast<double>(kFar)}, {2});
    const MetricComparison result = compareCurves(a, b);
    EXPECT_EQ(result.common, 1U);
    EXPECT_EQ(result.left.atCommon, 3);
    EXPECT_EQ(result.left.best, (CurvePoint{static_cast<double>(kFar), 1}));
    EXPECT_EQ(curveOf(a, CompareAxis::FirstStep), (std::vector<CurvePoint>{{0, 3}, {1, 1}}));
}

TEST(PairCheckpoints, TellsStepsBeyondTheDoublesApart) {
    const auto runOf = [](std::vector<std::int64_t> steps) {
        ScannedRun run;
        for (const std::int64_t step : steps) {
            ScannedCheckpoint each;
            each.name = std::to_string(step);
            each.path = "/run/" + each.name;
            each.step = step;
            run.checkpoints.push_back(std::move(each));
        }
        return run;
    };
    ScannedRun left = runOf({kFar + 1, kFar});
    settleRun(left);
    EXPECT_EQ(left.checkpoints[1].step, kFar + 1);
    EXPECT_TRUE(left.checkpoints[1].latest);
    const auto pairs = pairCheckpoints(left, runOf({kFar + 1, kFar + 2}));
    ASSERT_EQ(pairs.size(), 3U);
    EXPECT_FALSE(pairs[0].right);
    EXPECT_EQ(pairs[1].step, kFar + 1);
    EXPECT_TRUE(pairs[1].left && pairs[1].right && pairs[1].exact);
    EXPECT_FALSE(pairs[2].left);
}

TEST(CompareCurves, SumsUpBothSides) {
    MetricSeries a = series("loss", {0, 10, 20, 30}, {4, 3, 2, 2.5});
    MetricSeries b = series("loss", {0, 10, 20}, {4, 3, 1});
    a.wall = {100, 200, 300, 400};
    const MetricComparison result = compareCurves(a, b);
    EXPECT_EQ(result.common, 3U);
    EXPECT_EQ(result.left.best, (CurvePoint{20, 2}));
    EXPECT_EQ(result.left.last, (CurvePoint{30, 2.5}));
    EXPECT_EQ(result.right.best, (CurvePoint{20, 1}));
    EXPECT_EQ(result.lastCommon, 20);
    EXPECT_EQ(result.left.atCommon, 2);
    EXPECT_EQ(result.right.atCommon, 1);
    EXPECT_EQ(result.left.area, 60);
    EXPECT_EQ(result.right.area, 55);
    EXPECT_EQ(result.meanDifference, -0.25);
    EXPECT_EQ(result.lastEqual, 10);
    EXPECT_EQ(result.firstUnequal, 20);
    EXPECT_EQ(result.parting, 20);
    EXPECT_EQ(result.left.goal, 1);
    EXPECT_FALSE(result.left.reaches);
    EXPECT_EQ(result.right.reaches, 20);
    EXPECT_EQ(result.left.wallSeconds, 300);
    EXPECT_FALSE(result.right.wallSeconds);
}

TEST(CompareCurves, SmallDifferencesAreUnequalButDoNotPart) {
    const auto result = compareCurves(series("loss", {0, 1, 2}, {1, 1, 1}),
                                      series("loss", {0, 1, 2}, {1, 1.001, 1.1}));
    EXPECT_EQ(result.firstUnequal, 1);
    EXPECT_EQ(result.parting, 2);
}

TEST(CompareCurves, MoreIsBetterForAccuracy) {
    CompareOptions options;
    options.threshold = 0.7;
    const auto result = compareCurves(series("accuracy", {0, 1, 2}, {0.5, 0.8, 0.6}),
                                      series("accuracy", {0, 1, 2}, {0.5, 0.6, 0.65}), options);
    EXPECT_EQ(result.left.best, (CurvePoint{1, 0.8}));
    EXPECT_EQ(result.left.reaches, 1);
    EXPECT_FALSE(result.right.reaches);
}

TEST(CompareCurves, NonFiniteValuesNeitherWinNorSpoilTheMean) {
    const double inf = std::numeric_limits<double>::infinity();
    const auto result = compareCurves(series("loss", {0, 1, 2, 3}, {2, kNan, -inf, 1}),
                                      series("loss", {0, 1, 2, 3}, {2, kNan, 1, 1}));
    EXPECT_EQ(result.left.best, (CurvePoint{3, 1}));
    EXPECT_EQ(result.left.nonFinite, 2U);
    EXPECT_EQ(result.lastEqual, 1) << "NaN equals NaN";
    EXPECT_EQ(result.parting, 2);
    ASSERT_TRUE(result.meanDifference);
    EXPECT_TRUE(std::isfinite(*result.meanDifference));
}

TEST(CompareCurves, NothingInCommonIsSaidSo) {
    const auto apart =
        compareCurves(series("loss", {0, 1}, {2, 1}), series("loss", {5, 6}, {2, 1}));
    EXPECT_EQ(apart.common, 0U);
    EXPECT_FALSE(apart.meanDifference);
    EXPECT_FALSE(apart.left.area);
    const auto empty = compareCurves(series("loss", {}, {}), series("loss", {5, 6}, {2, kNan}));
    EXPECT_FALSE(empty.left.best);
    EXPECT_TRUE(empty.right.best);
}

TEST(CompareSettings, FindsWhatDiffers) {
    const Value left = settings(Value::dict(
        Items{{Value("lr"), Value(1e-3)},
              {Value("optimizer"),
               Value::dict(Items{{Value("betas"), Value::list({Value(0.9), Value(0.95)})}})},
              {Value("epochs"), Value(std::int64_t{3})},
              {Value("extra"), Value::dict({})},
              {Value("name"), Value("a")}}));
    const Value right = settings(Value::dict(
        Items{{Value("lr"), Value(1e-4)},
              {Value("optimizer"),
               Value::dict(Items{{Value("betas"), Value::list({Value(0.9), Value(0.99)})}})},
              {Value("epochs"), Value(3.0)},
              {Value("name"), Value("b")},
              {Value("seed"), Value(std::int64_t{7})}}));
    CompareOptions options;
    options.ignore.push_back(glob("name"));
    const SettingsComparison result = compareSettings(left, right, options);
    EXPECT_EQ(result.same, 2U) << "betas.0 and epochs";
    EXPECT_EQ(result.ignored, 1U);
    ASSERT_EQ(result.different.size(), 2U);
    EXPECT_EQ(result.different[0].key, "lr");
    EXPECT_EQ(settingText(result.different[0].left), "0.001");
    EXPECT_EQ(settingText(result.different[0].right), "0.0001");
    EXPECT_EQ(result.different[1].key, "optimizer.betas.1");
    ASSERT_EQ(result.onlyLeft.size(), 1U);
    EXPECT_EQ(result.onlyLeft[0].key, "extra");
    EXPECT_EQ(settingText(result.onlyLeft[0].value), "{}");
    ASSERT_EQ(result.onlyRight.size(), 1U);
    EXPECT_EQ(result.onlyRight[0].key, "seed");
}

TEST(CompareSettings, SourcesThatDisagreeAreToldApart) {
    const Value left = Value::dict(Items{
        {Value("a.json"),
         Value::dict(Items{{Value("lr"), Value(1.0)}, {Value("seed"), Value(std::int64_t{1})}})},
        {Value("b.yaml"),
         Value::dict(Items{{Value("lr"), Value(2.0)}, {Value("seed"), Value(1.0)}})}});
    EXPECT_EQ(disputedSettings(left), std::vector<std::string>{"lr"});
    const SettingsComparison same = compareSettings(left, left);
    EXPECT_EQ(same.same, 3U) << "a.json:lr, b.yaml:lr, seed";
    EXPECT_TRUE(same.different.empty());
}

TEST(CompareSettings, KnowsEqualValuesHoweverTheyAreSpelt) {
    EXPECT_TRUE(sameSetting(Value(std::int64_t{1}), Value(1.0)));
    EXPECT_TRUE(sameSetting(Value("1e-8"), Value(1e-8)));
    EXPECT_TRUE(sameSetting(Value(kNan), Value(kNan)));
    EXPECT_TRUE(sameSetting(Value::list({}), Value::list({})));
    EXPECT_FALSE(sameSetting(Value("1"), Value("1.0"))) << "two texts are two texts";
    EXPECT_FALSE(sameSetting(Value(true), Value(std::int64_t{1})));
    EXPECT_FALSE(sameSetting(Value(), Value("")));
    EXPECT_FALSE(
        sameSetting(Value(std::int64_t{9007199254740993}), Value(std::int64_t{9007199254740992})));
    EXPECT_FALSE(sameSetting(Value::dict({}), Value::list({})));
}

TEST(CompareSettings, SharedNodesDoNotExplode) {
    Value node = Value::list({Value(std::int64_t{1}), Value(std::int64_t{2})});
    for (int i = 0; i < 60; ++i) {
        node = Value::list({node, node});
    }
    const SettingsComparison result = compareSettings(settings(node), settings(node));
    EXPECT_TRUE(result.cut);
}

ScannedCheckpoint at(std::int64_t step, const std::string& name = {}) {
    ScannedCheckpoint result;
    result.name = name.empty() ? "step-" + std::to_string(step) : name;
    result.step = step;
    return result;
}

ScannedRun runOf(std::vector<ScannedCheckpoint> checkpoints) {
    ScannedRun run;
    run.checkpoints = std::move(checkpoints);
    return run;
}

TEST(PairCheckpoints, EqualStepsFirstThenTheNearestWithinHalfAnInterval) {
    const ScannedRun left = runOf({at(100), at(200), at(300), at(900)});
    const ScannedRun right = runOf({at(100), at(240), at(310), at(600)});
    const auto pairs = pairCheckpoints(left, right);
    ASSERT_EQ(pairs.size(), 6U);
    EXPECT_EQ(pairs[0].step, 100);
    EXPECT_TRUE(pairs[0].exact);
    EXPECT_EQ(pairs[1].step, 200);
    EXPECT_FALSE(pairs[1].right) << "40 is more than half of 70";
    EXPECT_EQ(pairs[2].right, 1U);
    EXPECT_FALSE(pairs[2].left);
    EXPECT_EQ(pairs[3].step, 300);
    EXPECT_EQ(pairs[3].right, 2U);
    EXPECT_FALSE(pairs[3].exact);
}

TEST(PairCheckpoints, LeavesOutLinksAndTakesTheMostComplete) {
    ScannedCheckpoint broken = at(100, "broken");
    broken.state = CheckpointState::Damaged;
    ScannedCheckpoint link = at(100, "link");
    link.linkTo = "step-100";
    ScannedCheckpoint whole = at(100);
    whole.state = CheckpointState::Complete;
    const auto pairs = pairCheckpoints(runOf({broken, link, whole}), runOf({at(100)}));
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].left, 2U);
}

TEST(PairCheckpoints, PairsByEpochWhereOneRunTellsNoSteps) {
    ScannedCheckpoint a = at(128);
    a.epoch = 1;
    ScannedCheckpoint b;
    b.epoch = 1;
    const auto pairs = pairCheckpoints(runOf({a}), runOf({b}));
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].left, 0U);
    EXPECT_EQ(pairs[0].right, 0U);
    EXPECT_TRUE(pairCheckpoints(runOf({}), runOf({})).empty());
}

TEST(CompareRuns, PairsNamesThatReadTheSame) {
    RunHistory left;
    left.series = {series("eval_loss", {1}, {1}), series("loss", {1}, {1}),
                   series("mine", {1}, {1})};
    RunHistory right;
    right.series = {series("Eval/Loss", {1}, {2}), series("loss", {1}, {2}),
                    series("theirs", {1}, {1})};
    const RunComparison result = compareRuns(left, right, nullptr, nullptr);
    ASSERT_EQ(result.metrics.size(), 2U);
    const auto& pair =
        result.metrics[0].name == "eval_loss" ? result.metrics[0] : result.metrics[1];
    EXPECT_EQ(pair.right.name, "Eval/Loss");
    EXPECT_EQ(pair.right.series, 0U);
    EXPECT_EQ(result.onlyLeft, std::vector<std::string>{"mine"});
    EXPECT_EQ(result.onlyRight, std::vector<std::string>{"theirs"});
    CompareOptions options;
    options.metrics.push_back(glob("loss"));
    EXPECT_EQ(compareRuns(left, right, nullptr, nullptr, options).metrics.size(), 1U);
}

TEST(CompareRuns, PairsNamesThatMeanTheSameIfEachRunHasOneOfThem) {
    RunHistory left;
    left.series = {series("accuracy", {1}, {1}), series("loss", {1}, {1}),
                   series("val_loss", {1}, {1})};
    RunHistory right;
    right.series = {series("eval/loss", {1}, {2}), series("train_loss", {1}, {2}),
                    series("val_accuracy", {1}, {2})};
    const auto matches = [&] {
        std::map<std::string, std::string> all;
        for (const MetricComparison& each : compareRuns(left, right, nullptr, nullptr).metrics) {
            all[each.left.name] = each.right.name + ", " + std::string(nameMatchName(each.match));
        }
        return all;
    };
    EXPECT_EQ(matches(), (std::map<std::string, std::string>{{"loss", "train_loss, meaning"},
                                                             {"val_loss", "eval/loss, meaning"}}));
    const auto named = compareRuns(left, right, nullptr, nullptr).metrics;
    ASSERT_EQ(named.size(), 2U); // the deciding one first
    EXPECT_EQ(shownName(named.front()), "val_loss | eval/loss");
    EXPECT_EQ(shownName(named.back()), "loss | train_loss");
    CompareOptions exact;
    exact.byMeaning = false;
    EXPECT_TRUE(compareRuns(left, right, nullptr, nullptr, exact).metrics.empty());
    // two of one meaning: which is meant is not known
    right.series.push_back(series("test_loss", {1}, {3}));
    EXPECT_FALSE(matches().contains("val_loss"));
    right.series.pop_back();
    // "loss" has its own partner, so "train_loss" is not another one
    left.series.push_back(series("train_loss", {1}, {3}));
    EXPECT_EQ(matches()["train_loss"], "train_loss, equal");
    EXPECT_FALSE(matches().contains("loss"));
}

TEST(ApplyHistory, TheCurveTellsTheBestWhereNoRecordOrNameDoes) {
    const TemporaryFolder folder;
    for (const char* step : {"100", "200", "300"}) {
        folder.write(std::string("run/step-") + step + ".safetensors", smallSafetensors());
    }
    auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    ScannedRun& run = experiment->runs.at(0);
    RunHistory history;
    history.series.push_back(series("eval_loss", {99, 150, 199, 299}, {0.5, 0.1, 0.4, kNan}));
    history.series.push_back(series("loss", {100, 200, 300}, {0.5, 0.4, 0.1}));
    settleRun(run, history);
    EXPECT_EQ(run.scoreMetric(), "eval_loss");
    EXPECT_TRUE(run.bestIs.isBy(kBestByScore));
    EXPECT_EQ(run.bestMetric, "eval_loss");
    EXPECT_EQ(run.bestValue, 0.4);
    EXPECT_TRUE(findCheckpoint(run, "step-200.safetensors")->best);
}

} // namespace
} // namespace cairn
