// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

namespace cairn {
namespace {

using Numbers = std::vector<double>;

TEST(Dvclive, OneFolderIsOneSource) {
    const RunHistory history = readData("dvclive/live");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "dvclive");
    EXPECT_EQ(seriesOf(history, "train/loss").size(), 9U);
    EXPECT_TRUE(seriesOf(history, "train/loss").restarts.empty());
    EXPECT_EQ(seriesOf(history, "hidden/acc").size(), 1U);
    EXPECT_EQ(*history.settings.findPath({"dvclive", "model", "act"})->asString(), "relu");
}

TEST(Dvclive, ItIsReadBesideCheckpointsAndOtherLogs) {
    const HistoryFolder folder;
    folder.write("model.pt", "x");
    folder.write("dvclive/plots/metrics/loss.tsv", "step\tloss\n0\t3.5\n1\t2.5\n2\t1");
    folder.write("dvclive/metrics.json", "{\n  \"loss\": 1,\n  \"step\": 2\n}\n");
    folder.write("metrics.csv", "step,acc\n0,0.5\n");
    const RunHistory history = folder.read();
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{3.5, 2.5})); // the last row may be cut
    EXPECT_EQ(seriesOf(history, "acc").values, (Numbers{0.5}));
    EXPECT_EQ(history.sources.size(), 2U);
}

TEST(Dvclive, OtherFoldersOfPlotsAreNotRuns) {
    const HistoryFolder folder;
    folder.write("plots/metrics/loss.png", "x");
    folder.write("plots/loss.png", "x");
    folder.write("metrics.json", "{\"loss\": 1}");
    for (const HistorySource& source : folder.read().sources) {
        EXPECT_NE(source.kind, "dvclive");
    }
}

} // namespace
} // namespace cairn
