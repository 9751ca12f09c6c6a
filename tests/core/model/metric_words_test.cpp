// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/metric_words.h"

#include <gtest/gtest.h>

namespace cairn::names {
namespace {

TEST(MetricWords, EachWordHasItsDirection) {
    for (const char* word : {"acc",         "accuracies",   "accuracy",
                             "ap",          "auc",          "auprc",
                             "auroc",       "bertscore",    "bleu",
                             "calinski",    "chrf",         "cider",
                             "comet",       "completeness", "concordance",
                             "corr",        "correct",      "correlation",
                             "dice",        "dunn",         "elbo",
                             "elo",         "exact",        "f1",
                             "f2",          "fbeta",        "fidelity",
                             "fowlkes",     "fps",          "fscore",
                             "hit@10",      "hit@k",        "recall@20",
                             "ndcg@10",     "mrr@10",       "dcg@5",
                             "hits",        "homogeneity",  "intelligibility",
                             "iou",         "jaccard",      "kappa",
                             "kendall",     "likelihood",   "map",
                             "mar",         "matthews",     "mcc",
                             "meteor",      "mfu",          "miou",
                             "mos",         "mrr",          "ndcg",
                             "panoptic",    "pass",         "pck",
                             "pearson",     "pesq",         "precision",
                             "psnr",        "r2",           "rand",
                             "recall",      "return",       "returns",
                             "rew",         "reward",       "rewards",
                             "roc",         "rouge",        "rougel",
                             "rougelsum",   "sacrebleu",    "score",
                             "sdr",         "sensitivity",  "similarity",
                             "snr",         "spearman",     "spearmanr",
                             "specificity", "spice",        "ssim",
                             "stoi",        "success",      "tflops",
                             "throughput",  "top",          "tps",
                             "win",         "winrate",      "wins"}) {
        EXPECT_EQ(directionOf(word), Direction::Larger) << word;
    }
    for (const char* word :
         {"bpb",      "bpc",       "bpd",      "brier",      "cer",        "cost", "crps",
          "deviance", "disparity", "distance", "divergence", "ece",        "eer",  "err",
          "error",    "errors",    "fid",      "hamming",    "hausdorff",  "kid",  "logloss",
          "loss",     "losses",    "lost",     "lpips",      "mae",        "mape", "mase",
          "mse",      "msle",      "nll",      "nrmse",      "perplexity", "ppl",  "regret",
          "rmse",     "rmsle",     "smape",    "ter",        "wape",       "wer",  "wmape"}) {
        EXPECT_EQ(directionOf(word), Direction::Smaller) << word;
    }
}

TEST(MetricWords, NamesAsTrainersWriteThem) {
    for (const char* name : {"mAP",
                             "mAP50-95",
                             "metrics/mAP50(B)",
                             "rollout/ep_rew_mean",
                             "train_samples_per_second",
                             "eval/steps_per_second",
                             "val_MeanIoU",
                             "mIoU",
                             "top-5",
                             "rouge1",
                             "eval_rougeLsum",
                             "F1Score",
                             "recall@10",
                             "pass@1",
                             "hit_rate",
                             "explained_variance",
                             "neg_mean_squared_error",
                             "true_positive_rate",
                             "valacc",
                             "R2Score",
                             "SpearmanCorrCoef",
                             "signal_noise_ratio",
                             "perplexity_f1",
                             "log_likelihood"}) {
        EXPECT_EQ(directionOf(name), Direction::Larger) << name;
    }
    for (const char* name :
         {"valLoss", "testloss", "reward_loss", "score_loss", "accuracy_error", "word_error_rate",
          "wer_score", "mean_absolute_error", "negative_log_likelihood", "false_positive_rate",
          "eval/perplexity", "FrechetInceptionDistance", "brier_score", "bpb2"}) {
        EXPECT_EQ(directionOf(name), Direction::Smaller) << name;
    }
    for (const char* name :
         {"", "x", "epoch", "learning_rate", "grad_norm", "loss_scale", "reward_std", "ep_len_mean",
          "entropy", "num_hits_count", "ent_coef", "loss_weight", "rewards/rejected", "mapping",
          "powers", "temperature", "my_metric", "train_runtime"}) {
        EXPECT_EQ(directionOf(name), Direction::Unknown) << name;
    }
}

TEST(MetricWords, BitsAndDivergencesAreBetterWhenSmaller) {
    for (const char* name : {"eval_bits_per_byte", "val_kl", "mcd", "eval/kl_loss"}) {
        EXPECT_EQ(directionOf(name), Direction::Smaller) << name;
    }
    EXPECT_EQ(directionOf("kl_coef"), Direction::Unknown);
}

TEST(MetricWords, PartsOfTheData) {
    for (const char* name :
         {"eval_loss", "val/acc", "valLoss", "testacc", "Validation Loss", "dev_f1"}) {
        EXPECT_EQ(splitOf(name), Split::HeldOut) << name;
    }
    for (const char* name : {"train_loss", "training/acc", "trainAcc", "trainloss"}) {
        EXPECT_EQ(splitOf(name), Split::Training) << name;
    }
    for (const char* name :
         {"loss", "value_loss", "retrieval_map", "latest", "interval", "trainer/x"}) {
        EXPECT_EQ(splitOf(name), Split::None) << name;
    }
    for (const char* name : {"loss", "train/loss", "valLoss", "eval_loss", "valloss"}) {
        EXPECT_EQ(measureOf(name), "loss") << name;
    }
    EXPECT_EQ(measureOf("eval"), "eval");
}

TEST(MetricWords, ResultsAreNoSettings) {
    for (const char* key : {"best_metric", "best_acc1", "global_step", "total_flos", "epoch",
                            "train_runtime", "eval_samples_per_second", "log_history"}) {
        EXPECT_TRUE(namesResult(key)) << key;
    }
    for (const char* key :
         {"lr", "epochs", "num_train_epochs", "max_steps", "metric_for_best_model",
          "load_best_model_at_end", "loss", "steps", "eval_steps"}) {
        EXPECT_FALSE(namesResult(key)) << key;
    }
}

} // namespace
} // namespace cairn::names
