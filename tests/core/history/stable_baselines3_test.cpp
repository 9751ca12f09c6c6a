// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

namespace cairn {
namespace {

using Numbers = std::vector<double>;

TEST(StableBaselines3, TheMeansAreThoseOfTheLogger) {
    const RunHistory history = readData("stable_baselines3/ppo");
    const auto reward = history.named("eval/mean_reward");
    ASSERT_EQ(reward.size(), 1U) << "progress.csv and progress.json contain the same values";
    EXPECT_EQ(reward[0].stepsStrength, Strength::Recorded);
    EXPECT_EQ(history.named("rollout/ep_rew_mean").size(), 1U);
    EXPECT_EQ(history.named("r [env 0]").size(), 1U);
    EXPECT_EQ(history.named("r [env 1]").size(), 1U);
}

TEST(StableBaselines3, EpisodesAreNotMatchedWithCheckpoints) {
    const HistoryFolder folder;
    folder.write("monitor.csv", "#{\"t_start\": 100.5, \"env_id\": \"CartPole-v1\"}\n"
                                "r,l,t,success\n10.0,10,0.5,True\n5.0,5,1.0,False\nnan,7,1.5,1\n");
    const RunHistory history = folder.read();
    const MetricSeries reward = seriesOf(history, "r");
    EXPECT_EQ(reward.steps, (Numbers{10, 15, 22}));
    EXPECT_EQ(reward.wall, (Numbers{101, 101.5, 102}));
    EXPECT_EQ(reward.stepsStrength, Strength::Named);
    EXPECT_EQ(seriesOf(history, "success").values, (Numbers{1}));
    EXPECT_EQ(*history.settings.findPath({"monitor.csv", "env_id"})->asString(), "CartPole-v1");
}

TEST(StableBaselines3, DamagedEpisodesAreSkipped) {
    const HistoryFolder folder;
    folder.write("monitor.csv", "#{\"t_start\": 100.5}\nr,l,t\n10.0,10,0.5\n3.0,x,0.7\n"
                                "5.0\n6.0,5,1.0\n7.0,12");
    const RunHistory history = folder.read();
    EXPECT_EQ(seriesOf(history, "r").values, (Numbers{10, 6}));
    EXPECT_EQ(seriesOf(history, "r").steps, (Numbers{10, 15}));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::HistoryBadRow));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::Truncated));
}

TEST(StableBaselines3, OtherFilesOfTheseNamesAreNotRead) {
    const HistoryFolder folder;
    folder.write("monitor.csv", "a,b,c\n1,2,3\n");
    folder.write("evaluations.npz", "PK\x03\x04 and nothing else");
    EXPECT_TRUE(folder.read().sources.empty());
    folder.write("evaluations.npz", std::string("PK\x03\x04timesteps.npy"));
    const RunHistory history = folder.read();
    EXPECT_TRUE(history.sources.empty());
    EXPECT_EQ(history.warnings.size(), 1U);
}

} // namespace
} // namespace cairn
