// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>

namespace cairn {
namespace {

using Numbers = std::vector<double>;

std::string result(int iteration, const std::string& more, const std::string& trial = "a_00000") {
    return "{" + more + ", \"training_iteration\": " + std::to_string(iteration) +
           ", \"trial_id\": \"" + trial +
           "\", \"pid\": 7, \"timestamp\": " + std::to_string(1700000000 + iteration) +
           ", \"config\": {\"lr\": 0.1, \"net\": {\"width\": 4}}}\n";
}

TEST(RayTune, ConfigIsSettingsAndNestedResultsAreNamedAsInTheTable) {
    const HistoryFolder folder;
    folder.write("result.json",
                 result(1, R"("loss": 2.5, "info": {"grad": 1}, "timesteps_total": 100)") +
                     result(2, R"("loss": NaN, "timesteps_total": 200)"));
    const RunHistory history = folder.read();
    EXPECT_EQ(history.names(), (std::vector<std::string>{"loss", "info/grad", "timesteps_total"}));
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{1, 2}));
    EXPECT_EQ(loss.wall, (Numbers{1700000001, 1700000002}));
    EXPECT_EQ(loss.stepsFrom, StepsFrom::Source);
    EXPECT_EQ(loss.stepsStrength, Strength::Recorded);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(seriesOf(history, "timesteps_total").values, (Numbers{100, 200}));
    EXPECT_EQ(*history.settings.findPath({"result.json", "net", "width"})->asInt(), 4);
}

TEST(RayTune, TheTableBesideTheResultsIsNotASecondTraining) {
    const HistoryFolder folder;
    const std::string table = "loss,training_iteration,trial_id\n2.5,1,a_00000\n1.5,2,a_00000\n";
    folder.write("trial/result.json", result(1, "\"loss\": 2.5") + result(2, "\"loss\": 1.5"));
    folder.write("trial/progress.csv", table);
    folder.write("trial/params.json", R"({"lr": 0.1})");
    folder.write("other/progress.csv", table);
    const RunHistory both = folder.read("trial");
    ASSERT_EQ(both.named("loss").size(), 1U);
    EXPECT_EQ(both.named("loss")[0].values, (Numbers{2.5, 1.5}));
    EXPECT_EQ(both.named("loss")[0].replaced.size(), 0U);
    EXPECT_EQ(both.sources.size(), 2U); // and the parameters
    EXPECT_EQ(seriesOf(folder.read("other"), "loss").steps, (Numbers{1, 2}));
}

TEST(RayTune, ATrialThatBeginsAgainIsARestartAndAnotherTrialIsAnotherRun) {
    const HistoryFolder folder;
    folder.write("again/result.json", result(1, "\"loss\": 5") + result(2, "\"loss\": 4") +
                                          result(1, "\"loss\": 3") + result(2, "\"loss\": 2"));
    const MetricSeries again = seriesOf(folder.read("again"), "loss");
    EXPECT_EQ(again.values, (Numbers{3, 2}));
    EXPECT_EQ(again.replaced.values, (Numbers{5, 4}));
    folder.write("two/result.json", result(1, "\"loss\": 5") + result(1, "\"loss\": 3", "b_00001"));
    const RunHistory two = folder.read("two");
    EXPECT_EQ(two.names(), (std::vector<std::string>{"a_00000/loss", "b_00001/loss"}));
    const auto one = readHistory(folder.path() / "two/result.json/b_00001", folder.path());
    ASSERT_TRUE(one) << describe(one.error());
    EXPECT_EQ(seriesOf(*one, "loss").values, (Numbers{3}));
}

TEST(RayTune, DamageIsLocal) {
    const HistoryFolder folder;
    const std::string last = result(3, "\"loss\": 1.25");
    folder.write("result.json", result(1, "\"loss\": 5") + "{\"loss\": 4, \"trai\n" +
                                    last.substr(0, last.size() - 20));
    const RunHistory history = folder.read();
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{5}));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::HistoryBadRow));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::Truncated));
}

/// A first result that is longer than the bytes read for probing.
TEST(RayTune, LongResultsAreRecognised) {
    const HistoryFolder folder;
    folder.write("result.json",
                 result(1, "\"loss\": 5, \"note\": \"" + std::string(100'000, 'x') + "\""));
    EXPECT_EQ(seriesOf(folder.read(), "loss").steps, (Numbers{1}));
}

TEST(RayTune, TheTableAloneRecordsItsSaves) {
    const HistoryFolder folder;
    const std::string head = "loss,timestamp,checkpoint_dir_name,training_iteration,trial_id,pid\n";
    folder.write("progress.csv", head + "3.5,1795936245,,1,a_00000,7\n"
                                        "2.5,1795936246,checkpoint_000000,2,a_00000,7\n");
    GrowingHistories growing;
    const auto read = [&] {
        return readHistory(folder.path(), folder.path(), {}, nullptr, &growing).value();
    };
    const RunHistory first = read();
    ASSERT_EQ(first.sources.size(), 1U);
    EXPECT_EQ(first.sources[0].kind, "ray_tune");
    EXPECT_TRUE(first.sources[0].warnings.empty());
    EXPECT_EQ(first.names(), (std::vector<std::string>{"loss"}));
    ASSERT_EQ(first.saves.size(), 1U);
    EXPECT_EQ(first.saves[0].name, "checkpoint_000000");
    EXPECT_EQ(first.saves[0].step, 2);
    EXPECT_EQ(first.saves[0].source, folder.path() / "progress.csv");
    std::ofstream(folder.path() / "progress.csv", std::ios::app)
        << "1.5,1795936247,checkpoint_000001,3,a_00000,7\n";
    EXPECT_EQ(seriesOf(read(), "loss").values, (Numbers{3.5, 2.5, 1.5}));
    EXPECT_EQ(read().saves.size(), 2U);

    // Two trials in one table: which of them a checkpoint is of is not recorded.
    folder.write("two/progress.csv", head + "3.5,1795936245,checkpoint_000000,1,a_00000,7\n"
                                            "2.5,1795936246,checkpoint_000000,1,b_00001,7\n");
    EXPECT_TRUE(folder.read("two").saves.empty());
    folder.write("other/progress.csv", "loss,step,trial_id\n3.5,1,a\n"); // another writer's
    EXPECT_EQ(folder.read("other").sources.at(0).kind, "csv");
}

TEST(RayTune, OtherResultsAreNotTrials) {
    for (const std::string& text :
         {std::string("{\"loss\": 1, \"config\": {\"lr\": 1}}\n"), std::string("[1, 2]\n"),
          std::string("{\"training_iteration\": 1, \"loss\": 2\n"), std::string("{")}) {
        const HistoryFolder folder;
        folder.write("result.json", text);
        EXPECT_TRUE(folder.read().sources.empty()) << text;
    }
}

} // namespace
} // namespace cairn
