// SPDX-License-Identifier: Apache-2.0
// One curve of a training from all its files; see core/runs/history/join_series.h.
#include "core/runs/history/join_series.h"
#include "tests/core/history/history_fixture.h"

#include <chrono>
#include <limits>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
using Places = std::vector<std::size_t>;
using Attempts = std::vector<std::uint32_t>;

std::string table(int from, int to, double value, const std::string& column = "loss") {
    std::string text = "step," + column + "\n";
    for (int step = from; step < to; ++step) {
        text += std::to_string(step) + "," + std::to_string(value + step) + "\n";
    }
    return text;
}

std::string lines(int from, int to, double value) {
    std::string text;
    for (int step = from; step < to; ++step) {
        text += "{\"step\": " + std::to_string(step) +
                ", \"loss\": " + std::to_string(value + step) + "}\n";
    }
    return text;
}

TEST(JoinSeries, FilesOfRestartsAreOneCurve) {
    for (const auto& [first, second] :
         {std::pair("metrics.csv", "metrics_1.csv"), std::pair("metrics.csv", "metrics-2.csv"),
          std::pair("metrics.csv", "metrics_resumed.csv"), std::pair("log_9.csv", "log_10.csv"),
          std::pair("metrics_old.csv", "metrics.csv"),
          std::pair("m_2026-01-02_03-04.csv", "m_2026-01-02_10-04.csv")}) {
        const HistoryFolder folder;
        folder.write(second, table(3, 6, 100));
        folder.write(first, table(0, 5, 0));
        const RunHistory history = folder.read();
        ASSERT_EQ(history.series.size(), 1U) << first;
        const MetricSeries& loss = history.series[0];
        EXPECT_EQ(loss.steps, (Numbers{0, 1, 2, 3, 4, 5})) << first;
        EXPECT_EQ(loss.values, (Numbers{0, 1, 2, 103, 104, 105})) << first;
        EXPECT_EQ(loss.restarts, (Places{3})) << first;
        EXPECT_EQ(loss.attempts, (Attempts{0, 0, 0, 1, 1, 1})) << first;
        EXPECT_EQ(loss.replaced.steps, (Numbers{3, 4})) << first;
        EXPECT_EQ(loss.replaced.values, (Numbers{3, 4})) << first;
        EXPECT_EQ(history.sources.at(loss.sourceOf(0)).path.filename(), first);
        EXPECT_EQ(history.sources.at(loss.sourceOf(3)).path.filename(), second);
    }
}

TEST(JoinSeries, WithoutNumbersTheFilesTimesTell) {
    const HistoryFolder folder;
    folder.write("a.jsonl", lines(5, 8, 100));
    folder.write("b.jsonl", lines(0, 5, 0));
    EXPECT_EQ(seriesOf(folder.read(), "loss").size(), 8U) << "one begins where the other ends";
    folder.write("a.jsonl", lines(0, 5, 100));
    EXPECT_EQ(folder.read().named("loss").size(), 2U) << "two of other names that begin alike";
}

TEST(JoinSeries, ALogOfAnotherKindMayContinue) {
    const HistoryFolder folder;
    folder.write("metrics.csv", table(0, 5, 0));
    folder.write("metrics.jsonl", lines(5, 8, 100));
    EXPECT_EQ(seriesOf(folder.read(), "loss").values, (Numbers{0, 1, 2, 3, 4, 105, 106, 107}));
    folder.write("metrics.jsonl", lines(0, 5, 0));
    EXPECT_EQ(folder.read().named("loss").size(), 1U) << "the same points again";
    folder.write("metrics.jsonl", lines(0, 5, 1));
    EXPECT_EQ(folder.read().named("loss").size(), 2U) << "other points";
}

TEST(JoinSeries, FilesNamedAfterRunsJoinOnlyWhereTheyContinue) {
    const HistoryFolder folder;
    folder.write("run1.csv", table(0, 5, 0));
    folder.write("run2.csv", table(0, 6, 10));
    EXPECT_EQ(folder.read().named("loss").size(), 2U);
    folder.write("run2.csv", table(3, 6, 10));
    EXPECT_EQ(seriesOf(folder.read(), "loss").size(), 6U);
}

TEST(JoinSeries, VersionsJoinWhereTheirStepsContinue) {
    const HistoryFolder folder;
    folder.write("lightning_logs/version_0/metrics.csv", table(0, 12, 0));
    folder.write("lightning_logs/version_1/metrics.csv", table(8, 15, 100));
    folder.write("lightning_logs/version_2/metrics.csv", table(13, 14, 200));
    const MetricSeries loss = seriesOf(folder.read(), "loss");
    EXPECT_EQ(loss.size(), 15U);
    EXPECT_EQ(loss.values[8], 108);
    EXPECT_EQ(loss.values[13], 213);
    EXPECT_EQ(loss.values[14], 114);
    EXPECT_EQ(loss.restarts, (Places{8, 13}));
    EXPECT_EQ(loss.attempts[13], 2U);
    EXPECT_EQ(loss.attempts[14], 1U) << "of version_1 again";
    EXPECT_EQ(loss.replaced.attempts, (Attempts{0, 0, 0, 0, 1}));
    const HistoryFolder other;
    other.write("lightning_logs/version_0/metrics.csv", table(0, 12, 0));
    other.write("lightning_logs/version_1/metrics.csv", table(0, 15, 100));
    EXPECT_EQ(other.read().named("loss").size(), 2U) << "another training";
    EXPECT_EQ(seriesOf(other.read(), "loss").values[0], 100) << "the one with most points";
}

TEST(JoinSeries, PartsOfTheDataAreCurvesOfTheirOwn) {
    const HistoryFolder folder;
    folder.write("train.csv", table(0, 3, 0));
    folder.write("val.csv", table(0, 3, 10));
    const RunHistory history = folder.read();
    ASSERT_EQ(history.series.size(), 2U);
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0, 1, 2}));
    EXPECT_EQ(seriesOf(history, "val/loss").values, (Numbers{10, 11, 12}));
}

TEST(JoinSeries, WritersBesideEachOtherAreNotJoined) {
    const HistoryFolder folder;
    folder.write("log_rank0.csv", table(0, 3, 0));
    folder.write("log_rank1.csv", table(0, 3, 10));
    EXPECT_EQ(folder.read().named("loss").size(), 2U);
}

TEST(JoinSeries, RowsOfOneStepAreOnePointAndNoRestart) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss,val_loss\n1,3,\n1,,4\n2,2,\n2,,3\n2,1.5,\n1,9,\n");
    const RunHistory history = folder.read();
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.values, (Numbers{9, 1.5}));
    EXPECT_EQ(loss.replaced.values, (Numbers{3, 2}));
    EXPECT_EQ(loss.restarts, (Places{0}));
    EXPECT_TRUE(seriesOf(history, "val_loss").restarts.empty());
}

TEST(JoinSeries, PointsWithoutAStepStay) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const MetricSeries curve =
        risingCurve({"loss", 0, {2, nan, 1, nan, 2}, {1, 2, 3, 4, 5}, {}, {}});
    EXPECT_EQ(curve.values, (Numbers{3, 5, 2, 4}));
    EXPECT_EQ(curve.replaced.values, (Numbers{1}));
}

TEST(JoinSeries, AWriterMayPurgeWhatEarlierFilesHold) {
    RunHistory history;
    history.sources.push_back({"tensorboard", "/run/events.out.tfevents.1", 1, {}});
    history.sources.push_back({"tensorboard", "/run/events.out.tfevents.2", 1, {}, 1, 2.0});
    history.series = {{"acc", 0, {1, 2, 3}, {1, 2, 3}, {}, {}},
                      {"loss", 0, {1, 2, 3}, {1, 2, 3}, {}, {}},
                      {"loss", 1, {2}, {9}, {}, {}}};
    joinSeries(history, "/run");
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{1, 9}));
    EXPECT_EQ(seriesOf(history, "loss").replaced.values, (Numbers{2, 3}));
    EXPECT_EQ(seriesOf(history, "acc").values, (Numbers{1}));
}

} // namespace
} // namespace cairn
