// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

RunHistory runWith(const std::string& metric, std::vector<double> values,
                   std::vector<ValueItem> settings) {
    RunHistory history;
    history.sources.push_back({"csv", "/run/metrics.csv", 0, {}});
    MetricSeries series;
    series.name = metric;
    for (std::size_t i = 0; i < values.size(); ++i) {
        series.steps.push_back(static_cast<double>(i));
    }
    series.values = std::move(values);
    history.series.push_back(std::move(series));
    history.settings = Value::dict({{Value("hparams"), Value::dict(std::move(settings))}});
    return history;
}

std::string sentence(const RunHistory& a, const RunHistory& b) {
    return summaryText(summaryOf(compareRuns(a, b, nullptr, nullptr), nullptr, nullptr));
}

TEST(CompareSummary, OneSentence) {
    const RunHistory a = runWith("eval_loss", {2, 0.928, 0.95},
                                 {{Value("lr"), Value(0.004)},
                                  {Value("warmup"), Value(std::int64_t{20})},
                                  {Value("output_dir"), Value("out/a")}});
    const RunHistory b = runWith("eval_loss", {2, 1.146},
                                 {{Value("lr"), Value(0.001)},
                                  {Value("warmup"), Value(std::int64_t{40})},
                                  {Value("output_dir"), Value("out/b")}});
    EXPECT_EQ(sentence(a, b), "B is worse: eval_loss 1.146 against 0.928 (+23 %). Differs: lr "
                              "0.004 → 0.001, warmup 20 → 40.");
    EXPECT_EQ(sentence(b, a), "B is better: eval_loss 0.928 against 1.146 (-19 %). Differs: lr "
                              "0.001 → 0.004, warmup 40 → 20.");
    EXPECT_EQ(sentence(a, a),
              "A and B are equal: eval_loss 0.928. No setting differs (3 compared).");
    const auto named = [](const char* folder) {
        return runWith("eval_loss", {2},
                       {{Value("lr"), Value(0.004)}, {Value("output_dir"), Value(folder)}});
    };
    EXPECT_EQ(sentence(named("out/a"), named("out/b")),
              "A and B are equal: eval_loss 2. Only names and paths differ (2 settings compared).");
    const RunHistory plain = runWith("eval_loss", {2}, {});
    EXPECT_EQ(sentence(plain, named("out/b")),
              "A and B are equal: eval_loss 2. Settings of one run only: 2.");
}

TEST(CompareSummary, WithoutADirectionNobodyIsBetter) {
    const RunHistory a = runWith("grad_norm", {1, 2}, {});
    const RunHistory b = runWith("grad_norm", {1, 3}, {});
    EXPECT_EQ(
        sentence(a, b),
        "B compared with A: grad_norm 3 against 2 (+50 %). Neither run recorded its settings.");
    const RunHistory other = runWith("accuracy", {1, 3}, {});
    EXPECT_EQ(sentence(a, other),
              "A and B have no metric in common. Neither run recorded its settings.");
}

TEST(CompareSummary, NanAndZero) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const RunHistory a = runWith("loss", {0}, {});
    const RunHistory b = runWith("loss", {nan}, {});
    EXPECT_EQ(sentence(a, b),
              "B compared with A: loss nan against 0. Neither run recorded its settings.");
    const RunHistory c = runWith("loss", {0.5}, {});
    EXPECT_EQ(sentence(a, c), "B is worse: loss 0.5 against 0. Neither run recorded its settings.");
}

TEST(CompareSummary, SeveralRuns) {
    std::vector<RunHistory> runs;
    for (const double lr : {0.1, 0.2, 0.3}) {
        runs.push_back(runWith("val_acc", {lr, lr * 2}, {{Value("lr"), Value(lr)}}));
    }
    std::vector<RunComparison> pairs;
    pairs.push_back(compareRuns(runs[0], runs[1], nullptr, nullptr));
    pairs.push_back(compareRuns(runs[0], runs[2], nullptr, nullptr));
    const RunsSummary summary = summaryOfRuns(pairs, {});
    EXPECT_EQ(summary.winner, 2U);
    EXPECT_EQ(summaryText(summary),
              "C is best: val_acc 0.6; A 0.2 (-67 %), B 0.4 (-33 %). Differs: "
              "lr 0.1, 0.2, 0.3.");
    const auto settings = settingsOfRuns(pairs);
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_EQ(settings[0].values.size(), 3U);
}

TEST(CompareSummary, ASettingThatOnlyOnePairShows) {
    const RunHistory a = runWith("loss", {1}, {{Value("lr"), Value(0.1)}});
    const RunHistory b = runWith("loss", {1}, {{Value("lr"), Value(0.1)}});
    const RunHistory c = runWith("loss", {1}, {{Value("seed"), Value(std::int64_t{3})}});
    const std::vector<RunComparison> pairs{compareRuns(a, b, nullptr, nullptr),
                                           compareRuns(a, c, nullptr, nullptr)};
    const auto settings = settingsOfRuns(pairs);
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings[0].key, "lr");
    EXPECT_TRUE(settings[0].values[1].has_value()) << "equal to the first run's";
    EXPECT_FALSE(settings[0].values[2].has_value());
    EXPECT_FALSE(settings[1].values[0].has_value());
    EXPECT_EQ(settingText(*settings[1].values[2]), "3");
}

} // namespace
} // namespace cairn
