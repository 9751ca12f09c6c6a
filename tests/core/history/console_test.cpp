// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>
#include <limits>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
RunHistory readLog(const std::string& text, const std::string& name = "train.log") {
    const HistoryFolder folder;
    folder.write(name, text);
    return folder.read();
}

RunHistory readGolden(const std::string& name) {
    const auto path = historyData("console/" + name);
    auto history = readHistory(path, path);
    EXPECT_TRUE(history);
    return history ? std::move(*history) : RunHistory{};
}

TEST(Console, ReadsWhatMegatronPrints) {
    const RunHistory history = readGolden("megatron.log");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "console");
    const MetricSeries loss = seriesOf(history, "lm loss");
    EXPECT_EQ(loss.steps, (Numbers{10, 20, 40})); // 30 was skipped
    ASSERT_EQ(loss.size(), 3U);
    EXPECT_EQ(loss.values[0], 10.36);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(loss.values[2], 2.59);
    EXPECT_EQ(loss.wall, (Numbers{1772366410.5, 1772366420.5, 1772366440.5}));
    EXPECT_EQ(seriesOf(history, "grad norm").values, (Numbers{2.345, kInfinity, 2.345}));
    EXPECT_EQ(seriesOf(history, "number of skipped iterations").values, (Numbers{0, 0, 1, 0}));
    EXPECT_EQ(seriesOf(history, "consumed samples").values, (Numbers{320, 640, 960, 1280}));
    EXPECT_EQ(seriesOf(history, "throughput per GPU (TFLOP/s/GPU)").values[0], 98.7);
    EXPECT_EQ(seriesOf(history, "learning rate").values[3], 4e-3);
    EXPECT_EQ(seriesOf(history, "validation/lm loss value").steps, (Numbers{20, 40}));
    EXPECT_EQ(seriesOf(history, "validation/lm loss PPL").values, (Numbers{177.6828, 13.32977}));
    EXPECT_EQ(seriesOf(history, "test/lm loss value").values, (Numbers{2.6}));
}

TEST(Console, ReadsWhatTorchtitanPrintsInColours) {
    const RunHistory history = readGolden("torchtitan.log");
    ASSERT_EQ(history.sources.size(), 1U);
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{1, 10, 20, 30}));
    ASSERT_EQ(loss.size(), 4U);
    EXPECT_EQ(loss.values[0], 8);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(loss.values[2], kInfinity);
    EXPECT_EQ(loss.values[3], 0.26667);
    EXPECT_EQ(loss.wall[0], 1772366401.25);
    EXPECT_EQ(seriesOf(history, "grad_norm").values, (Numbers{1234.5, 123.45, 61.725, 41.15}));
    EXPECT_EQ(seriesOf(history, "memory").values, (Numbers{10.25, 10.25, 10.25, 10.25}));
    EXPECT_EQ(seriesOf(history, "memory(%)").values[0], 12.87);
    EXPECT_EQ(seriesOf(history, "tps").values, (Numbers{12345, 123450, 246900, 370350}));
    EXPECT_EQ(seriesOf(history, "mfu").size(), 3U); // N/A once
    EXPECT_EQ(seriesOf(history, "validation/loss").values, (Numbers{0.75}));
    EXPECT_EQ(seriesOf(history, "validation/tps").values, (Numbers{4321}));
    EXPECT_EQ(history.primary("step"), nullptr);
}

TEST(Console, ReadsOlderFormsAndOtherPrefixes) {
    const RunHistory history = readLog(
        "[default0]: iteration      100/infinity | elapsed time per iteration (ms): 101.5/99.8 | "
        "learning rate 1.5E-04 | lm loss 2.500000E+00 | loss scale 1024.0 |\n"
        "2026-01-01T00:00:00 3: iteration 200/ 300 |  | empty: | lm loss 2.0 | text: abc |\n"
        "step: 5, loss: 0.25, lr: 1e-4\n",
        "slurm-17.out");
    EXPECT_EQ(seriesOf(history, "lm loss").steps, (Numbers{100, 200}));
    EXPECT_EQ(seriesOf(history, "elapsed time per iteration (ms)").values, (Numbers{101.5}));
    EXPECT_EQ(seriesOf(history, "learning rate").values, (Numbers{1.5e-4}));
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.25}));
    EXPECT_EQ(seriesOf(history, "lr").values, (Numbers{1e-4}));
    EXPECT_EQ(history.primary("text"), nullptr);
    const RunHistory later = readLog("[titan] x\nTrain | Step:  5  loss/mean: 0.42\n"
                                     "Validation | Step:  5  loss/mean: 0.5\n");
    EXPECT_EQ(seriesOf(later, "loss/mean").values, (Numbers{0.42}));
    EXPECT_EQ(seriesOf(later, "validation/loss/mean").values, (Numbers{0.5}));
}

TEST(Console, RanksInOneFileAreApart) {
    std::string text;
    for (const char* step : {"1", "2"}) {
        for (const char* rank : {"1", "0"}) {
            text += std::string("[rank") + rank +
                    "]:[titan] 2026-01-01 00:00:00,5 - root - INFO - step: " + step + "  loss: 0." +
                    rank + "\n";
        }
    }
    const RunHistory history = readLog(text);
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.1, 0.1}));
    EXPECT_EQ(seriesOf(history, "loss [rank 0]").values, (Numbers{0, 0}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryShared));
}

TEST(Console, ARestartIsAStepThatGoesBackAndACutLineIsLeftOut) {
    const RunHistory history =
        readLog("step: 1 loss: 3\nstep: 2 loss: 2\nTraceback\nstep: 2 loss: 2\n"
                "step: 3 loss: 1.2");
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.values, (Numbers{3, 2}));
    EXPECT_EQ(loss.replaced.values, (Numbers{2}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::Truncated));
}

TEST(Console, LeavesOtherTextAlone) {
    for (const char* text :
         {"step one: read\n", "footstep: 5 loss: 3\n", "step: 5\n", "iteration 5 | loss: 3\n",
          "step: five loss: 2\n", "", "\x1b[", "step:", "12:30:15 step: 3 12:30\n",
          "validation loss at the end of training for val data | x: 1\n"}) {
        EXPECT_TRUE(readLog(text).sources.empty()) << text;
    }
    EXPECT_TRUE(readLog("step: 5 loss: 3\n", "notes.md").sources.empty());
}

} // namespace
} // namespace cairn
