// SPDX-License-Identifier: Apache-2.0
// Which checkpoint of a run is the best, by which metric, and who says so; and the table of runs
// that remembers it.
#include "core/runs/facts/index_bytes.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/table/run_table.h"
#include "core/runs/table/run_table_bytes.h"
#include "tests/core/runs/run_folder.h"
#include "tests/core/runs/series.h"
#include "tests/support/judged_run.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>
#include <string>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findRun;
using test::kNan;
using test::series;
using test::smallSafetensors;
using test::TemporaryFolder;

const double kInf = std::numeric_limits<double>::infinity();

ScannedRun runOf(std::initializer_list<std::int64_t> steps) {
    ScannedRun run{"run", "run", "/runs/run", {}};
    for (const std::int64_t step : steps) {
        ScannedCheckpoint each;
        each.name = "step-" + std::to_string(step);
        each.path = run.path / each.name;
        each.step = step;
        run.checkpoints.push_back(std::move(each));
    }
    return run;
}

RunHistory historyOf(std::initializer_list<MetricSeries> all) {
    RunHistory history;
    history.sources.push_back({"csv", "/runs/run/metrics.csv", 0, {}});
    history.series = all;
    return history;
}

/// The name of the best checkpoint; "none", or "several".
std::string judged(ScannedRun& run, const RunHistory& history) {
    settleRun(run, history);
    std::string best = "none";
    for (const ScannedCheckpoint& each : run.checkpoints) {
        best = !each.best ? best : best == "none" ? each.name : "several";
    }
    return best;
}

TEST(Scores, LowerOrLargerIsBetterByWhatTheMetricIs) {
    ScannedRun run = runOf({1, 2, 3});
    EXPECT_EQ(judged(run, historyOf({series("val_loss", {1, 2, 3}, {3, 1, 2})})), "step-2");
    EXPECT_FALSE(run.largerIsBetter());
    EXPECT_EQ(run.bestValue, 1);
    EXPECT_EQ(run.bestSource, "/runs/run/metrics.csv");
    EXPECT_EQ(judged(run, historyOf({series("val_acc", {1, 2, 3}, {3, 1, 2})})), "step-1");
    EXPECT_TRUE(run.largerIsBetter());
    EXPECT_EQ(run.bestMetric, "val_acc");
    EXPECT_EQ(judged(run, historyOf({series("eval/perplexity", {1, 2, 3}, {9, 8, 7})})), "step-3");
}

TEST(Scores, NonFiniteValuesNeverWinAndTiesGoToTheFirst) {
    ScannedRun run = runOf({1, 2, 3, 4, 5});
    const std::vector<double> steps{1, 2, 3, 4, 5};
    EXPECT_EQ(judged(run, historyOf({series("loss", steps, {kNan, 2, -kInf, 2, 3})})), "step-2");
    EXPECT_EQ(judged(run, historyOf({series("accuracy", steps, {kInf, kNan, 2, 1, 2})})), "step-3");
    EXPECT_EQ(judged(run, historyOf({series("loss", steps, {kNan, kNan, kInf, kNan, kNan})})),
              "none");
    EXPECT_FALSE(run.bestIs);
    EXPECT_EQ(judged(run, historyOf({series("loss", steps, {2, 2, 2, 2, 2})})), "step-1");
}

TEST(Scores, HeldOutMetricsCountBeforeThoseOfTraining) {
    ScannedRun run = runOf({1, 2});
    const auto history =
        historyOf({series("loss", {1, 2}, {1, 2}), series("best_val_loss", {1, 2}, {0, 0}),
                   series("learning_rate", {1, 2}, {0, 1}), series("val/f1", {1, 2}, {0.1, 0.2})});
    EXPECT_EQ(judged(run, history), "step-2");
    EXPECT_EQ(run.bestMetric, "val/f1");
}

TEST(Scores, TheMetricOfTheTrainersRecordCountsFirst) {
    ScannedRun run = runOf({1, 2, 3});
    run.checkpoints[2].record = BestRecord{"step-3", "eval_accuracy", 0.9};
    const auto history = historyOf({series("eval/accuracy", {1, 2, 3}, {0.1, 0.8, 0.9}),
                                    series("eval_loss", {1, 2, 3}, {0.1, 0.2, 0.3})});
    EXPECT_EQ(judged(run, history), "step-3");
    EXPECT_TRUE(run.bestIs.isBy(kBestInRecord));
    EXPECT_EQ(run.bestSource, "/runs/run/step-3");
    EXPECT_EQ(run.scoreMetric(), "eval/accuracy");
    run.checkpoints[2].record->name = "step-deleted";
    EXPECT_EQ(judged(run, history), "step-3") << "by the same metric, of those that are left";
    EXPECT_TRUE(run.bestIs.isBy(kBestByScore));
    EXPECT_EQ(run.bestMetric, "eval/accuracy");
}

TEST(Scores, ValuesInTheCheckpointsThenNamesWhereNoCurveTells) {
    ScannedRun run = runOf({1, 2, 3});
    run.checkpoints[0].metrics = {{"val_loss", 0.5}};
    run.checkpoints[1].metrics = {{"best_acc", 0.9}, {"val_loss", 0.4}};
    run.checkpoints[2].metrics = {{"val_loss", kNan}};
    const RunHistory nothing;
    EXPECT_EQ(judged(run, nothing), "step-2");
    EXPECT_TRUE(run.bestIs.isBy(kBestByScore));
    EXPECT_EQ(run.bestMetric, "val_loss");
    EXPECT_TRUE(run.bestSource.empty());
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.metrics.clear();
    }
    EXPECT_EQ(judged(run, nothing), "none");
    run.checkpoints[0].name = "best";
    EXPECT_EQ(judged(run, nothing), "best");
    EXPECT_TRUE(run.bestIs.isBy(kBestInName));
    EXPECT_EQ(run.bestSource, "/runs/run/step-1");
}

TEST(Scores, ACheckpointFarFromAnyPointHasNone) {
    ScannedRun run = runOf({100, 200, 300});
    EXPECT_EQ(judged(run, historyOf({series("loss", {90, 210}, {2, 1})})), "step-300");
    EXPECT_FALSE(run.checkpoints[1].score) << "the last point lies an interval before it";
    EXPECT_EQ(run.checkpoints[2].score, 1);
}

/// Two runs with a curve each.
void writeRuns(const TemporaryFolder& folder) {
    for (const char* name : {"a", "b"}) {
        const std::string run = std::string("runs/") + name;
        folder.write(run + "/step-1.safetensors", smallSafetensors());
        folder.write(run + "/step-2.safetensors", smallSafetensors());
        folder.write(run + "/metrics.csv", "step,val_loss\n1,0.5\n2,0.25\n");
    }
}

RunTable tableOf(const fs::path& path, const IndexCache& cache, Experiment& experiment) {
    experiment = *scanExperiment(path);
    auto table = readRunTable(experiment, cache);
    EXPECT_TRUE(table);
    return table ? *table : RunTable();
}

TEST(RunTable, ASecondReadingComesFromTheCache) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    writeRuns(folder);
    const IndexCache cache(home.path());
    Experiment experiment;
    const RunTable first = tableOf(folder.path() / "runs", cache, experiment);
    EXPECT_EQ(first.fromCache, 0U);
    const RunTable second = tableOf(folder.path() / "runs", cache, experiment);
    EXPECT_EQ(second.fromCache, 2U);
    ASSERT_EQ(second.rows.size(), 2U);
    const ScannedRun* a = findRun(experiment, "a");
    EXPECT_EQ(a->bestMetric, "val_loss");
    EXPECT_EQ(a->bestValue, 0.25);
    EXPECT_EQ(a->bestSource, folder.path() / "runs/a/metrics.csv");
    // Through another path: results have the paths that were requested.
    fs::create_directory_symlink(folder.path() / "runs", home.path() / "alias");
    const RunTable alias = tableOf(home.path() / "alias", cache, experiment);
    EXPECT_EQ(alias.fromCache, 2U);
    EXPECT_EQ(alias.rows.at(0).sources.at(0).path, home.path() / "alias/a/metrics.csv");
    EXPECT_EQ(experiment.runs.at(0).bestSource, home.path() / "alias/a/metrics.csv");
}

TEST(RunTable, OnlyTheRunThatChangedIsReadAgain) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    writeRuns(folder);
    const IndexCache cache(home.path());
    Experiment experiment;
    tableOf(folder.path() / "runs", cache, experiment);
    folder.write("runs/b/metrics.csv", "step,val_loss\n1,0.125\n2,0.25\n");
    const RunTable again = tableOf(folder.path() / "runs", cache, experiment);
    EXPECT_EQ(again.fromCache, 1U);
    EXPECT_EQ(findRun(experiment, "b")->bestValue, 0.125);
    EXPECT_TRUE(findRun(experiment, "b")->checkpoints.at(0).best);
    fs::remove_all(folder.path() / "runs/a");
    EXPECT_EQ(tableOf(folder.path() / "runs", cache, experiment).rows.size(), 1U);
    EXPECT_EQ(tableOf(folder.path() / "runs", cache, experiment).fromCache, 1U);
}

TEST(RunTable, AShelfOfNonsenseIsIgnored) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    writeRuns(folder);
    const IndexCache cache(home.path());
    Experiment experiment;
    tableOf(folder.path() / "runs", cache, experiment);
    const std::string entry = cacheEntryOf(experiment);
    const auto good = cache.read(entry);
    ASSERT_TRUE(good);
    // Under sanitizers one value for each byte: each reads the whole table.
    const bool few = std::getenv("CAIRN_SANITIZED") != nullptr;
    for (std::size_t at = 0; at < good->size(); ++at) {
        constexpr std::array<std::byte, 3> kValues{std::byte{0x00}, std::byte{0x01},
                                                   std::byte{0xff}};
        for (std::size_t i = few ? at % 3 : 0; i < kValues.size(); i += few ? 3 : 1) {
            std::vector<std::byte> hostile = *good;
            hostile[at] = kValues[i];
            ASSERT_TRUE(cache.write(entry, hostile));
            const RunTable table = tableOf(folder.path() / "runs", cache, experiment);
            ASSERT_EQ(table.rows.size(), 2U);
            for (const RunRow& row : table.rows) {
                ASSERT_NE(row.names, nullptr);
                ASSERT_EQ(row.names->size(), row.cells.size());
                for (const RunSource& source : row.sources) {
                    for (const std::uint32_t metric : source.metrics) {
                        ASSERT_LT(metric, row.names->size());
                    }
                }
            }
        }
    }
}

std::string bestOf(ScannedRun run) {
    settleRun(run);
    return run.bestIs.value.value_or(run.bestIs.against.empty() ? "none" : "undecided");
}

ScannedRun namedRun(std::initializer_list<const char*> names) {
    ScannedRun run = runOf({});
    for (const char* name : names) {
        ScannedCheckpoint each;
        each.name = name;
        each.path = run.path / name;
        run.checkpoints.push_back(std::move(each));
    }
    return run;
}

TEST(Best, TheTrainersOwnNameComesBeforeALoss) {
    ScannedRun run = namedRun({"best.pt", "last.pt"});
    test::judgeBy(run, "val/box_loss");
    run.checkpoints[0].score = 1.5;
    run.checkpoints[1].score = 1.15;
    EXPECT_EQ(bestOf(run), "best.pt");
    run.checkpoints[0].name = "first.pt";
    EXPECT_EQ(bestOf(run), "last.pt");
}

TEST(Best, OneOfSeveralNames) {
    EXPECT_EQ(bestOf(namedRun({"best_loss_0.045.pt", "best_loss_0.123.pt"})), "best_loss_0.045.pt");
    EXPECT_EQ(bestOf(namedRun({"best_acc_0.8.pt", "best_acc_0.9.pt", "x.pt"})), "best_acc_0.9.pt");
    EXPECT_EQ(bestOf(namedRun({"valid.acc.best.pth", "valid.acc.ave_10best.pth"})),
              "valid.acc.best.pth");
    EXPECT_EQ(bestOf(namedRun({"best_acc.pt", "best_loss.pt"})), "undecided")
        << "each is the best by a metric of its own";
}

TEST(Best, AnIncompleteCheckpointNeverIs) {
    for (const auto state :
         {CheckpointState::Incomplete, CheckpointState::Damaged, CheckpointState::BeingWritten}) {
        ScannedRun run = runOf({1, 2, 3});
        test::judgeBy(run, "loss");
        for (ScannedCheckpoint& each : run.checkpoints) {
            each.score = 10.0 - static_cast<double>(*each.step);
        }
        run.checkpoints[2].state = state;
        EXPECT_EQ(bestOf(run), "step-2");
        run.checkpoints[0].record = BestRecord{"step-3", "loss", 7.0};
        EXPECT_EQ(bestOf(run), "step-2");
        run.checkpoints[2].name = "best";
        EXPECT_EQ(bestOf(run), "step-2");
    }
}

/// Random runs against what the generator knows: the trainer's choice if it can be seen, else the
/// lowest score of the complete checkpoints.
TEST(Best, RandomRunsAgreeWithWhatTheirTrainersKnew) {
    std::mt19937 random(7);
    const auto roll = [&](unsigned sides) { return static_cast<std::size_t>(random() % sides); };
    for (int round = 0; round < 1000; ++round) {
        ScannedRun run = runOf({});
        test::judgeBy(run, "loss");
        const std::size_t count = 2 + roll(6);
        for (std::size_t i = 0; i < count; ++i) {
            ScannedCheckpoint each;
            each.name = "s" + std::to_string(random()) + "-" + std::to_string(i);
            each.path = run.path / each.name;
            each.step = static_cast<std::int64_t>(i);
            each.state = roll(4) == 0 ? CheckpointState::Incomplete : CheckpointState::Complete;
            if (roll(5) != 0) {
                each.score = static_cast<double>(roll(4));
            }
            run.checkpoints.push_back(std::move(each));
        }
        const std::size_t chosen = roll(static_cast<unsigned>(count));
        const std::size_t how = roll(3); // by a record, by a link, not at all
        if (how == 0) {
            run.checkpoints.back().record = BestRecord{run.checkpoints[chosen].name, "", {}};
        } else if (how == 1) {
            ScannedCheckpoint link;
            link.name = "best";
            link.path = run.path / link.name;
            link.linkTo = run.checkpoints[chosen].name;
            run.checkpoints.push_back(link);
        }
        std::string expected = "none";
        std::optional<double> lowest;
        for (std::size_t i = 0; i < count; ++i) {
            const ScannedCheckpoint& each = run.checkpoints[i];
            const bool usable = each.state == CheckpointState::Complete && each.score;
            if (usable && (!lowest || *each.score < *lowest)) {
                lowest = each.score;
                expected = each.name;
            }
        }
        if (how < 2 && run.checkpoints[chosen].state == CheckpointState::Complete) {
            expected = run.checkpoints[chosen].name;
        }
        EXPECT_EQ(bestOf(run), expected) << round;
    }
}

TEST(Best, TheDirectionIsRecordedOrAssumed) {
    ScannedRun run = runOf({1, 2});
    RunHistory history = historyOf({series("val_loss", {1, 2}, {2, 1})});
    settleRun(run, history);
    EXPECT_TRUE(run.direction.isBy("direction-in-name"));
    EXPECT_FALSE(run.bestIs.isAtLeast(Strength::Recorded));
    history.goals = {{"val_loss", names::Direction::Larger, true, "/runs/run/wandb"}};
    settleRun(run, history);
    EXPECT_TRUE(run.direction.isBy("direction-recorded"));
    EXPECT_TRUE(run.checkpoints[0].best);
    const RunScores scores = scoresOf(run);
    settleRun(run, scores);
    EXPECT_TRUE(run.direction.isBy("direction-recorded")) << "also from the cache";
}

/// A run whose only checkpoint has this score.
ScannedRun scored(const std::string& metric, double score, bool largerIsBetter = false) {
    ScannedRun run = runOf({100});
    test::judgeBy(run, metric,
                  largerIsBetter ? names::Direction::Larger : names::Direction::Smaller);
    run.checkpoints[0].score = score;
    run.checkpoints[0].best = true;
    return run;
}

TEST(RankedRuns, OnlyScoresOfOneMetricAreRanked) {
    Experiment experiment;
    experiment.runs = {scored("accuracy", 0.1, true), scored("eval_loss", 0.9),
                       scored("eval_loss", kNan),     scored("eval_loss", 0.8),
                       scored("eval_loss", 2, true),  runOf({1}),
                       scored("accuracy", 0.2, true), scored("eval_loss", 0.8)};
    const std::vector<std::uint32_t> all{7, 6, 5, 4, 3, 2, 1, 0};
    RankedRuns order = rankRuns(experiment, all);
    EXPECT_EQ(order.metric, "eval_loss");
    EXPECT_EQ(order.ranked, 3U);
    EXPECT_EQ(order.runs, (std::vector<std::uint32_t>{7, 3, 1, 6, 5, 4, 2, 0})); // a tie: as given

    order = rankRuns(experiment, std::vector<std::uint32_t>{0, 5, 6}); // larger is better
    EXPECT_EQ(order.metric, "accuracy");
    EXPECT_EQ(order.runs, (std::vector<std::uint32_t>{6, 0, 5}));

    order = rankRuns(experiment, std::vector<std::uint32_t>{5, 2});
    EXPECT_EQ(order.metric, "");
    EXPECT_EQ(order.ranked, 0U);
    EXPECT_EQ(order.runs, (std::vector<std::uint32_t>{5, 2}));
    EXPECT_TRUE(rankRuns(experiment, {}).runs.empty());
}

} // namespace
} // namespace cairn
