// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
TEST(TrainerState, ReadsWhatTheTrainerWrote) {
    const RunHistory history = readData("trainer_state");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "trainer_state");
    EXPECT_EQ(history.sources[0].path.parent_path().filename(), "checkpoint-60");
    EXPECT_GT(history.sources[0].bytes, 0U);
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{10, 20, 30, 40, 50, 60}));
    EXPECT_EQ(loss.epochs, (Numbers{0.5, 1, 1.5, 2, 2.5, 3}));
    ASSERT_EQ(loss.size(), 6U);
    EXPECT_EQ(loss.values[0], 0.2);
    EXPECT_TRUE(std::isnan(loss.values[2]));
    EXPECT_EQ(loss.values[3], 2.0 / 40);
    EXPECT_EQ(seriesOf(history, "grad_norm").values[2], kInfinity);
    EXPECT_EQ(seriesOf(history, "eval_loss").steps, (Numbers{40}));
    EXPECT_EQ(loss.replaced.size(), 0U);
    EXPECT_TRUE(history.warnings.empty());
    const Value* settings = history.settings.find("checkpoint-60/trainer_state.json");
    ASSERT_NE(settings, nullptr);
    EXPECT_NE(settings->find("train_batch_size"), nullptr);
    EXPECT_EQ(settings->find("best_metric"), nullptr) << "a result is no setting";
    EXPECT_EQ(settings->find("total_flos"), nullptr);
    EXPECT_EQ(settings->find("log_history"), nullptr);
}

TEST(TrainerState, WhatWasWrittenLastCountsAndTheOtherIsKept) {
    const HistoryFolder folder;
    folder.write(
        "checkpoint-10/trainer_state.json",
        R"({"global_step": 10, "log_history": [{"step": 5, "loss": 9.0}, {"step": 7, "loss": 4.0},
                    {"step": 7, "old": 1}]})");
    folder.write(
        "checkpoint-20/trainer_state.json",
        R"({"global_step": 20, "log_history": [{"step": 5, "loss": 8.0}, {"step": 15, "loss": 2.0}]})");
    const RunHistory history = folder.read();
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{5, 7, 15}));
    EXPECT_EQ(loss.values, (Numbers{8, 4, 2}));
    EXPECT_EQ(seriesOf(history, "old").steps, (Numbers{7}));
    EXPECT_EQ(loss.replaced.steps, (Numbers{5}));
    EXPECT_EQ(loss.replaced.values, (Numbers{9}));
    EXPECT_EQ(loss.restarts, (std::vector<std::size_t>{0}));
    EXPECT_EQ(history.warnings.at(0).error.code, ErrorCode::HistoryConflict);
}

TEST(TrainerState, TheStateWrittenLastCountsNotTheHighestStep) {
    const HistoryFolder folder;
    folder.write("checkpoint-9/trainer_state.json",
                 R"({"global_step": 90, "log_history": [{"step": 5, "loss": 1.0}]})");
    folder.write("checkpoint-50/trainer_state.json",
                 R"({"global_step": 50, "log_history": [{"step": 5, "loss": 2.0}]})");
    namespace fs = std::filesystem;
    const auto written = [&](std::chrono::seconds after) {
        fs::last_write_time(
            folder.path() / "checkpoint-9/trainer_state.json",
            fs::last_write_time(folder.path() / "checkpoint-50/trainer_state.json") + after);
    };
    written(std::chrono::seconds(-5));
    EXPECT_EQ(seriesOf(folder.read(), "loss").values, (Numbers{2}));
    written(std::chrono::seconds(5));
    EXPECT_EQ(seriesOf(folder.read(), "loss").values, (Numbers{1}));
}

TEST(TrainerState, GivesTheRowsBeforeACut) {
    std::ifstream file(historyData("trainer_state/checkpoint-60/trainer_state.json"));
    const std::string whole((std::istreambuf_iterator<char>(file)), {});
    std::size_t most = 0;
    for (std::size_t size = 1; size + 3 < whole.size(); size += 7) {
        const HistoryFolder folder;
        folder.write("trainer_state.json", whole.substr(0, size));
        const RunHistory history = folder.read();
        ASSERT_EQ(history.sources.size() + history.warnings.size(), 1U) << size;
        if (!history.sources.empty()) {
            EXPECT_FALSE(history.sources[0].warnings.empty()) << size;
        }
        const MetricSeries* loss = history.primary("loss");
        EXPECT_GE(loss == nullptr ? 0 : loss->size(), most) << size;
        most = loss == nullptr ? most : loss->size();
    }
    EXPECT_EQ(most, 4U);
}

TEST(TrainerState, LeavesBrokenRowsOutAndCountsThem) {
    const HistoryFolder folder;
    folder.write("trainer_state.json", R"({"log_history": [{"step": 1, "loss": 1.0}, 5, {"loss": 7},
        {"step": 2, "loss": }, {"step": 3, "loss": 3, "note": "x", "flag": true, "none": null},
        {"step": 1, "loss": 123456789012345678901234567890}]})");
    const RunHistory history = folder.read();
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.steps, (Numbers{1, 3}));
    EXPECT_EQ(loss.values, (Numbers{123456789012345678901234567890.0, 3}));
    EXPECT_EQ(loss.replaced.values, (Numbers{1}));
    EXPECT_EQ(loss.restarts, (std::vector<std::size_t>{0}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryBadRow));
    EXPECT_EQ(history.primary("flag"), nullptr);
}

TEST(TrainerState, HostileNestingIsRefused) {
    for (const std::string& bad :
         {std::string(100'000, '['), R"({"log_history": )" + std::string(100'000, '['),
          R"({"log_history": [)" + std::string(100'000, '{'), std::string("{\"log_history"),
          std::string("{\"log_history\": [\"\\"), std::string(), std::string("null"),
          std::string("\0\0\0\0", 4)}) {
        const HistoryFolder folder;
        folder.write("trainer_state.json", bad);
        EXPECT_TRUE(folder.read().series.empty());
    }
}

} // namespace
} // namespace cairn
