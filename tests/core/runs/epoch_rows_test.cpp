// SPDX-License-Identifier: Apache-2.0
// Checkpoints and logs that count epochs, each from 0 or from 1: a score is of the epoch that the
// checkpoint was saved after, or there is none.
#include "core/model/names/position.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/own_numbers.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/retention.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
const Numbers kLosses{1.3240219, 1.528467, 1.6805881, 1.8554928, 1.841664, 1.5011778};

ScannedCheckpoint named(std::string name) {
    ScannedCheckpoint each;
    each.path = "/run/" + name;
    each.name = std::move(name);
    each.epoch = positionFromName(each.name).epoch;
    each.step = positionFromName(each.name).step;
    each.state = CheckpointState::Complete;
    each.examined = each.opened = true;
    return each;
}

ScannedRun runNamed(const std::vector<const char*>& names) {
    ScannedRun run{"run", "run", "/run", {}};
    for (const char* name : names) {
        run.checkpoints.push_back(named(name));
    }
    return run;
}

/// Gives the checkpoints optimizer steps: `anEpoch` per epoch, counted from `first`.
ScannedRun withSteps(ScannedRun run, std::int64_t anEpoch, std::int64_t first) {
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.step = anEpoch * first++;
        each.because = {{Strength::Recorded, "step-in-values", "in the values"}};
    }
    return run;
}

/// A log of epochs from `first` on, as Keras' CSVLogger writes it.
RunHistory logFrom(double first, const Numbers& losses) {
    MetricSeries series;
    series.name = "val_loss";
    series.values = losses;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        series.epochs.push_back(first + static_cast<double>(i));
    }
    series.steps = series.epochs;
    series.stepsFrom = StepsFrom::Epoch;
    RunHistory history;
    history.sources.push_back({"csv", "/run/log.csv", 0, {}});
    history.series = {std::move(series)};
    return history;
}

/// In the previous order of the run's checkpoints.
Numbers scores(ScannedRun& run, const RunHistory& history) {
    ScannedRun settled = run;
    settleRun(settled, history);
    Numbers all;
    for (ScannedCheckpoint& each : run.checkpoints) {
        const auto at = std::ranges::find(settled.checkpoints, each.name, &ScannedCheckpoint::name);
        each = *at;
        all.push_back(each.score.value_or(-1));
    }
    settled.checkpoints = std::move(run.checkpoints);
    run = std::move(settled);
    return all;
}
Numbers scores(ScannedRun&& run, const RunHistory& history) {
    return scores(run, history);
}

ScannedRun keras(std::int64_t stepsAnEpoch = 2) {
    return withSteps(
        runNamed({"model.01-1.3240.keras", "model.02-1.5285.keras", "model.03-1.6806.keras",
                  "model.04-1.8555.keras", "model.05-1.8417.keras", "model.06-1.5012.keras"}),
        stepsAnEpoch, 1);
}

TEST(EpochRows, TheValueInTheNameTells) {
    ScannedRun run = keras();
    EXPECT_EQ(scores(run, logFrom(0, kLosses)), kLosses);
    EXPECT_EQ(scores(keras(1), logFrom(0, kLosses)), kLosses) << "a step an epoch";
    settleRun(run);
    EXPECT_TRUE(run.checkpoints[0].best);
    const auto plan =
        planRetention(run, {.keepLast = 1, .keepBest = 1}, test::settledEvidence(run));
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->keep.size(), 2U);
    EXPECT_EQ(plan->keep[0].path, "/run/model.01-1.3240.keras");
    EXPECT_EQ(plan->keep[1].path, "/run/model.06-1.5012.keras");
    // Two of them, neither of which is placed by the ends of the log.
    EXPECT_EQ(
        scores(runNamed({"w.02-1.53.weights.h5", "w.03-1.68.weights.h5"}), logFrom(0, kLosses)),
        (Numbers{kLosses[1], kLosses[2]}));
    EXPECT_EQ(scores(runNamed({"w.01-1.53.h5", "w.02-1.68.h5"}), logFrom(0, kLosses)),
              (Numbers{kLosses[1], kLosses[2]}))
        << "counted from 0";
}

TEST(EpochRows, TheEndsOfTheLogTell) {
    const std::vector<const char*> fromOne{"model_epoch_01.h5", "model_epoch_02.h5",
                                           "model_epoch_03.h5", "model_epoch_04.h5",
                                           "model_epoch_05.h5", "model_epoch_06.h5"};
    EXPECT_EQ(scores(runNamed(fromOne), logFrom(0, kLosses)), kLosses);
    EXPECT_EQ(scores(runNamed({"epoch_0.pt", "epoch_2.pt"}), logFrom(0, kLosses)),
              (Numbers{kLosses[0], kLosses[2]}));
    // A log that begins with row 1 counts from 1, or the newest was saved before its row was
    // logged.
    EXPECT_EQ(scores(runNamed({"epoch_1.pt", "epoch_6.pt"}), logFrom(1, kLosses)),
              (Numbers{-1, -1}));
    EXPECT_EQ(scores(runNamed({"epoch_4.pt", "epoch_9.pt"}), logFrom(4, kLosses)),
              (Numbers{-1, -1}));
    ScannedRun held = runNamed({"epoch_1.pt", "epoch_6.pt"});
    held.checkpoints[0].metrics = {{"val_loss", kLosses[0]}};
    EXPECT_EQ(scores(held, logFrom(1, kLosses)), (Numbers{kLosses[0], kLosses[5]})) << "proven";
    EXPECT_EQ(scores(runNamed({"epoch_1.pt", "epoch_2.pt", "epoch_3.pt", "epoch_4.pt", "epoch_5.pt",
                               "epoch_6.pt"}),
                     logFrom(1, kLosses)),
              kLosses)
        << "each row has its checkpoint";
    EXPECT_EQ(scores(withSteps(runNamed({"epoch_0.pt", "epoch_2.pt"}), 50, 0), logFrom(0, kLosses)),
              (Numbers{-1, -1}))
        << "the first was saved before any training: epochs are those that are done";
    // The steps stored in the checkpoints do not help: all epochs have step 0.
    EXPECT_EQ(scores(withSteps(runNamed(fromOne), 0, 0), logFrom(0, kLosses)), kLosses);
}

TEST(EpochRows, NothingIsSavedAfterNoTraining) {
    // A log that shows how far training went, and checkpoints that count from 0.
    RunHistory log = logFrom(0, {9, 1, 8, 5, 7, 6});
    log.series[0].epochs = log.series[0].steps = {0.5, 1, 1.5, 2, 2.5, 3};
    const std::vector<const char*> fromZero{"epoch_0.pt", "epoch_1.pt", "epoch_2.pt"};
    ScannedRun run = runNamed(fromZero);
    EXPECT_EQ(scores(run, log), (Numbers{-1, -1, -1}));
    settleRun(run);
    EXPECT_FALSE(run.bestIs);
    run.checkpoints[1].metrics = {{"val_loss", 5}};
    EXPECT_EQ(scores(run, log), (Numbers{1, 5, 6})) << "a value tells";
    EXPECT_EQ(scores(runNamed({"epoch_1.pt", "epoch_2.pt", "epoch_3.pt"}), log),
              (Numbers{1, 5, 6}));
    ScannedRun parts = runNamed(fromZero); // they also show how far training went
    parts.checkpoints[1].epoch = 1.5;
    EXPECT_EQ(scores(parts, log), (Numbers{-1, 8, 5}));

    const RunHistory fromOne = logFrom(1, {3, 2, 4});
    EXPECT_EQ(scores(runNamed(fromZero), fromOne), (Numbers{-1, -1, -1}));
    EXPECT_EQ(
        scores(runNamed({"epoch_00-2.99.pt", "epoch_01-2.01.pt"}), logFrom(1, {2.99, 2.01, 4})),
        (Numbers{2.99, 2.01}));
}

TEST(EpochRows, OneBeyondTheEndAloneTellsNothing) {
    // Saved before its row was written, or counted from 1: both give these files.
    const Numbers losses{9, 8, 7, 6, 5, 4, 3, 1, 2};
    ScannedRun run = runNamed({"model_epoch_8.pt", "model_epoch_9.pt"});
    EXPECT_EQ(scores(run, logFrom(0, losses)), (Numbers{-1, -1}));
    settleRun(run);
    EXPECT_FALSE(run.bestIs);
    EXPECT_EQ(scores(withSteps(run, 50, 9), logFrom(0, losses)), (Numbers{2, -1})) << "steps tell";
    EXPECT_EQ(scores(withSteps(run, 50, 8), logFrom(0, losses)), (Numbers{1, 2})) << "steps tell";
    // A log whose first row is 1 counts from 1 or continues: no checkpoint precedes its row.
    EXPECT_EQ(scores(runNamed({"epoch_8.pt", "epoch_9.pt", "epoch_10.pt"}), logFrom(1, losses)),
              (Numbers{-1, -1, -1}));
    EXPECT_EQ(scores(runNamed({"epoch_2.pt", "epoch_3.pt", "epoch_4.pt"}), logFrom(1, {3, 2, 1})),
              (Numbers{-1, -1, -1}));
    EXPECT_EQ(scores(runNamed({"epoch_4.pt", "epoch_10.pt"}), logFrom(4, kLosses)),
              (Numbers{-1, -1}));
    EXPECT_EQ(scores(runNamed({"epoch_1.pt"}), logFrom(0, {3})), (Numbers{-1}));
}

TEST(EpochRows, TheStepsOfTheOptimizerTell) {
    EXPECT_EQ(
        scores(withSteps(runNamed({"epoch_2.keras", "epoch_3.keras"}), 50, 2), logFrom(0, kLosses)),
        (Numbers{kLosses[1], kLosses[2]}));
    EXPECT_EQ(
        scores(withSteps(runNamed({"epoch=2.ckpt", "epoch=3.ckpt"}), 50, 3), logFrom(0, kLosses)),
        (Numbers{kLosses[2], kLosses[3]}));
}

TEST(EpochRows, ValuesThatTheCheckpointsHoldTell) {
    ScannedRun run = runNamed({"a_epoch_2.pt", "a_epoch_3.pt"});
    run.checkpoints[0].metrics = {{"val_loss", kLosses[1]}};
    EXPECT_EQ(scores(run, logFrom(0, kLosses)), (Numbers{kLosses[1], kLosses[2]}));
    run.checkpoints[0].metrics = {{"val_loss", kLosses[2]}};
    EXPECT_EQ(scores(run, logFrom(0, kLosses)), (Numbers{kLosses[2], kLosses[3]}));
}

TEST(EpochRows, WhereNothingTellsThereIsNone) {
    const RunHistory log = logFrom(0, kLosses);
    const std::vector<std::vector<const char*>> all{
        {"epoch_2.pt", "epoch_3.pt"},
        {"best-01.keras"},
        {"model_1.keras", "model_6.keras"}, // some rows have no checkpoint
        {"epoch_40.pt"},
        {"last.keras"},
        {"model_1.pt", "model_2.pt", "model_3.pt"},
        {"step_0.pt", "step_1.pt", "step_2.pt", "step_3.pt", "step_4.pt", "step_5.pt"},
        {"model-v2-0.5.keras"}};
    for (const auto& names : all) {
        ScannedRun run = runNamed(names);
        EXPECT_EQ(scores(run, log), Numbers(names.size(), -1)) << names.front();
        EXPECT_FALSE(run.headline);
        settleRun(run);
        EXPECT_FALSE(run.bestIs.isBy(kBestByScore));
        EXPECT_FALSE(
            planRetention(run, {.keepLast = 1, .keepBest = 2}, test::settledEvidence(run)));
    }
    // An optimizer's steps are never compared with rows of epochs.
    EXPECT_EQ(scores(withSteps(runNamed({"a.keras", "b.keras"}), 2, 1), log), (Numbers{-1, -1}));
}

TEST(EpochRows, RowsThatNobodyNumberedAreNoSteps) {
    RunHistory history = logFrom(0, kLosses);
    history.series[0].epochs.clear();
    history.series[0].stepsFrom = StepsFrom::Count;
    EXPECT_EQ(scores(keras(), history), kLosses);
    EXPECT_EQ(scores(withSteps(runNamed({"a.keras", "b.keras"}), 2, 1), history),
              (Numbers{-1, -1}));
}

TEST(EpochRows, RowsOfStepsAreOfNoEpoch) {
    Numbers losses;
    for (int step = 0; step < 100; ++step) {
        losses.push_back((step - 3) * (step - 3) + 1);
    }
    RunHistory history = logFrom(0, losses);
    history.series[0].epochs.clear();
    const std::vector<const char*> names{"model_epoch_0.pt", "model_epoch_1.pt", "model_epoch_2.pt",
                                         "model_epoch_3.pt"};
    for (const StepsFrom from : {StepsFrom::Source, StepsFrom::Count}) {
        history.series[0].stepsFrom = from;
        ScannedRun run = runNamed(names);
        EXPECT_EQ(scores(run, history), Numbers(names.size(), -1));
        settleRun(run);
        EXPECT_FALSE(run.bestIs);
    }
    // The optimizer's steps per epoch show how epochs are counted, not that rows are epochs.
    EXPECT_EQ(scores(withSteps(runNamed(names), 50, 1), history), Numbers(names.size(), -1));
    history.series[0].stepsFrom = StepsFrom::Epoch;
    EXPECT_EQ(scores(runNamed(names), history),
              (Numbers{losses[0], losses[1], losses[2], losses[3]}));
}

TEST(EpochRows, RowsThatAllHaveTheirCheckpointsAreEpochs) {
    RunHistory history = logFrom(0, {3, 2, 4});
    history.series[0].epochs.clear();
    for (const StepsFrom from : {StepsFrom::Source, StepsFrom::Count}) {
        history.series[0].stepsFrom = from;
        EXPECT_EQ(scores(runNamed({"epoch_0.pt", "epoch_1.pt", "epoch_2.pt"}), history),
                  (Numbers{3, 2, 4}));
        EXPECT_EQ(scores(runNamed({"epoch_1.pt", "epoch_2.pt", "epoch_3.pt", "best_epoch_2.pt"}),
                         history),
                  (Numbers{3, 2, 4, 2}));
        EXPECT_EQ(scores(runNamed({"epoch_0.pt", "epoch_2.pt"}), history), (Numbers{-1, -1}));
    }
    RunHistory one = logFrom(1, {3});
    one.series[0].epochs.clear();
    one.series[0].stepsFrom = StepsFrom::Source;
    EXPECT_EQ(scores(runNamed({"epoch_1.pt"}), one), (Numbers{-1})) << "step 1, or epoch 1";
}

TEST(EpochRows, AValueFarBehindTheEndOfACurveIsOfNoCheckpoint) {
    RunHistory history = logFrom(0, kLosses);
    history.series[0].epochs.clear();
    history.series[0].stepsFrom = StepsFrom::Source; // epochs were written in place of steps
    EXPECT_EQ(scores(withSteps(runNamed({"a.pt", "b.pt"}), 500, 1), history), (Numbers{-1, -1}));
}

TEST(OwnNumbers, OfNames) {
    const OwnNumbers keras = ownNumbers("model.03-1.6806.keras");
    EXPECT_EQ(keras.count, 3);
    ASSERT_EQ(keras.decimals.size(), 1U);
    EXPECT_TRUE(keras.decimals[0].isRoundingOf(1.68055));
    EXPECT_TRUE(keras.decimals[0].isRoundingOf(-1.6806)) << "a dash or a sign";
    EXPECT_FALSE(keras.decimals[0].isRoundingOf(1.6807));
    EXPECT_EQ(ownNumbers("weights.12-0.50.weights.h5").count, 12);
    EXPECT_EQ(ownNumbers("best-01.keras").count, 1);
    EXPECT_FALSE(ownNumbers("step_100.pt").count);
    EXPECT_FALSE(ownNumbers("llama-7b.pt").count);
    EXPECT_FALSE(ownNumbers("a1-b2.pt").count);
    EXPECT_FALSE(ownNumbers("best.pt").count);
    EXPECT_FALSE(ownNumbers("val_loss=0.25.ckpt").count);
}

} // namespace
} // namespace cairn
