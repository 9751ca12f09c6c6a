// SPDX-License-Identifier: Apache-2.0
// What the rows of a log count, and which row is a checkpoint's: with its evidence, or not at all.
#include "core/runs/history/history.h"
#include "core/runs/history/join_series.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/rank/row_decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <random>

namespace cairn {
namespace {

Evidence inValues(const char* id) {
    return {Strength::Recorded, id, "in the values"};
}

ScannedCheckpoint save(std::optional<std::int64_t> step, std::optional<double> epoch) {
    ScannedCheckpoint each;
    each.name = "save-" + std::string(1, static_cast<char>('a' + (step.value_or(0) % 26))) +
                std::string(1, static_cast<char>('a' + (step.value_or(0) / 26 % 26)));
    each.path = "/run/" + each.name;
    each.step = step;
    each.epoch = epoch;
    if (step) {
        each.because.push_back(inValues("step-in-values"));
    }
    if (epoch) {
        each.because.push_back(inValues("epoch-in-values"));
    }
    each.state = CheckpointState::Complete;
    each.examined = each.opened = true;
    return each;
}

RunHistory logOf(std::vector<double> steps, std::vector<double> epochs,
                 std::vector<double> values) {
    RunHistory history;
    history.sources.push_back({"csv", "/run/metrics.csv", 0, {}});
    MetricSeries series;
    series.name = "val_loss";
    series.steps = std::move(steps);
    series.epochs = std::move(epochs);
    series.values = std::move(values);
    history.series.push_back(std::move(series));
    return history;
}

std::map<std::string, double> scored(ScannedRun& run, const RunHistory& history) {
    settleRun(run, history);
    std::map<std::string, double> scores;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.score) {
            scores[each.name] = *each.score;
        }
    }
    return scores;
}

bool hasId(const std::vector<Evidence>& all, std::string_view id) {
    return std::ranges::find(all, id, &Evidence::id) != all.end();
}

/// Ray numbers saves, and its log records with which row each was made.
TEST(RowDecision, TheRowThatRecordsTheSaveIsItsRow) {
    ScannedRun run{"run", "run", "/run", {}};
    run.checkpoints = {save({}, {}), save({}, {})};
    run.checkpoints[0].name = "checkpoint_000000";
    run.checkpoints[1].name = "checkpoint_000001";
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.path = "/run/" + each.name;
    }
    RunHistory history = logOf({1, 2, 3, 4}, {}, {4, 3, 2, 1});
    history.saves = {{"checkpoint_000000", 1, "/run/metrics.csv"},
                     {"checkpoint_000000", 2, "/run/metrics.csv"}, // written again
                     {"checkpoint_000001", 4, "/run/metrics.csv"}};
    ScannedRun same = run;
    EXPECT_EQ(scored(same, history),
              (std::map<std::string, double>{{"checkpoint_000000", 3}, {"checkpoint_000001", 1}}));
    EXPECT_TRUE(hasId(same.rowsBecause, "saved-with-row"));

    ScannedRun renamed = run;
    renamed.checkpoints[0].path = renamed.checkpoints[1].path = "/run/other";
    EXPECT_TRUE(scored(renamed, history).empty());

    ScannedRun contradicted = run;
    contradicted.checkpoints[1].metrics = {{"val_loss", 7}};
    scored(contradicted, history);
    EXPECT_TRUE(hasId(contradicted.rowsAgainst, "saved-with-row"));
    EXPECT_TRUE(hasId(contradicted.rowsAgainst, "values-differ"));

    history.saves[2].source = history.saves[1].source = history.saves[0].source = "/other/log";
    EXPECT_TRUE(scored(run, history).empty());
}

/// Two optimizers: 20 steps and 10 batches an epoch; the log counts batches.
struct TwoOptimizers {
    ScannedRun run{"run", "run", "/run", {}};
    RunHistory history = logOf({9, 19, 29, 39, 49, 59}, {0, 1, 2, 3, 4, 5}, {5, 3, 1, 2, 4, 6});
    TwoOptimizers() {
        for (int epoch = 0; epoch < 6; ++epoch) {
            run.checkpoints.push_back(save(20 * (epoch + 1), epoch));
            run.checkpoints.back().batches = 10 * (epoch + 1);
        }
    }
};

TEST(RowDecision, BatchesOfTheLoggersAreNotStepsOfTheOptimizers) {
    TwoOptimizers gan;
    EXPECT_EQ(scored(gan.run, gan.history).at(gan.run.checkpoints[2].name), 1);
    EXPECT_TRUE(gan.run.checkpoints[2].best);
    EXPECT_TRUE(hasId(gan.run.rowsBecause, "logged-batches"));
}

TEST(RowDecision, LessEvidenceNeverGivesAnotherValue) {
    TwoOptimizers gan;
    for (ScannedCheckpoint& each : gan.run.checkpoints) {
        each.batches.reset(); // the epochs contradict the steps, and give the row themselves
    }
    EXPECT_EQ(scored(gan.run, gan.history).at(gan.run.checkpoints[2].name), 1);
    EXPECT_TRUE(hasId(gan.run.rowsAgainst, "epochs-differ"));
    gan.run.checkpoints.erase(gan.run.checkpoints.begin(), gan.run.checkpoints.begin() + 1);
    EXPECT_EQ(scored(gan.run, gan.history).at(gan.run.checkpoints[1].name), 1);
    EXPECT_TRUE(hasId(gan.run.rowsBecause, "steps-per-epoch"));
    for (ScannedCheckpoint& each : gan.run.checkpoints) {
        each.step.reset();
        each.because.erase(each.because.begin());
    }
    EXPECT_TRUE(scored(gan.run, gan.history).empty()) << "counted from 0 or from 1";
    EXPECT_EQ(gan.run.undecidedMetric, "val_loss");
    EXPECT_FALSE(gan.run.bestIs);
    TwoOptimizers unlabelled;
    unlabelled.history.series[0].epochs.clear();
    for (ScannedCheckpoint& each : unlabelled.run.checkpoints) {
        each.batches.reset();
        each.epoch.reset();
        each.because.pop_back();
    }
    EXPECT_TRUE(scored(unlabelled.run, unlabelled.history).empty());
    EXPECT_TRUE(hasId(unlabelled.run.rowsAgainst, "beyond-end"));
}

TEST(RowDecision, CallsOfALogFunctionAreNotSteps) {
    RunHistory history = logOf({1, 2, 3, 4, 5}, {}, {5, 1, 3, 4, 5});
    history.series[0].stepsStrength = Strength::Named;
    ScannedRun run{"run", "run", "/run", {save(2, {}), save(4, {})}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_EQ(run.undecidedMetric, "val_loss");
    history.series[0].stepsStrength = Strength::Recorded;
    EXPECT_EQ(scored(run, history).size(), 2U);
    EXPECT_TRUE(run.undecidedMetric.empty());
    EXPECT_TRUE(hasId(run.rowsBecause, "step-column"));
    // A metric in a checkpoint proves the unit, or contradicts it.
    history.series[0].stepsStrength = Strength::Named;
    run.checkpoints[0].metrics = {{"val_loss", 1}};
    EXPECT_TRUE(scored(run, history).empty()) << "one of two may equal another row";
    run.checkpoints[1].metrics = {{"val_loss", 4}};
    EXPECT_EQ(scored(run, history).size(), 2U);
    EXPECT_TRUE(hasId(run.rowsBecause, "values-equal"));
    run.checkpoints[1].metrics.clear();
    history.series[0].stepsStrength = Strength::Recorded;
    run.checkpoints[0].metrics = {{"val_loss", 4.5}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "values-differ"));
    EXPECT_TRUE(hasId(run.rowsAgainst, "step-column")) << "both sides";
}

/// Saves each 100 steps up to 1000, and a log with a row each 50 steps up to 400.
struct LogThatEndedEarly {
    ScannedRun run{"run", "run", "/run", {}};
    RunHistory history;
    LogThatEndedEarly() {
        std::vector<double> steps;
        std::vector<double> values;
        for (int step = 50; step <= 400; step += 50) {
            steps.push_back(step);
            values.push_back(1 + step / 1000.0);
        }
        history = logOf(steps, {}, values);
        for (int step = 100; step <= 1000; step += 100) {
            run.checkpoints.push_back(save(step, {}));
        }
    }
    void declare(std::string_view log, const char* field) {
        history.series[0].stepsKey = log;
        for (ScannedCheckpoint& each : run.checkpoints) {
            each.because[0].where.field = field;
        }
    }
};

TEST(RowDecision, ADeclaredCountIsEnoughForALogThatEndedEarly) {
    LogThatEndedEarly early;
    EXPECT_TRUE(scored(early.run, early.history).empty()) << "the log may count something else";
    EXPECT_TRUE(hasId(early.run.rowsAgainst, "beyond-end"));
    early.declare("global_step", "trainer_state.global_step");
    EXPECT_EQ(scored(early.run, early.history).size(), 4U);
    EXPECT_EQ(early.run.checkpoints[3].score, 1.4);
    EXPECT_TRUE(hasId(early.run.rowsBecause, "declared-step"));
    EXPECT_TRUE(hasId(early.run.rowsAgainst, "beyond-end")) << "said";
    for (const auto& [log, field] : {std::pair("step", "step"), std::pair("iter", "global_step"),
                                     std::pair("trainer/global_step", "global_step")}) {
        early.declare(log, field);
        EXPECT_TRUE(scored(early.run, early.history).empty()) << log << " " << field;
    }
    early.declare("global_step", "global_step");
    early.run.checkpoints[0].metrics = {{"val_loss", 7}};
    EXPECT_TRUE(scored(early.run, early.history).empty()) << "a value contradicts it";
}

TEST(RowDecision, ASingleRowOfADeclaredCountIsThatOfItsCheckpoint) {
    LogThatEndedEarly early;
    early.history = logOf({200}, {}, {0.5});
    EXPECT_TRUE(scored(early.run, early.history).empty());
    early.declare("global_step", "global_step");
    const auto scores = scored(early.run, early.history);
    ASSERT_EQ(scores.size(), 1U);
    EXPECT_EQ(early.run.checkpoints[1].score, 0.5);
}

TEST(RowDecision, EpochsShowThatALogEndedEarly) {
    for (const double perEpoch : {100.0, 40.0}) {
        for (const int ratio : {1, 2}) { // the log counts every or every second step
            LogThatEndedEarly early;
            for (double& step : early.history.series[0].steps.edit()) {
                early.history.series[0].epochs.push_back(step / perEpoch);
                step /= ratio;
            }
            for (ScannedCheckpoint& each : early.run.checkpoints) {
                each.epoch = static_cast<double>(*each.step) / perEpoch;
                each.because.push_back(inValues("epoch-in-values"));
            }
            const auto scores = scored(early.run, early.history);
            EXPECT_EQ(hasId(early.run.rowsBecause, "epochs-agree"), ratio == 1) << perEpoch;
            for (const ScannedCheckpoint& each : early.run.checkpoints) {
                const double truth =
                    *each.step <= 400 ? 1 + static_cast<double>(*each.step) / 1000 : -1;
                EXPECT_TRUE(!each.score || *each.score == truth) << each.name << " " << *each.score;
            }
            EXPECT_TRUE(ratio == 2 || scores.size() == 4U) << perEpoch;
        }
    }
}

TEST(RowDecision, OneBatchAnEpochIsPlacedByItsEpoch) {
    // Lightning: 4 epochs of a batch; the row of batch n has the step n - 1.
    RunHistory history = logOf({0, 1, 2, 3}, {0, 1, 2, 3}, {4, 3, 2, 1});
    ScannedRun run{"run", "run", "/run", {}};
    for (int epoch = 0; epoch < 4; ++epoch) {
        run.checkpoints.push_back(save(epoch + 1, epoch));
        run.checkpoints.back().batches = epoch + 1;
    }
    scored(run, history);
    for (int epoch = 0; epoch < 4; ++epoch) {
        EXPECT_EQ(run.checkpoints[static_cast<std::size_t>(epoch)].score, 4 - epoch) << epoch;
    }
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
}

TEST(RowDecision, ADenseLogFromZeroMayCountOneLess) {
    RunHistory history = logOf({0, 1, 2, 3, 4, 5}, {}, {6, 5, 4, 3, 2, 1});
    history.series[0].stepsKey = "step";
    ScannedRun run{"run", "run", "/run", {save(2, {}), save(4, {})}};
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.because[0].where.field = "global_step";
    }
    EXPECT_TRUE(scored(run, history).empty()) << "after 2 steps: row 1 or row 2";
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
    run.checkpoints[0].metrics = {{"val_loss", 4}};
    EXPECT_EQ(scored(run, history).size(), 2U) << "a value proves it";
    run.checkpoints[0].metrics.clear();
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.because[0].where.field = "state.step";
    }
    EXPECT_TRUE(scored(run, history).empty()) << "one name for two counts: i and i + 1 of a loop";
}

TEST(RowDecision, ALogFromZeroThatBecomesDenseMayCountOneLess) {
    // After 1, 7, 13 and 14 steps: the checkpoint of step 12 is before the row 12.
    RunHistory history = logOf({0, 6, 12, 13}, {}, {6, 5, 4, 3});
    ScannedRun run{"run", "run", "/run", {save(12, {})}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
    run.checkpoints[0].metrics = {{"val_loss", 4}};
    EXPECT_EQ(scored(run, history).size(), 1U) << "a value proves it";
    history = logOf({0, 1, 10, 20, 30}, {}, {6, 5, 4, 3, 2});
    run.checkpoints = {save(30, {})};
    EXPECT_EQ(scored(run, history).size(), 1U) << "the first step alone, then every tenth";
    history = logOf({0, 3, 7, 11, 15}, {}, {6, 5, 4, 3, 2});
    run.checkpoints = {save(11, {})};
    EXPECT_TRUE(scored(run, history).empty()) << "a row at 0, then after every fourth step";
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
    history = logOf({0, 4, 8, 12, 16}, {}, {6, 5, 4, 3, 2});
    run.checkpoints = {save(12, {})};
    EXPECT_EQ(scored(run, history).size(), 1U) << "every fourth step from 0";
    history = logOf({0, 4}, {}, {6, 5});
    run.checkpoints = {save(2, {}), save(4, {})};
    EXPECT_TRUE(scored(run, history).empty()) << "after 1 and 5 steps, or after 4";
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
    history = logOf({0, 100}, {}, {6, 5});
    run.checkpoints = {save(100, {})};
    EXPECT_EQ(scored(run, history).size(), 1U) << "not by chance";
    history = logOf({0, 500}, {}, {6, 5});
    run.checkpoints = {save(400, {}), save(500, {})};
    EXPECT_EQ(scored(run, history).at(run.checkpoints[1].name), 5)
        << "a checkpoint between the rows does not make it doubtful";
    history = logOf({0, 1000}, {}, {6, 5});
    run.checkpoints = {save(1000, {}), save(2000, {})};
    EXPECT_EQ(scored(run, history).at(run.checkpoints[0].name), 5);
}

/// Casts of another folder, with a copy of its log.
TEST(RowDecision, AFolderOfExportsAloneHasTheRowsOfItsNames) {
    const RunHistory history = logOf({100, 200, 300}, {}, {2, 1, 1.5});
    ScannedRun run{"run", "run", "/run", {save(100, {}), save(200, {}), save(300, {})}};
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.isExport = true;
        each.exportOf.value = "";
    }
    EXPECT_EQ(scored(run, history).size(), 3U);
    EXPECT_FALSE(run.bestIs);
    run.checkpoints.push_back(save(400, {}));
    scored(run, history);
    EXPECT_FALSE(run.checkpoints[0].score) << "the training saved one itself";
    run.checkpoints.pop_back();
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.metrics = {{"val_loss", static_cast<double>(*each.step)}};
    }
    EXPECT_EQ(scored(run, {}).size(), 3U) << "their own values, without a log";
}

TEST(RowDecision, RowsAfterEveryFourthStepMayCountOneLess) {
    RunHistory history = logOf({3, 7, 11, 15, 19, 23}, {}, {6, 5, 4, 3, 2, 1});
    ScannedRun run{"run", "run", "/run", {save(15, {}), save(20, {})}};
    EXPECT_TRUE(scored(run, history).empty()) << "step 15 is before row 15, which is of 16 steps";
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
    run.checkpoints = {save(15, {}), save(23, {})};
    EXPECT_TRUE(scored(run, history).empty()) << "two may be at such rows by chance";
    run.checkpoints = {save(11, {}), save(15, {}), save(23, {})};
    EXPECT_EQ(scored(run, history).size(), 3U) << "both count from 0";
    run.checkpoints = {save(16, {}), save(20, {})};
    EXPECT_EQ(scored(run, history).size(), 2U) << "the row before is right for both";
}

TEST(RowDecision, NumbersOfSavesAreNotSteps) {
    const RunHistory history = logOf({1, 2, 3, 4, 5, 6}, {}, {6, 5, 4, 3, 2, 1});
    const auto named = [&](std::vector<std::int64_t> numbers) {
        ScannedRun run{"run", "run", "/run", {}};
        for (const std::int64_t number : numbers) {
            run.checkpoints.push_back(save(number, {}));
            run.checkpoints.back().because = {{Strength::Named, "step-in-name", "in the name"}};
            run.checkpoints.back().named.step = number;
            run.checkpoints.back().named.mayCountSaves = true;
        }
        return run;
    };
    ScannedRun run = named({4, 5});
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "number-of-save"));
    run.checkpoints[0].metrics = {{"val_loss", 3}};
    EXPECT_EQ(scored(run, history).size(), 2U) << "a value proves it";
    RunHistory steps = history;
    for (double& step : steps.series[0].steps.edit()) {
        step *= 10;
    }
    ScannedRun tens = named({40, 50});
    EXPECT_EQ(scored(tens, steps).size(), 2U);
}

TEST(RowDecision, ExportsAreNoEvidenceAboutTheRun) {
    const RunHistory history = logOf({1, 2, 3, 4, 5, 6}, {}, {6, 5, 4, 3, 2, 1});
    ScannedRun run{"run", "run", "/run", {save(3, {}), save(1'000'000, {})}};
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.because = {{Strength::Named, "step-in-name", "in the name"}};
        each.named.step = each.step;
    }
    run.checkpoints[0].named.mayCountSaves = true;
    ScannedCheckpoint& exported = run.checkpoints[1];
    exported.isExport = true;
    exported.exportOf.value = run.checkpoints[0].name;
    exported.metrics = {{"val_loss", 4}};
    EXPECT_TRUE(scored(run, history).empty()) << "checkpoint_3 may be the third save";
    EXPECT_TRUE(hasId(run.rowsAgainst, "number-of-save"));
    RunHistory epochs = logOf({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1});
    run.checkpoints = {save(5, {}), save({}, 99)};
    run.checkpoints[1].exportOf.value = run.checkpoints[0].name;
    EXPECT_EQ(scored(run, epochs).size(), 1U) << "the export is beyond the log";
}

TEST(RowDecision, RowsThatWereLoggedAgainMayBeOfOtherWeights) {
    // 10 to 40, resumed from 10 to 25: row 20 is of the second attempt, step-25 and step-35 of the
    // first.
    RunHistory history = logOf({10, 20, 30, 40, 10.5, 20}, {}, {4, 3, 2, 1, 4, 9});
    joinSeries(history, "/run");
    ScannedRun run{"run", "run", "/run", {save(25, {}), save(35, {})}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "logged-again"));
    run.checkpoints[0].metrics = {{"val_loss", 9}};
    EXPECT_EQ(scored(run, history).size(), 2U) << "it holds the value of the row";
    run.checkpoints[0].metrics.clear();
    history.series[0].replaced.values.edit()[0] = 9;
    EXPECT_EQ(scored(run, history).size(), 2U) << "the same value twice";
}

TEST(RowDecision, TooManyAttemptsAreUndecided) {
    RunHistory history = logOf({}, {}, {});
    MetricSeries& series = history.series[0];
    constexpr std::uint32_t kAttempts = 60'000;
    for (std::uint32_t i = 0; i < kAttempts; ++i) {
        series.steps.push_back(10 * (i + 1));
        series.values.push_back(1);
        series.attempts.push_back(i);
    }
    ScannedRun run{"run", "run", "/run", {save(300'000, {}), save(600'000, {})}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "many-attempts"));
    for (std::uint32_t i = 0; i < kAttempts; ++i) {
        series.attempts.edit()[i] = 0;
    }
    EXPECT_EQ(scored(run, history).size(), 2U);
}

TEST(RowDecision, CopiesOfARowAreOneRow) {
    // Step 9 three times in the first attempt: not rows of every tenth step.
    RunHistory history = logOf({9, 9, 9, 20, 40, 60}, {}, {1, 1, 1, 2, 3, 4});
    history.series[0].attempts = {0, 0, 0, 1, 1, 1};
    ScannedRun run{"run", "run", "/run", {save(40, {}), save(60, {})}};
    scored(run, history);
    EXPECT_FALSE(hasId(run.rowsAgainst, "counted-from-0"));
}

TEST(RowDecision, ACheckpointThatHoldsAnotherValueGetsNone) {
    const RunHistory history = logOf({10, 20, 30, 40}, {}, {4, 3, 2, 1});
    ScannedRun run{"run", "run", "/run", {save(10, {}), save(20, {}), save(30, {}), save(40, {})}};
    run.checkpoints[0].metrics = {{"val_loss", 4}};
    run.checkpoints[1].metrics = {{"val_loss", 3}};
    run.checkpoints[2].metrics = {{"val_loss", 3.5}};
    const auto scores = scored(run, history);
    EXPECT_EQ(scores.size(), 3U);
    EXPECT_FALSE(run.checkpoints[2].score);
    EXPECT_TRUE(hasId(run.rowsAgainst, "value-differs"));
}

TEST(RowDecision, TheLastStepOfTheLogIsNamed) {
    const RunHistory history = logOf({1, 2, 2500.5}, {}, {4, 3, 2});
    ScannedRun run{"run", "run", "/run", {save(2, {})}};
    scored(run, history);
    const auto at =
        std::ranges::find(run.rowsAgainst, std::string_view("log-goes-on"), &Evidence::id);
    ASSERT_NE(at, run.rowsAgainst.end());
    EXPECT_NE(at->says.text().find("step 2500.5,"), std::string::npos) << at->says.text();
}

/// 50 steps, resumed from 10 and trained to 50.
struct Resumed {
    RunHistory history = logOf({10}, {}, {4});
    ScannedRun run{"run", "run", "/run", {}};
    /// The steps of the attempts before, and of the last one.
    explicit Resumed(const std::vector<std::int64_t>& steps,
                     const std::vector<std::vector<double>>& before = {{20}},
                     std::vector<double> last = {20, 30, 40, 50}) {
        MetricSeries& series = history.series[0];
        const auto add = [&](const std::vector<double>& rows) {
            for (const double step : rows) {
                series.steps.push_back(step);
                series.values.push_back(++value);
            }
        };
        for (const std::vector<double>& rows : before) {
            add(rows);
        }
        add(last);
        joinSeries(history, "/run");
        for (const std::int64_t step : steps) {
            run.checkpoints.push_back(save(step, {}));
            run.checkpoints.back().modifiedNs = step;
        }
    }
    double value = 4;
    std::size_t decided() {
        ScannedRun copy = run;
        const std::size_t count = scored(copy, history).size();
        EXPECT_EQ(count == 0, hasId(copy.rowsAgainst, "logged-again"));
        return count;
    }
};

TEST(RowDecision, AnAttemptOfKnownIntervalSavedItsStepsAgain) {
    EXPECT_EQ(Resumed({10, 20, 30, 40, 50}).decided(), 5U);
    EXPECT_EQ(Resumed({20, 30, 40}).decided(), 3U) << "two beyond the rows that were logged again";
    EXPECT_EQ(Resumed({20, 40}).decided(), 0U) << "one save shows no interval";
    EXPECT_EQ(Resumed({10, 20, 30, 50}).decided(), 0U) << "the step 20 may be of another interval";
    EXPECT_EQ(Resumed({20, 30, 40, 50}, {{20, 30, 40}}).decided(), 0U) << "one beyond these rows";
    EXPECT_EQ(Resumed({10, 30, 50}).decided(), 3U) << "none of these rows";

    Resumed older({10, 20, 30, 40, 50});
    std::swap(older.run.checkpoints[1].modifiedNs, older.run.checkpoints[2].modifiedNs);
    EXPECT_EQ(older.decided(), 0U) << "step 20 was saved after step 30";
    Resumed twice({10, 20, 20, 30, 40, 50});
    EXPECT_EQ(twice.decided(), 0U) << "one of the two may be older";
    Resumed ended({10, 20, 30, 40, 50}, {{20, 30, 40, 50}}, {20});
    EXPECT_EQ(ended.decided(), 0U) << "the resumed attempt ended before it saved alone";
    Resumed third({10, 20, 30, 40, 50}, {{20, 30, 40, 50}, {20, 30}}, {25, 40, 50});
    EXPECT_EQ(third.decided(), 0U) << "so did the second of three attempts";
    Resumed wider({10, 20, 30, 120}, {{20, 30, 40, 50}}, {40, 80, 120});
    EXPECT_EQ(wider.decided(), 0U) << "the last attempt may have begun before step 10";
    Resumed alternating({40, 66}, {{20, 30, 40, 50}}, {26, 46, 66});
    EXPECT_EQ(alternating.decided(), 0U) << "the last attempt passed step 40, too";
}

TEST(RowDecision, WhereTheNextRowIsDueACheckpointAtARowConfirmsTheCount) {
    const RunHistory history = logOf({1, 2, 3, 4}, {}, {4, 3, 2, 1});
    ScannedRun run{"run", "run", "/run", {save(5, {})}};
    EXPECT_TRUE(scored(run, history).empty()) << "the row 5 may be missing, or the rows are epochs";
    EXPECT_TRUE(hasId(run.rowsAgainst, "beyond-end"));
    run.checkpoints = {save(1, {}), save(3, {}), save(5, {})};
    EXPECT_EQ(scored(run, history).size(), 3U);
}

/// Evaluated after 25, 50 and 75 steps, and the log counts evaluations.
TEST(RowDecision, CheckpointsWithinEpochsAreNotThoseOfTheRows) {
    const RunHistory history = logOf({0, 1, 2}, {}, {1.5, 1.4, 2.1});
    ScannedRun run{"run", "run", "/run", {save(10, 1), save(40, 2), save(70, 3)}};
    EXPECT_TRUE(scored(run, history).empty());
    run.checkpoints = {save(25, 1), save(50, 2), save(75, 3)};
    EXPECT_EQ(scored(run, history).size(), 3U) << "each epoch has its row";
}

/// A log that counts its rows, of which one is missing, has the same value in two of them.
TEST(RowDecision, EqualRowsOfALogFromZeroMayBeOfOtherSteps) {
    const RunHistory history = logOf({0, 1, 2, 3, 4}, {}, {5, 4, 3, 1, 1});
    ScannedRun run{"run", "run", "/run", {save(4, {})}};
    EXPECT_TRUE(scored(run, history).empty());
    EXPECT_TRUE(hasId(run.rowsAgainst, "counted-from-0"));
}

/// Of 50 steps, saved every 10; only the numbers of the names are known.
TEST(RowDecision, ALogThatGoesOnMayCountSomethingElse) {
    const RunHistory history = logOf({2, 10, 20, 30, 40, 50}, {}, {6, 5, 4, 3, 2, 1});
    const auto named = [&](std::vector<std::int64_t> numbers, bool counts) {
        ScannedRun run{"run", "run", "/run", {}};
        for (const std::int64_t number : numbers) {
            run.checkpoints.push_back(save(number, {}));
            run.checkpoints.back().because = {{Strength::Named, "step-in-name", "in the name"}};
            run.checkpoints.back().named.step = number;
            run.checkpoints.back().named.mayCountSaves = counts;
        }
        return run;
    };
    ScannedRun saves = named({2}, true); // "checkpoint_2": the second one, or of step 2?
    EXPECT_TRUE(scored(saves, history).empty());
    EXPECT_TRUE(hasId(saves.rowsAgainst, "log-goes-on"));
    ScannedRun steps = named({2}, false); // "step_2"
    EXPECT_TRUE(scored(steps, history).empty());
    ScannedRun near = named({20, 40}, true); // "checkpoint-40"
    EXPECT_EQ(scored(near, history).size(), 2U);

    RunHistory iterations = history; // two a step
    iterations.series[0].stepsKey = "iter";
    ScannedRun accumulated = named({20, 40}, false);
    EXPECT_TRUE(scored(accumulated, iterations).empty());
    EXPECT_TRUE(hasId(accumulated.rowsAgainst, "other-word"));
    ScannedRun same = named({20, 40}, false);
    for (ScannedCheckpoint& each : same.checkpoints) {
        each.name = "iter_" + std::to_string(*each.step) + ".pth";
    }
    EXPECT_EQ(scored(same, iterations).size(), 2U);
    ScannedRun recorded = named({20, 40}, false);
    for (ScannedCheckpoint& each : recorded.checkpoints) {
        each.because = {inValues("step-in-values")};
        each.because[0].where.field = "iter_num";
    }
    EXPECT_EQ(scored(recorded, iterations).size(), 2U);
}

TEST(RowDecision, StepsBeyondThoseOfADoubleMatchTheirOwnRows) {
    const std::int64_t large = std::int64_t{1} << 53;
    const auto rounded = static_cast<double>(large);
    RunHistory history = logOf({rounded - 2, rounded, rounded}, {}, {0.5, 0.25, 0.125});
    history.series[0].stepRests = {0, 0, 1};
    ScannedRun run{"run", "run", "/run", {save(large + 1, {}), save(large, {})}};
    ASSERT_EQ(scored(run, history).size(), 2U);
    EXPECT_EQ(run.checkpoints[0].score, 0.25); // in the order of their steps
    EXPECT_EQ(run.checkpoints[1].score, 0.125);
    EXPECT_EQ(run.checkpoints[1].scoreFrom->step, Number(large + 1));
}

TEST(RowDecision, ALogFromOneAndCheckpointsFromZero) {
    // Ultralytics after training: row 12 is epoch 11.
    std::vector<double> epochs;
    std::vector<double> values;
    for (int row = 1; row <= 20; ++row) {
        epochs.push_back(row);
        values.push_back(2 - 0.05 * row);
    }
    RunHistory history = logOf(epochs, epochs, values);
    history.series[0].stepsFrom = StepsFrom::Epoch;
    ScannedRun run{"run", "run", "/run", {save({}, 11), save({}, 19)}};
    run.checkpoints[1].name = "last";
    EXPECT_TRUE(scored(run, history).empty());
    run.checkpoints[0].metrics = {{"val_loss", values[11]}};
    EXPECT_EQ(scored(run, history).at("last"), values[19]);
}

TEST(RowDecision, NamesHaveNoInfluenceOnWhatIsRecorded) {
    std::mt19937 random(7);
    TwoOptimizers gan;
    const auto before = scored(gan.run, gan.history);
    std::vector<double> values;
    for (const ScannedCheckpoint& each : gan.run.checkpoints) {
        values.push_back(each.score.value_or(-1));
    }
    for (int round = 0; round < 50; ++round) {
        for (ScannedCheckpoint& each : gan.run.checkpoints) {
            each.name = "step_" + std::to_string(random() % 1000) + "-" +
                        std::to_string(random() % 100) + ".pt";
        }
        settleRun(gan.run, gan.history);
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(gan.run.checkpoints[i].score.value_or(-1), values[i]);
        }
    }
}

/// A random training whose truth is known: `done` batches at each row and each save.
struct Training {
    struct Row {
        double done;
        double value;
    };
    std::vector<Row> rows;
    std::map<std::string, double> doneOf;
    ScannedRun run{"run", "run", "/run", {}};
    RunHistory history;

    /// The value of the last row before the save.
    [[nodiscard]] double truth(const std::string& name) const {
        double value = std::nan("");
        for (const Row& row : rows) {
            value = row.done <= doneOf.at(name) ? row.value : value;
        }
        return value;
    }
};

Training randomTraining(std::mt19937& random) {
    const auto pick = [&](int count) {
        return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    Training training;
    const int perEpoch = 5 + pick(100);
    const int epochs = 4 + pick(16);
    const int fromCheckpoint = pick(2);
    const int fromLog = pick(2);
    const int optimizers = 1 + pick(2);
    const int axis = pick(6); // of the log: see below
    const bool hasEpochColumn = pick(2) == 0;
    const int rowsPerEpoch = pick(3) == 0 ? 1 + pick(4) : 1;
    const int firstRow = pick(4) == 0 ? pick(epochs) : 0; // the log was begun anew by a restart
    std::vector<double> steps;
    std::vector<double> epochColumn;
    std::vector<double> values;
    for (int epoch = firstRow; epoch < epochs; ++epoch) {
        for (int part = 1; part <= rowsPerEpoch; ++part) {
            const double done = epoch * perEpoch + std::floor(perEpoch * part / rowsPerEpoch);
            const double value = 1 + std::abs(done - 0.6 * epochs * perEpoch) / 100 + done * 1e-4;
            training.rows.push_back({done, value});
            values.push_back(value);
            epochColumn.push_back(epoch + fromLog);
            steps.push_back(axis == 0   ? done            // steps
                            : axis == 1 ? done - 1        // steps from 0
                            : axis == 5 ? epoch + fromLog // epochs in place of steps
                                        : static_cast<double>(steps.size())); // calls, rows
        }
    }
    // Saved before its row was logged, or the log ended early.
    for (int cut = pick(4) == 0 ? 1 + pick(2) : 0; cut > 0 && values.size() > 2; --cut) {
        training.rows.pop_back();
        values.pop_back();
        epochColumn.pop_back();
        steps.pop_back();
    }
    const bool byEpoch = axis == 4;
    training.history =
        logOf(byEpoch ? epochColumn : steps,
              byEpoch || hasEpochColumn ? epochColumn : std::vector<double>(), values);
    MetricSeries& series = training.history.series[0];
    series.stepsFrom = axis == 3 ? StepsFrom::Count
                       : byEpoch ? StepsFrom::Epoch
                                 : StepsFrom::Source;
    series.stepsStrength = axis == 2 ? Strength::Named : Strength::Recorded;

    const bool hasSameKey = axis == 0 && pick(2) == 0;
    series.stepsKey = "step";

    const int records = pick(4);   // 0: step and epoch, 1: step, 2: epoch, 3: epoch in the name
    const int retention = pick(4); // all, newest, best and last, every third
    const int held = pick(4);      // one in four runs holds its metric
    const int newest = 1 + pick(3);
    const bool hasBatches = optimizers == 2 && pick(2) == 0;
    const int offset = pick(8) == 0 ? 1000 : 0; // fine-tuned from another run's step
    for (int epoch = 0; epoch < epochs; ++epoch) {
        const bool last = epoch == epochs - 1;
        const bool kept = last || retention == 0 || (retention == 1 && epoch >= epochs - newest) ||
                          (retention == 2 && epoch == epochs * 6 / 10) ||
                          (retention == 3 && epoch % 3 == 0);
        if (!kept) {
            continue;
        }
        const double done = (epoch + 1) * perEpoch;
        const auto step = static_cast<std::int64_t>(done) * optimizers + offset;
        ScannedCheckpoint each =
            save(records < 2 ? std::optional(step) : std::nullopt,
                 records != 1 ? std::optional<double>(epoch + fromCheckpoint) : std::nullopt);
        each.name = "save-" + std::string(1, static_cast<char>('a' + epoch));
        each.path = "/run/" + each.name;
        if (records == 3) {
            each.name = "epoch_" + std::to_string(epoch + fromCheckpoint);
            each.because = {{Strength::Named, "epoch-in-name", "in the name"}};
        }
        if (hasBatches) {
            each.batches = static_cast<std::int64_t>(done);
        }
        each.updates = static_cast<std::int64_t>(random() % 1000);
        if (records < 2) {
            each.because[0].where.field = hasSameKey ? "state.step" : "global_step";
        }
        training.doneOf[each.name] = done;
        if (held == 0 && std::isfinite(training.truth(each.name))) {
            each.metrics = {{"val_loss", training.truth(each.name)}};
        }
        training.run.checkpoints.push_back(std::move(each));
    }
    if (offset > 0 && (axis < 2)) {
        for (double& step : series.steps.edit()) {
            step += hasBatches ? 0 : offset;
        }
    }
    return training;
}

TEST(RowDecision, Neighbours) {
    std::mt19937 random(20261128);
    int wrong = 0;
    int right = 0;
    int undecided = 0;
    for (int round = 0; round < 2000; ++round) {
        Training training = randomTraining(random);
        const auto scores = scored(training.run, training.history);
        for (const auto& [name, done] : training.doneOf) {
            const auto at = scores.find(name);
            const double truth = training.truth(name);
            if (at == scores.end()) {
                ++undecided;
            } else if (at->second == truth) {
                ++right;
            } else {
                ++wrong;
                if (wrong <= 10) {
                    const MetricSeries& series = training.history.series[0];
                    std::cout << "round " << round << " " << name << " done " << done << " got "
                              << at->second << " truth " << truth << " rows " << series.size()
                              << " from " << series.steps.front() << " to " << series.steps.back()
                              << " unit " << stepsFromName(series.stepsFrom) << " epochs "
                              << !series.epochs.empty() << " saves "
                              << training.run.checkpoints.size() << " by "
                              << (training.run.rowsBecause.empty()
                                      ? "values"
                                      : training.run.rowsBecause.front().id)
                              << "\n";
                    for (const auto& each : training.run.checkpoints) {
                        std::cout << "  " << each.name << " step " << each.step.value_or(-1)
                                  << " epoch " << each.epoch.value_or(-1) << "\n";
                    }
                }
            }
        }
    }
    std::cout << "rows: " << right << " right, " << wrong << " wrong, " << undecided
              << " undecided\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(right, undecided / 3);
}

} // namespace
} // namespace cairn
