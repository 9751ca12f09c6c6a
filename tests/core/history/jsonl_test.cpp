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

/// Reads the folder's history as the window does, beside a reading from the start.
class Followed {
public:
    void expectTheSame(const HistoryFolder& folder, const std::string& when) {
        const RunHistory whole = folder.read();
        const auto grown = readHistory(folder.path(), folder.path(), {}, nullptr, &m_growing);
        ASSERT_TRUE(grown) << describe(grown.error());
        ASSERT_EQ(grown->series.size(), whole.series.size()) << when;
        for (std::size_t i = 0; i < whole.series.size(); ++i) {
            EXPECT_EQ(grown->series[i].name, whole.series[i].name) << when;
            EXPECT_EQ(grown->series[i].steps, whole.series[i].steps) << when;
            EXPECT_EQ(grown->series[i].values, whole.series[i].values) << when;
            EXPECT_EQ(grown->series[i].restarts, whole.series[i].restarts) << when;
        }
        const HistorySource& a = grown->sources.at(0);
        const HistorySource& b = whole.sources.at(0);
        EXPECT_EQ(a.bytes, b.bytes) << when;
        ASSERT_EQ(a.warnings.size(), b.warnings.size()) << when;
        for (std::size_t i = 0; i < a.warnings.size(); ++i) {
            EXPECT_EQ(describe(a.warnings[i].error), describe(b.warnings[i].error)) << when;
        }
    }

private:
    GrowingHistories m_growing;
};

std::string rowText(int step) {
    return "{\"step\": " + std::to_string(step) + ", \"loss\": " + std::to_string(1.0 / step) +
           (step % 7 == 0 ? ", \"eval_loss\": 2}" : "}");
}

TEST(JsonLines, WhatGrewIsReadAsIfItWasReadAtOnce) {
    std::mt19937 random(5);
    for (int round = 0; round < 30; ++round) {
        std::string text = rowText(1) + "\n";
        for (int step = 2; step < 40; ++step) {
            const auto kind = random() % 12;
            text += kind == 0   ? "not a row\n"
                    : kind == 1 ? "\n"
                    : kind == 2 ? rowText(step / 2 + 1) + "\r\n"
                                : rowText(step) + "\n";
        }
        const HistoryFolder folder;
        Followed followed;
        for (std::size_t size = 30 + random() % 40; size < text.size(); size += random() % 120) {
            folder.write("metrics.jsonl", text.substr(0, size));
            followed.expectTheSame(folder, std::to_string(round) + ", " + std::to_string(size));
        }
    }
}

TEST(JsonLines, AnotherFileInItsPlaceIsReadFromItsStart) {
    const HistoryFolder folder;
    Followed followed;
    const auto write = [&](const std::string& text, const std::string& when) {
        folder.write("metrics.jsonl", text);
        followed.expectTheSame(folder, when);
    };
    const std::string three = rowText(1) + "\n" + rowText(2) + "\n" + rowText(3) + "\n";
    write(three, "first");
    write(rowText(1) + "\n", "shorter");
    write(three + rowText(4), "longer, and open");
    write(three + rowText(4) + "5, \"a\": 1}\n", "more is appended to the open line");
    write(rowText(9) + "\n" + three + three, "other bytes, and longer");
    std::filesystem::remove(folder.path() / "metrics.jsonl");
    write(three + three + rowText(5) + "\n", "another inode");
}

/// Bytes that this process has read with system calls.
std::uint64_t bytesRead() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::uint64_t number = 0;
    file >> name >> number;
    return name == "rchar:" ? number : 0;
}

TEST(JsonLines, AGrowingFileCostsWhatWasAppended) {
    const HistoryFolder folder;
    std::string text;
    for (int step = 1; text.size() < (std::size_t{16} << 20U); ++step) {
        text += rowText(step) + "\n";
    }
    folder.write("metrics.jsonl", text);
    GrowingHistories growing;
    const auto read = [&] {
        const std::uint64_t before = bytesRead();
        const auto history = readHistory(folder.path(), folder.path(), {}, nullptr, &growing);
        EXPECT_TRUE(history) << describe(history.error());
        return bytesRead() - before;
    };
    ASSERT_GT(bytesRead(), 0U);
    EXPECT_GT(read(), text.size());
    std::ofstream(folder.path() / "metrics.jsonl", std::ios::app) << rowText(7) << "\n";
    EXPECT_LT(read(),
              std::uint64_t{200'000}); // the head by which its format is recognised, and 8 KiB
}

} // namespace
} // namespace cairn
