// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
RunHistory readLines(const std::string& text, const std::string& name = "metrics.jsonl") {
    const HistoryFolder folder;
    folder.write(name, text);
    return folder.read();
}

TEST(JsonLines, ReadsWhatALoopWrote) {
    const RunHistory history = readData("jsonl");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "jsonl");
    EXPECT_TRUE(history.sources[0].warnings.empty());
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{1, 2, 3, 4, 5}));
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(loss.replaced.steps, (Numbers{3, 4}));
    EXPECT_EQ(loss.replaced.values[0], 4.0 / 3);
    EXPECT_EQ(loss.wall[0], 1.7e9 + 0.25);
    EXPECT_EQ(loss.restarts, (std::vector<std::size_t>{2}));
    EXPECT_EQ(seriesOf(history, "tokens").values[0], 9223372036854775809.0);
    EXPECT_EQ(seriesOf(history, "eval.loss").steps, (Numbers{4, 5}));
    EXPECT_EQ(seriesOf(history, "eval.by_task.a").values, (Numbers{4, 5}));
    EXPECT_EQ(seriesOf(history, "grad_norm").values, (Numbers{-kInfinity}));
    EXPECT_EQ(history.primary("phase"), nullptr);
    EXPECT_EQ(history.primary("step"), nullptr);
}

TEST(JsonLines, ABrokenLineCostsOneRowAndACutOneIsTold) {
    const RunHistory history =
        readLines("{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"lo{\"step\": 2, \"loss\": 1}\n\n"
                  "[1]\n{\"step\": 3, \"loss\": 0.5}\n{\"step\": 4, \"loss\": 0.2");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{1, 3}));
    const HistorySource& source = history.sources.at(0);
    ASSERT_TRUE(warnsOf(source, ErrorCode::HistoryBadRow));
    EXPECT_EQ(source.warnings[0].error.found.text(), "2 lines");
    EXPECT_EQ(source.warnings[0].error.where.offset, 23U);
    EXPECT_TRUE(warnsOf(source, ErrorCode::Truncated));
}

TEST(JsonLines, OnlyFairseqsCountsOfUpdatesAreOne) {
    const RunHistory history = readLines("{\"step\": 1, \"loss\": 2, \"disc_num_updates\": 7}\n"
                                         "{\"step\": 2, \"loss\": 1, \"disc_num_updates\": 9}");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{1, 2}));
    EXPECT_EQ(seriesOf(history, "disc_num_updates").values, (Numbers{7, 9}));
}

TEST(JsonLines, AWholeLastLineNeedsNoLineBreak) {
    const RunHistory history =
        readLines("\xEF\xBB\xBF{\"step\": 1, \"loss\": 2}\r\n{\"step\": 2, \"loss\": 1}");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{1, 2}));
    EXPECT_TRUE(history.sources.at(0).warnings.empty());
}

TEST(JsonLines, ARowMayBeLongerThanWhatIsLookedAt) {
    std::string row = "{\"step\": 1";
    for (int i = 0; i < 10'000; ++i) {
        row += ", \"layer_" + std::to_string(i) + "\": 0.5";
    }
    EXPECT_EQ(readLines(row + "}\n" + row + ", \"loss\": 1}\n").series.size(), 10'001U);
}

TEST(JsonLines, RowsOfOneStepAreNoRestart) {
    std::string text;
    for (int step = 1; step <= 3; ++step) {
        const std::string row = "{\"step\": " + std::to_string(step) + ", \"loss\": ";
        text += row + "1}\n" + row + "2}\n";
    }
    const MetricSeries loss = seriesOf(readLines(text), "loss");
    EXPECT_EQ(loss.values, (Numbers{2, 2, 2}));
    EXPECT_EQ(loss.replaced.values, (Numbers{1, 1, 1}));
    EXPECT_TRUE(loss.restarts.empty());
}

TEST(JsonLines, NumbersBeyondTheirType) {
    const RunHistory history =
        readLines("{\"step\": 1, \"a\": 123456789012345678901234567890, \"b\": -Infinity, \"c\": "
                  "\"NaN\", \"d\": 1e400}\n"
                  "{\"step\": 2, \"a\": -0.0, \"b\": Infinity, \"c\": \"text NaN\"}\n");
    EXPECT_EQ(seriesOf(history, "a").values, (Numbers{123456789012345678901234567890.0, 0}));
    EXPECT_TRUE(std::signbit(seriesOf(history, "a").values[1]));
    EXPECT_EQ(seriesOf(history, "b").values, (Numbers{-kInfinity, kInfinity}));
    EXPECT_TRUE(std::isnan(seriesOf(history, "c").values.at(0)));
    EXPECT_EQ(seriesOf(history, "c").size(), 1U);
}

TEST(JsonLines, KnowsLogsFromDataAndConfigurations) {
    EXPECT_EQ(readLines("{\"epoch\": 0, \"train_loss\": 1}\n", "log.txt").sources.size(), 1U);
    EXPECT_EQ(readLines("{\"current_steps\": 5, \"loss\": 1, \"lr\": 0.1}\n", "trainer_log.jsonl")
                  .sources.size(),
              1U);
    EXPECT_TRUE(readLines("{\"prompt\": \"a\", \"id\": 3}\n", "train.jsonl").sources.empty());
    EXPECT_TRUE(readLines("{\"epochs\": 10, \"lr\": 0.1}\n", "setup.json").sources.empty());
    EXPECT_TRUE(readLines("started\n{\"step\": 1, \"loss\": 1}\n", "out.txt").sources.empty());
    EXPECT_TRUE(readLines("", "metrics.jsonl").sources.empty());
}

TEST(JsonLines, HoldsNoNamesWithoutBound) {
    // One long outer key before many inner ones would give each of them a long name.
    std::string text =
        "{\"step\": 1, \"loss\": 1}\n{\"step\": 2, \"" + std::string(1U << 20U, 'k') + "\": {";
    for (int i = 0; i < 20'000; ++i) {
        text += (i > 0 ? ",\"a" : "\"a") + std::to_string(i) + "\": 1";
    }
    const RunHistory history = readLines(text + "}}\n" + std::string(100'000, '{') + "\n");
    EXPECT_EQ(history.series.size(), 1U);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryBadRow));
}

} // namespace
} // namespace cairn
