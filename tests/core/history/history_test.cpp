// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

namespace cairn {
namespace {

using Numbers = std::vector<double>;

const char* const kRows = "{\"global_step\": 2, \"log_history\": ["
                          "{\"loss\": 2.0, \"step\": 1}, {\"loss\": 1.0, \"step\": 2}]}";

TEST(MetricNames, LossComesFirstAndBookkeepingLast) {
    RunHistory history;
    for (const char* name :
         {"zeta", "eval_runtime", "eval_loss", "lr", "loss", "accuracy", "train/loss"}) {
        history.series.emplace_back().name = name;
    }
    const std::vector<std::string> names = history.names();
    EXPECT_EQ(names, (std::vector<std::string>{"loss", "train/loss", "eval_loss", "accuracy", "lr",
                                               "zeta", "eval_runtime"}));
}

TEST(MetricNames, WhenItWasMeasuredIsNoBookkeeping) {
    for (const char* name : {"train_loss_step", "val_loss_epoch", "epoch_loss", "val_acc_epoch",
                             "validation/epoch_accuracy"}) {
        EXPECT_LT(metricRank(name), metricRank("learning_rate")) << name;
    }
    for (const char* name : {"epoch", "trainer/global_step", "eval_runtime", "steps_per_second"}) {
        EXPECT_GT(metricRank(name), metricRank("learning_rate")) << name;
    }
}

TEST(MetricNames, KnowsWhereMoreIsBetter) {
    for (const char* name : {"accuracy", "eval_f1", "val/acc", "trainReward", "bleu", "top1"}) {
        EXPECT_EQ(names::directionOf(name), names::Direction::Larger) << name;
    }
    for (const char* name : {"loss", "score_loss", "perplexity", "mapping_loss", "wer", "x", ""}) {
        EXPECT_NE(names::directionOf(name), names::Direction::Larger) << name;
    }
}

TEST(RunHistory, PrimaryIsTheSeriesWithMostPoints) {
    RunHistory history;
    history.series = {{"acc", 0, {1, 2, 3}, {6, 7, 8}, {}, {}},
                      {"loss", 0, {1}, {5}, {}, {}},
                      {"loss", 1, {1, 2}, {6, 7}, {}, {}},
                      {"loss2", 0, {1, 2, 3}, {6, 7, 8}, {}, {}}};
    ASSERT_NE(history.primary("loss"), nullptr);
    EXPECT_EQ(history.primary("loss")->source, 1U);
    EXPECT_EQ(history.named("loss").size(), 2U);
    EXPECT_EQ(history.primary("absent"), nullptr);
    EXPECT_EQ(history.primary("los"), nullptr);
}

TEST(RestartsOf, TellsEveryStepThatGoesBack) {
    EXPECT_EQ(restartsOf({"loss", 0, {1, 2, 2, 3, 1, 5}, {0, 0, 0, 0, 0, 0}, {}, {}}),
              (std::vector<std::size_t>{4}));
    EXPECT_TRUE(restartsOf({}).empty());
}

TEST(FindHistories, TellsOfAFolderThatIsNotThere) {
    const auto found = findHistories("/nonexistent/run", "/nonexistent");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::NotFound);
}

TEST(FindHistories, TellsOfLogsThatNobodyOwns) {
    const HistoryFolder folder;
    folder.write("a/model.safetensors", "");
    folder.write("b/model.safetensors", "");
    folder.write("logs/version_0/metrics.csv", "step,loss\n1,2\n");
    const auto shared = findHistories(folder.path() / "a", folder.path());
    ASSERT_TRUE(shared);
    EXPECT_TRUE(shared->found.empty());
    ASSERT_EQ(shared->notices.size(), 1U);
    EXPECT_EQ(shared->notices.front().error.code, ErrorCode::HistoryShared);
    // A run among the logs owns them: nothing is reported.
    folder.write("logs/version_0/checkpoints/epoch=1.ckpt", "");
    const auto owned = findHistories(folder.path() / "a", folder.path());
    ASSERT_TRUE(owned);
    EXPECT_TRUE(owned->notices.empty());
}

TEST(FindHistories, ARunWhoseStepsAreNumbersOwnsItsLogs) {
    const HistoryFolder folder;
    folder.write("run/metrics.csv", "step,loss\n1,2.0\n2,1.0\n");
    std::filesystem::copy(historyData("../orbax/leaves"), folder.path() / "run/100",
                          std::filesystem::copy_options::recursive);
    folder.write("lightning_logs/version_0/metrics.csv", "step,loss\n1,2.0\n2,1.0\n");
    folder.write("lightning_logs/version_0/checkpoints/last.ckpt", "");
    EXPECT_TRUE(
        folder.read()
            .series.empty()); // otherwise a model next to it would get another training's curve
    EXPECT_NE(folder.read("lightning_logs").primary("loss"), nullptr);
    const auto own = readHistory(folder.path() / "run", folder.path());
    ASSERT_TRUE(own);
    EXPECT_NE(own->primary("loss"), nullptr);
}

TEST(FindHistories, StopsWhenCancelled) {
    const HistoryFolder folder;
    folder.write("trainer_state.json", kRows);
    const CancelToken cancel;
    cancel.cancel();
    const auto history = readHistory(folder.path(), folder.path(), cancel);
    ASSERT_FALSE(history);
    EXPECT_EQ(history.error().code, ErrorCode::Cancelled);
}

TEST(ReadHistory, TakesOneFile) {
    const auto path = historyData("trainer_state/checkpoint-20/trainer_state.json");
    const auto history = readHistory(path, path);
    ASSERT_TRUE(history);
    EXPECT_EQ(seriesOf(*history, "loss").steps, (Numbers{10, 20}));
}

} // namespace
} // namespace cairn
