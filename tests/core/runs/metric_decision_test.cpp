// SPDX-License-Identifier: Apache-2.0
// By which metric a run is judged, which of its values are better, and which names of two runs mean
// the same.
#include "core/runs/compare/compare.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/metric_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/table/run_settings.h"
#include "tests/core/runs/series.h"

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <random>
#include <string>

namespace cairn {
namespace {

using names::Direction;

ScannedRun twoSteps() {
    ScannedRun run{"run", "run", "/run", {}};
    for (const int step : {1, 2}) {
        ScannedCheckpoint each;
        each.name = "step-" + std::to_string(step);
        each.path = run.path / each.name;
        each.step = step;
        each.because = {{Strength::Recorded, "step-in-values", "in the values"}};
        run.checkpoints.push_back(std::move(each));
    }
    return run;
}

RunHistory curves(std::initializer_list<const char*> names) {
    RunHistory history;
    history.sources.push_back({"csv", "/run/metrics.csv", 0, {}});
    for (const char* name : names) {
        history.series.push_back(test::series(name, {1, 2}, {0.5, 0.25}));
    }
    return history;
}

TEST(MetricDecision, LessEvidenceForADirectionIsWeakerOrNone) {
    ScannedRun run = twoSteps();
    run.checkpoints[1].record = BestRecord{"step-2", "eval_loss", {}, Direction::Smaller};
    RunHistory history = curves({"eval_loss"});
    history.goals = {{"eval_loss", Direction::Smaller, true, "/run/wandb"}};
    Decided<Direction> better = decideDirection(run, history, "eval_loss");
    EXPECT_EQ(better.because.size(), 3U);
    EXPECT_TRUE(better.isAtLeast(Strength::Recorded));
    run.checkpoints[1].record.reset();
    better = decideDirection(run, history, "eval_loss");
    EXPECT_EQ(better.value, Direction::Smaller);
    EXPECT_EQ(better.because.front().where.file, "/run/wandb");
    history.goals.clear();
    better = decideDirection(run, history, "eval_loss");
    EXPECT_EQ(better.value, Direction::Smaller);
    EXPECT_TRUE(better.isBy("direction-in-name"));
    EXPECT_FALSE(better.isAtLeast(Strength::Recorded));
    EXPECT_EQ(better.because.front().says.text(), "lower is better, assumed");
    EXPECT_FALSE(decideDirection(run, history, "eval/m1")) << "a name of no known meaning";
}

TEST(MetricDecision, DirectionsThatContradictEachOther) {
    ScannedRun run = twoSteps();
    RunHistory history = curves({"eval_loss"});
    history.goals = {{"eval_loss", Direction::Larger, true, "/run/wandb"}};
    settleRun(run, history);
    EXPECT_TRUE(run.largerIsBetter()) << "what is recorded is stronger than the name";
    ASSERT_EQ(run.direction.against.size(), 1U);
    EXPECT_EQ(run.direction.against[0].id, "direction-in-name");
    EXPECT_EQ(run.bestIs.value, "step-1");
    run.checkpoints[1].record = BestRecord{"gone", "eval_loss", {}, Direction::Smaller};
    EXPECT_FALSE(decideDirection(run, history, "eval_loss"));
    EXPECT_EQ(decideDirection(run, history, "eval_loss").against.size(), 3U) << "both sides";
    settleRun(run, history);
    EXPECT_FALSE(run.headline);
    EXPECT_FALSE(run.bestIs) << "no default";
}

TEST(MetricDecision, WhatTheTrainerRecordedIsThatOfItsCurves) {
    ScannedRun run = twoSteps();
    run.checkpoints[0].record = BestRecord{"gone", "eval_m1", {}, Direction::Smaller};
    run.checkpoints[1].record = BestRecord{"gone", "eval_m1", {}, Direction::Larger};
    RunHistory history = curves({"eval/m1"});
    EXPECT_FALSE(history.direction("eval/m1"));
    addCheckpointRecords(history, run);
    EXPECT_EQ(history.direction("eval/m1").value, Direction::Larger) << "the newest";
    EXPECT_EQ(history.direction("eval/m1").because.front().where.file, "/run/step-2");
    EXPECT_EQ(decideDirection(run, history, "eval/m1").value, Direction::Larger);
    history.goals.push_back({"eval/*", Direction::Smaller, true, "/run/wandb"});
    EXPECT_EQ(history.direction("eval/m1").value, Direction::Larger) << "a name before a pattern";
    history.goals.push_back({"eval/m1", Direction::Smaller, true, "/run/wandb"});
    history.goals.push_back({"eval/m1", Direction::Larger, true, "/run/wandb"});
    EXPECT_EQ(history.direction("eval/m1").value, Direction::Larger) << "the last of one source";
    history.goals.push_back({"eval/m1", Direction::Smaller, true, "/run/wandb"});
    EXPECT_FALSE(history.direction("eval/m1")) << "the tool and the trainer";
}

TEST(MetricDecision, WhatAnExportRecordsIsNoDirectionOfTheRun) {
    ScannedRun run = twoSteps();
    run.checkpoints[0].record = BestRecord{"gone", "eval_m1", {}, Direction::Smaller};
    run.checkpoints[1].record = BestRecord{"gone", "eval_m1", {}, Direction::Larger};
    run.checkpoints[1].exportOf.value = "step-1";
    RunHistory history = curves({"eval/m1"});
    addCheckpointRecords(history, run);
    EXPECT_EQ(history.direction("eval/m1").value, Direction::Smaller);
    EXPECT_EQ(decideDirection(run, history, "eval/m1").value, Direction::Smaller);
}

TEST(MetricDecision, LessEvidenceForTheMetricIsWeaker) {
    ScannedRun run = twoSteps();
    run.checkpoints[1].record = BestRecord{"gone", "eval_f1", {}, Direction::Larger};
    RunHistory history = curves({"eval_f1", "eval_loss", "loss"});
    history.goals = {{"eval_f1", Direction::Larger, true, "/run/wandb"}};
    settleRun(run, history);
    EXPECT_EQ(run.scoreMetric(), "eval_f1");
    EXPECT_TRUE(run.headline.isBy("metric-in-record"));
    run.checkpoints[1].record.reset();
    settleRun(run, history);
    EXPECT_EQ(run.scoreMetric(), "eval_f1");
    EXPECT_TRUE(run.headline.isBy("metric-is-target"));
    history.goals.push_back({"eval_loss", Direction::Smaller, true, "/run/wandb"});
    settleRun(run, history);
    EXPECT_TRUE(run.headline.isBy("metric-in-name")) << "two goals do not name one";
    EXPECT_FALSE(run.headline.isAtLeast(Strength::Recorded));
    history.goals.clear();
    settleRun(run, history);
    EXPECT_EQ(run.scoreMetric(), "eval_loss");
    EXPECT_TRUE(run.headline.isBy("metric-in-name"));
    history.series.clear();
    settleRun(run, history);
    EXPECT_FALSE(run.headline);
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.metrics = {{"val_loss", 0.5}};
    }
    settleRun(run, history);
    EXPECT_TRUE(run.headline.isBy("metric-in-checkpoints"));
    run.checkpoints[0].metrics.clear();
    settleRun(run, history);
    EXPECT_FALSE(run.headline) << "one checkpoint compares with none";
}

TEST(MetricDecision, OtherSpellingsOfANameMeanTheSame) {
    std::mt19937 random(3);
    const std::array<std::string, 4> spelled{"eval_loss", "Eval/Loss", "evalLoss", "eval-loss"};
    for (int round = 0; round < 100; ++round) {
        const std::string& recorded = spelled[random() % spelled.size()];
        const std::string& logged = spelled[random() % spelled.size()];
        ScannedRun run = twoSteps();
        run.checkpoints[1].record = BestRecord{"gone", recorded, {}, Direction::Larger};
        RunHistory history = curves({});
        history.series = {test::series(logged, {1, 2}, {0.5, 0.25}),
                          test::series("val_accuracy", {1, 2}, {0.5, 0.25})};
        settleRun(run, history);
        EXPECT_EQ(run.scoreMetric(), logged);
        EXPECT_TRUE(run.largerIsBetter()) << recorded << " " << logged;
        EXPECT_TRUE(run.direction.isAtLeast(Strength::Recorded));
    }
}

TEST(MetricDecision, TwoRunsThatRecordOtherDirectionsHaveNoBetterOne) {
    RunHistory left = curves({"m1"});
    RunHistory right = curves({"m1"});
    const auto better = [&] {
        return compareRuns(left, right, nullptr, nullptr).metrics.at(0).better;
    };
    EXPECT_EQ(better(), Direction::Unknown);
    left.goals = {{"m1", Direction::Larger, true, "/a"}};
    EXPECT_EQ(better(), Direction::Larger) << "what one records applies to both";
    right.goals = {{"m1", Direction::Smaller, true, "/b"}};
    EXPECT_EQ(better(), Direction::Unknown);
    left = curves({"loss"});
    left.goals.clear();
    right = curves({"loss"});
    right.goals = {{"loss", Direction::Larger, true, "/b"}};
    EXPECT_EQ(better(), Direction::Larger) << "recorded in one run, assumed by the name in both";
}

TEST(MetricDecision, TrainingAndHeldOutDataAreNeverOneMetric) {
    const RunHistory left = curves({"eval_loss", "loss", "train_loss", "val_accuracy"});
    const RunHistory right = curves({"Eval/Loss", "accuracy", "train/loss"});
    for (const MetricComparison& each : compareRuns(left, right, nullptr, nullptr).metrics) {
        EXPECT_EQ(names::splitOf(each.left.name) == names::Split::HeldOut,
                  names::splitOf(each.right.name) == names::Split::HeldOut)
            << each.left.name << " " << each.right.name;
        EXPECT_EQ(names::measureOf(each.left.name), names::measureOf(each.right.name));
    }
}

/// Random evidence against what the generator knows.
TEST(MetricDecision, NeighboursOfDirections) {
    std::mt19937 random(20261129);
    const auto pick = [&](unsigned count) { return random() % count; };
    const std::array<std::pair<const char*, Direction>, 4> all{{{"eval_loss", Direction::Smaller},
                                                                {"val/accuracy", Direction::Larger},
                                                                {"eval/m1", Direction::Unknown},
                                                                {"test_z", Direction::Unknown}}};
    int wrong = 0;
    int decided = 0;
    int undecided = 0;
    for (int round = 0; round < 1000; ++round) {
        const auto& [name, implied] = all[pick(4)];
        ScannedRun run = twoSteps();
        RunHistory history = curves({name});
        const auto some = [&] {
            return pick(3) == 0   ? Direction::Unknown
                   : pick(2) == 0 ? Direction::Smaller
                                  : Direction::Larger;
        };
        const Direction record = some();
        const Direction goal = some();
        if (record != Direction::Unknown) {
            run.checkpoints[pick(2)].record = BestRecord{"gone", name, {}, record};
        }
        if (goal != Direction::Unknown) {
            history.goals = {{name, goal, true, "/run/wandb"}};
        }
        const bool contradict =
            record != Direction::Unknown && goal != Direction::Unknown && record != goal;
        const Direction truth = contradict                     ? Direction::Unknown
                                : record != Direction::Unknown ? record
                                : goal != Direction::Unknown   ? goal
                                                               : implied;
        const auto found = decideDirection(run, history, name);
        wrong += found.value.value_or(truth) != truth ? 1 : 0;
        wrong += found && contradict ? 1 : 0;
        decided += found ? 1 : 0;
        undecided += !found && truth != Direction::Unknown ? 1 : 0;
    }
    std::cout << "directions: " << decided << " decided, " << wrong << " wrong, " << undecided
              << " undecided\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(undecided, 0);
}

} // namespace
} // namespace cairn
