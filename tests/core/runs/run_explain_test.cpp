// SPDX-License-Identifier: Apache-2.0
// Rank statistics against SciPy 1.14 (spearmanr, kruskal) and an enumeration of all permutations.
#include "core/runs/table/run_explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

using Settings = std::vector<RowSetting>;

RunGrid gridOf(const std::vector<Settings>& settings, const std::vector<double>& losses) {
    Experiment experiment;
    experiment.path = "/e";
    RunTable table;
    const auto names =
        std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"loss"});
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const std::string id = "r" + std::to_string(i);
        experiment.runs.push_back({id, id, "/e/" + id, {}});
        RunRow row;
        row.id = id;
        row.settings = settings[i];
        row.names = names;
        row.cells.push_back({0, 1, 1, losses[i], 1, losses[i]});
        table.rows.push_back(std::move(row));
    }
    return RunGrid(experiment, std::make_shared<const RunTable>(std::move(table)));
}

MetricExplanation explained(const RunGrid& grid, const ExplainOptions& options = {}) {
    const auto result = explainColumn(grid, allRuns(grid), *grid.find("loss"), options);
    EXPECT_TRUE(result);
    return result ? *result : MetricExplanation();
}

TEST(RunExplain, StatisticsAreThoseOfSciPy) {
    const std::vector<double> rates{1e-4, 1e-4, 3e-4, 1e-3, 1e-3, 3e-3};
    const std::vector<std::string> optimizers{"a", "b", "a", "b", "a", "b"};
    std::vector<Settings> settings;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        settings.push_back({{"lr", Value(rates[i])}, {"optimizer", Value(optimizers[i])}});
    }
    const RunGrid grid = gridOf(settings, {0.9, 0.7, 0.8, 0.4, 0.35, 0.5});
    const MetricExplanation result = explained(grid);
    EXPECT_EQ(result.runs, 6U);
    ASSERT_EQ(result.settings.size(), 2U);
    const SettingEffect& lr = result.settings[0];
    EXPECT_EQ(grid.settings()[lr.setting].key, "lr");
    EXPECT_EQ(lr.statistic, RankStatistic::KruskalWallis) << "0.64 against 0.37 of Spearman";
    EXPECT_NEAR(lr.value, 0.857142857142857, 1e-12);
    EXPECT_NEAR(lr.effect, 0.6428571428571425, 1e-12);
    EXPECT_EQ(lr.n, 6U);
    EXPECT_EQ(lr.values, 4U);
    EXPECT_TRUE(lr.exact);
    EXPECT_EQ(lr.permutations, 720U);
    EXPECT_NEAR(lr.p, 192.0 / 720, 1e-12);
    const SettingEffect& optimizer = result.settings[1];
    EXPECT_NEAR(optimizer.value, 0.08571428571428541, 1e-12);
    EXPECT_EQ(optimizer.effect, 0) << "less than chance";
    EXPECT_EQ(optimizer.p, 1);
}

TEST(RunExplain, ASweetSpotIsFoundThoughItIsNotMonotone) {
    std::vector<Settings> settings;
    std::vector<double> losses;
    for (int i = 0; i < 12; ++i) {
        const double lr = std::pow(10.0, -(i % 3) - 2);
        settings.push_back({{"lr", Value(lr)}, {"seed", Value(std::int64_t{i})}});
        losses.push_back((i % 3 == 1 ? 0.1 : 1.0 + 0.1 * (i % 2)) + 0.001 * i);
    }
    const RunGrid grid = gridOf(settings, losses);
    const MetricExplanation result = explained(grid);
    EXPECT_EQ(grid.settings()[result.settings[0].setting].key, "lr");
    EXPECT_EQ(result.settings[0].statistic, RankStatistic::KruskalWallis);
    EXPECT_FALSE(result.settings[0].exact);
    EXPECT_EQ(result.settings[0].permutations, 9999U);
    EXPECT_LT(result.settings[0].p, 0.05);
    EXPECT_GT(result.settings[1].p, 0.05);
    EXPECT_EQ(explained(grid).settings[0].p, result.settings[0].p) << "a fixed seed";
}

TEST(RunExplain, AValueThatIsDifferentInEveryRunExplainsNothing) {
    std::vector<Settings> settings;
    for (const std::string note : {"x", "y", "z", "w"}) {
        settings.push_back({{"note", Value(note)}});
    }
    const RunGrid grid = gridOf(settings, {1, 2, 3, 4});
    const MetricExplanation result = explained(grid);
    ASSERT_EQ(result.settings.size(), 1U);
    EXPECT_EQ(result.settings[0].effect, 0);
    EXPECT_EQ(result.settings[0].p, 1);
}

TEST(RunExplain, MissingSettingsAndValues) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Settings with{{"lora", Value(true)}, {"r", Value(std::int64_t{4})}};
    const Settings more{{"lora", Value(true)}, {"r", Value(std::int64_t{8})}};
    const RunGrid grid =
        gridOf({with, more, with, more, {}, {}, {}, with}, {1, 2, 1.1, 2.1, 8, 9, 7, nan});
    const MetricExplanation result = explained(grid);
    EXPECT_EQ(result.runs, 7U);
    EXPECT_EQ(result.missing, 1U) << "a NaN has no rank";
    ASSERT_EQ(result.settings.size(), 2U);
    for (const SettingEffect& each : result.settings) {
        const bool isLora = grid.settings()[each.setting].key == "lora";
        EXPECT_EQ(each.n, isLora ? 7U : 4U) << "runs without a number are left out";
        EXPECT_EQ(each.values, 2U);
    }
}

TEST(RunExplain, TiesAndTooFewRuns) {
    const Settings a{{"lr", Value(0.1)}};
    const Settings b{{"lr", Value(0.2)}};
    EXPECT_TRUE(explained(gridOf({a, b, a}, {1, 1, 1})).settings.empty()) << "nothing to explain";
    EXPECT_TRUE(explained(gridOf({a, b}, {1, 2})).settings.empty()) << "two runs are too few";
}

} // namespace
} // namespace cairn
