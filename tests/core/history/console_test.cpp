// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>
#include <functional>
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

TEST(Console, ReadsWhatNanoGptPrints) {
    const RunHistory history = readLog("step 0: train loss 4.2874, val loss 4.2823\n"
                                       "iter 0: loss 4.2649, time 1420.00ms, mfu -100.00%\n"
                                       "saving checkpoint to out\n"
                                       "iter 10: loss 3.2104, time 5.12ms, mfu 1.25%\n"
                                       "step 250: train loss 2.0871, val loss 2.1036\n");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{0, 10}));
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{4.2649, 3.2104}));
    EXPECT_EQ(seriesOf(history, "time").values, (Numbers{1420, 5.12}));
    EXPECT_EQ(seriesOf(history, "mfu").values, (Numbers{-100, 1.25}));
    EXPECT_EQ(seriesOf(history, "val loss").steps, (Numbers{0, 250}));
    EXPECT_EQ(seriesOf(history, "train loss").values, (Numbers{4.2874, 2.0871}));
}

TEST(Console, ReadsWhatLlmCPrints) {
    const RunHistory history = readLog(
        "step    1/100 | loss 11.009463 (+nanz)| norm 15.6 (+nanz)| lr 8.57e-07 | 2731.09 ms | "
        "5.1% bf16 MFU | 191970 tok/s\n"
        "step    2/100 | loss 10.5 (+1.20z)| norm 14.5 (-0.10z)| lr 1.71e-06 | 98.1 ms\n");
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{11.009463, 10.5}));
    EXPECT_EQ(seriesOf(history, "lr").values, (Numbers{8.57e-07, 1.71e-06}));
    EXPECT_EQ(seriesOf(history, "norm").steps, (Numbers{1, 2}));
    EXPECT_EQ(history.series.size(), 3U);
    const RunHistory file =
        readLog("s:0 tel:11.0094\ns:0 trl:11.0100 lr:0.000001 norm:15.60\ns:1 trl:10.9 lr:0.1 "
                "norm:2\ns:250 eval:0.2510\n",
                "main.log");
    EXPECT_EQ(seriesOf(file, "tel").values, (Numbers{11.0094}));
    EXPECT_EQ(seriesOf(file, "trl").values, (Numbers{11.01, 10.9}));
    EXPECT_EQ(seriesOf(file, "eval").steps, (Numbers{250}));
}

TEST(Console, ReadsWhatModdedNanoGptPrints) {
    const RunHistory history =
        readLog("step:0/1750 val_loss:10.8258 train_time:0ms step_avg:nanms\n"
                "step:125/1750 val_loss:4.3012 train_time:11200ms step_avg:89.60ms\n"
                "step:126/1750 train_time:11290ms step_avg:89.60ms\n");
    EXPECT_EQ(seriesOf(history, "val_loss").steps, (Numbers{0, 125}));
    EXPECT_EQ(seriesOf(history, "val_loss").values, (Numbers{10.8258, 4.3012}));
    EXPECT_EQ(seriesOf(history, "train_time").values, (Numbers{0, 11200, 11290}));
}

TEST(Console, ReadsWhatTorchtuneWrites) {
    const RunHistory history =
        readLog("Step 1 | loss:2.5411 lr:3e-06 tokens_per_second_per_gpu:152.7 \n"
                "Step 2 | loss:2.25 lr:6e-06 tokens_per_second_per_gpu:310.5 \n",
                "log_1764367200.txt");
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{2.5411, 2.25}));
    EXPECT_EQ(seriesOf(history, "lr").steps, (Numbers{1, 2}));
    EXPECT_EQ(seriesOf(history, "tokens_per_second_per_gpu").size(), 2U);
}

TEST(Console, ReadsDictsThatTheTrainerPrints) {
    const RunHistory history = readLog(
        "{'loss': 0.8291, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': 0.5}\n"
        " 50%|#####     | 4/8 [00:01<00:01]{'loss': '0.75', 'grad_norm': 'nan', 'epoch': '1'}\n"
        "{'eval_loss': 0.7, 'eval_runtime': 0.01, 'epoch': 1.0}\n"
        "{'model': 'x', 'epoch': 'first'}\n");
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.8291, 0.75}));
    EXPECT_EQ(seriesOf(history, "loss").epochs, (Numbers{0.5, 1}));
    EXPECT_EQ(seriesOf(history, "loss").stepsFrom, StepsFrom::Epoch);
    EXPECT_TRUE(std::isnan(seriesOf(history, "grad_norm").values.at(1)));
    EXPECT_EQ(seriesOf(history, "eval_loss").values, (Numbers{0.7}));
}

TEST(Console, ReadsJsonThatFairseqPrints) {
    const RunHistory history = readLog(
        "2026-01-02 03:04:05 | INFO | train_inner | {\"epoch\": 1, \"update\": 0.5, \"loss\": "
        "\"9.25\", \"ppl\": \"608.8\", \"num_updates\": \"100\", \"lr\": \"5e-05\"}\n"
        "2026-01-02 03:05:05 | INFO | valid | {\"epoch\": 1, \"valid_loss\": \"8.5\", "
        "\"valid_num_updates\": \"200\", \"valid_best_loss\": \"8.5\"}\n");
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{9.25}));
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{100}));
    EXPECT_EQ(seriesOf(history, "valid_loss").steps, (Numbers{200}));
}

TEST(Console, ReadsTheBlocksThatOlmoPrints) {
    const RunHistory history =
        readLog("2026-01-02 03:04:05 host:0 olmo.train:967 INFO [step=1/1000]\n"
                "    train/CrossEntropyLoss=11.25\n"
                "    throughput/total_tokens=4,194,304\n"
                "2026-01-02 03:04:06 host:0 olmo.train:967 INFO [step=2/1000]\n"
                "    train/CrossEntropyLoss=10.5\n"
                "other text\n"
                "    peak=1\n");
    EXPECT_EQ(seriesOf(history, "train/CrossEntropyLoss").values, (Numbers{11.25, 10.5}));
    EXPECT_EQ(seriesOf(history, "train/CrossEntropyLoss").steps, (Numbers{1, 2}));
    EXPECT_EQ(seriesOf(history, "throughput/total_tokens").values, (Numbers{4194304}));
    EXPECT_EQ(history.series.size(), 2U);
}

/// Lines of a log that was published about allenai/OLMo.
TEST(Console, ReadsAPublishedLogOfOlmo) {
    const RunHistory history =
        readLog("    System/Peak GPU Memory (MB)=6,784\n"
                "2024-08-06 09:59:26.181 intern-studio-160750:0  olmo.train:908  INFO    "
                "[step=1/739328,epoch=0]\n"
                "    optim/total_grad_norm=231.7\n"
                "    train/CrossEntropyLoss=12.18\n"
                "    System/Peak GPU Memory (MB)=46,911\n"
                "2024-08-06 10:00:05.520 intern-studio-160750:0  olmo.train:908  INFO    "
                "[step=2/739328,epoch=0]\n"
                "    optim/total_grad_norm=0.0002\n"
                "    train/CrossEntropyLoss=1.7872662283480167e-06\n");
    EXPECT_EQ(seriesOf(history, "train/CrossEntropyLoss").steps, (Numbers{1, 2}));
    EXPECT_EQ(seriesOf(history, "train/CrossEntropyLoss").values,
              (Numbers{12.18, 1.7872662283480167e-06}));
    EXPECT_EQ(seriesOf(history, "System/Peak GPU Memory (MB)").values, (Numbers{46911}));
}

/// Lines of a log that was published about princeton-nlp/LLM-Shearing, with an evaluation as
/// console_logger.py prints it.
TEST(Console, ReadsTheBlocksThatComposerPrints) {
    const RunHistory history = readLog("[batch=366/48000]:\n"
                                       "\t Train time/batch: 365\n"
                                       "\t Train metrics/train/cc_weight: 0.2192\n"
                                       "\t Train loss/train/total: 10.3750\n"
                                       "\t Train metrics/train/Perplexity: 32048.3164\n"
                                       "[Eval batch=1/8] Eval on eval data\n"
                                       "[Eval batch=8/8] Eval on eval data:\n"
                                       "\t Eval metrics/eval/LanguageCrossEntropy: 9.5\n"
                                       "[batch=367/48000]:\n"
                                       "\t Train loss/train/total: nan\n");
    const MetricSeries loss = seriesOf(history, "loss/train/total");
    EXPECT_EQ(loss.steps, (Numbers{366, 367}));
    EXPECT_EQ(loss.values[0], 10.375);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(seriesOf(history, "metrics/eval/LanguageCrossEntropy").steps, (Numbers{366}));
    const RunHistory epochs = readLog("[epoch=1][batch=50/100]:\n\t Train loss/train/total: 2\n"
                                      "[epoch=2][batch=50/100]:\n\t Train loss/train/total: 1\n"
                                      "[epoch=3][batch=50]:\n\t Train loss/train/total: 0\n");
    EXPECT_EQ(seriesOf(epochs, "loss/train/total").steps, (Numbers{50, 150}));
}

/// What generate_console.py logs.
double loggedValue(double step) {
    return step != 3 ? 8 / (step + 1) : std::nan("");
}

/// The curve has `value` at each of these steps, as rounded by the trainer.
void expectCurve(const RunHistory& history, const std::string& name, const Numbers& steps,
                 const std::function<double(double)>& value) {
    constexpr double kRounded = 6e-4;
    const MetricSeries curve = seriesOf(history, name);
    ASSERT_EQ(curve.steps, steps) << name;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double expected = value(steps[i]);
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(curve.values[i])
                                         : std::abs(curve.values[i] - expected) < kRounded)
            << name << " at " << steps[i] << ": " << curve.values[i];
    }
}

TEST(Console, ReadsWhatFairseqWrites) {
    for (const char* form : {"simple", "json", "hydra", "hydra_json"}) {
        const RunHistory history = readGolden("fairseq_" + std::string(form) + ".log");
        expectCurve(history, "loss", {2, 4, 6, 8}, loggedValue);
        expectCurve(history, "valid_loss", {4, 8},
                    [](double step) { return loggedValue(step) + 1; });
        expectCurve(history, "train_loss", {4, 8},
                    [](double step) { return loggedValue(step) + 2; });
        expectCurve(history, "lr", {2, 4, 6, 8}, [](double step) { return 1e-4 * step; });
        EXPECT_EQ(seriesOf(history, "loss").epochs, (Numbers{1, 1, 2, 2})) << form;
        EXPECT_EQ(seriesOf(history, "loss").stepsKey, "num_updates") << form;
        EXPECT_EQ(history.primary("gnorm"), nullptr) << "None is not a number";
    }
    EXPECT_TRUE(readLog("epoch 001: 5 / 10 files=3\nepoch 001 | loss 5\nthe epoch 2: loss\n")
                    .series.empty())
        << "without the number of updates";
}

TEST(Console, ReadsWhatLlmCWrites) {
    const Numbers steps{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const RunHistory file = readGolden("llmc_main.log");
    expectCurve(file, "trl", steps, loggedValue);
    expectCurve(file, "tel", {0, 4, 8}, [](double step) { return loggedValue(step) + 1; });
    expectCurve(file, "eval", {0, 4, 8}, [](double) { return 0.25; });
    expectCurve(file, "norm", steps, [](double) { return 1.5; });
    const RunHistory console = readGolden("llmc_console.log");
    expectCurve(console, "loss", {1, 2, 3, 4, 5, 6, 7, 8, 9},
                [](double step) { return loggedValue(step - 1); });
    EXPECT_EQ(console.primary("val loss"), nullptr) << "it is printed without a step";
}

TEST(Console, ReadsWhatComposerWrites) {
    const RunHistory epochs = readGolden("composer_2ep.log");
    expectCurve(epochs, "loss/train/total", {1, 2, 3, 4, 5, 6, 7, 8}, loggedValue);
    EXPECT_EQ(seriesOf(epochs, "loss/train/total").stepsStrength, Strength::Recorded);
    const RunHistory samples = readGolden("composer_16sp.log");
    expectCurve(samples, "loss/train/total", {2, 4, 6, 8, 10, 12, 14, 16},
                [](double step) { return loggedValue(step / 2); });
    EXPECT_EQ(seriesOf(samples, "loss/train/total").stepsStrength, Strength::Named);
    expectCurve(readGolden("composer_8ba.txt"), "loss/train/total", {0, 1, 2, 3, 4, 5, 6, 7},
                [](double step) { return loggedValue(step + 1); });
}

TEST(Console, ReadsWhatOlmoCoreAndTorchtuneWrite) {
    const Numbers steps{1, 2, 3, 4, 5, 6, 7, 8};
    const RunHistory olmo = readGolden("olmo_core.log");
    expectCurve(olmo, "train/CE loss", steps, loggedValue);
    expectCurve(olmo, "throughput/total tokens", steps, [](double step) { return 1024 * step; });
    const RunHistory tune = readGolden("torchtune.txt");
    expectCurve(tune, "loss", steps, loggedValue);
    expectCurve(tune, "val_loss", {8}, [](double step) { return loggedValue(step) + 1; });
    expectCurve(tune, "tokens_per_second_per_gpu", steps, [](double) { return 1234.5; });
}

TEST(Console, SentencesWithNumbersAreNotCurves) {
    for (const char* text :
         {"step 3: copied 5 files, removed 2 folders\n", "Step 4 | see https://example.org:80/a\n",
          "step 1: install\n", "s:10 of 20\n", "{'a': 1, 'b': 2}\n", "iter 5: done\n"}) {
        EXPECT_TRUE(readLog(text).series.empty()) << text;
    }
}

} // namespace
} // namespace cairn
