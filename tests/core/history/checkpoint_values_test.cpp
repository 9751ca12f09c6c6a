// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "tests/core/history/history_fixture.h"

namespace cairn {
namespace {

using Numbers = std::vector<double>;

ScannedCheckpoint checkpoint(const char* name, std::optional<std::int64_t> step,
                             std::vector<std::pair<std::string, double>> metrics) {
    ScannedCheckpoint result;
    result.name = name;
    result.step = step;
    result.metrics = std::move(metrics);
    result.examined = result.opened = true;
    return result;
}

TEST(CheckpointValues, OnePointForEachCheckpoint) {
    ScannedRun run;
    run.path = "/run";
    run.checkpoints = {checkpoint("a", 10, {{"loss", 0.5}, {"lr", 0.1}}), checkpoint("b", 20, {}),
                       checkpoint("c", 30, {{"loss", 0.25}}),
                       checkpoint("last", 30, {{"loss", 0.25}})};
    run.checkpoints[0].epoch = 1.5;
    run.checkpoints[1].opened = false;
    run.checkpoints[3].linkTo = "c";
    RunHistory history;
    history.sources.push_back({"csv", "/run/metrics.csv", 1, {}});
    history.series = {{"loss", 0, {1, 2, 3}, {3, 2, 1}, {}, {}}, {"zeta", 0, {1}, {1}, {}, {}}};
    addCheckpointValues(history, run);
    ASSERT_EQ(history.sources.size(), 2U);
    EXPECT_EQ(history.sources[1].kind, "checkpoint_values");
    EXPECT_EQ(history.sources[1].path, "/run");
    EXPECT_TRUE(warnsOf(history.sources[1], ErrorCode::HistorySkipped));
    ASSERT_EQ(history.series.size(), 4U);
    EXPECT_EQ(history.series[1].name, "loss");
    EXPECT_EQ(history.series[1].source, 1U);
    EXPECT_EQ(history.series[1].steps, (Numbers{10, 30}));
    EXPECT_EQ(history.series[1].values, (Numbers{0.5, 0.25}));
    EXPECT_EQ(history.series[2].name, "lr");
    EXPECT_EQ(history.primary("loss")->source, 0U);
}

TEST(CheckpointValues, NothingToTellAddsNoSource) {
    ScannedRun run;
    run.checkpoints = {checkpoint("a", 10, {})};
    RunHistory history;
    addCheckpointValues(history, run);
    EXPECT_TRUE(history.sources.empty());
    EXPECT_TRUE(history.series.empty());
    run.checkpoints = {checkpoint("a", {}, {{"loss", 2}}), checkpoint("b", {}, {{"loss", 1}})};
    addCheckpointValues(history, run);
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{0, 1}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryNoStep));
}

} // namespace
} // namespace cairn
