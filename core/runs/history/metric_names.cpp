// SPDX-License-Identifier: Apache-2.0
//
// What a metric's name says. Names are cut into words at everything that is no letter or digit and
// at the borders of camelCase, so that "val/loss", "val_loss" and "valLoss" read alike and "map" is
// not found in "mapping".
#include "core/base/ascii.h"
#include "core/runs/history/history.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn {
namespace {

bool isUpper(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}
std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words;
    bool inWord = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!isLetter(c) && !isDigit(c)) {
            inWord = false;
            continue;
        }
        const bool camel = i > 0 && isUpper(c) && isLetter(name[i - 1]) && !isUpper(name[i - 1]);
        if (!inWord || camel) {
            words.emplace_back();
        }
        inWord = true;
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

template <std::size_t N>
bool hasAny(const std::vector<std::string>& words, const std::array<std::string_view, N>& wanted) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
}

constexpr auto kEvaluation =
    std::to_array<std::string_view>({"eval", "val", "valid", "validation", "test", "dev"});
constexpr auto kLossLike =
    std::to_array<std::string_view>({"perplexity", "ppl", "nll", "mse", "mae", "rmse", "error",
                                     "err", "wer", "cer", "ter", "fid", "elbo", "bpb", "bpc"});
constexpr auto kLarger = std::to_array<std::string_view>(
    {"acc",       "accuracy",    "top1",    "top5",   "f1",        "f2",         "precision",
     "recall",    "auc",         "auroc",   "ap",     "map",       "bleu",       "sacrebleu",
     "rouge",     "rouge1",      "rouge2",  "rougel", "rougelsum", "meteor",     "chrf",
     "reward",    "rewards",     "return",  "score",  "iou",       "miou",       "dice",
     "psnr",      "ssim",        "r2",      "mcc",    "matthews",  "pearson",    "spearman",
     "spearmanr", "exact",       "success", "ndcg",   "mrr",       "throughput", "tps",
     "mfu",       "correlation", "pass",    "win",    "winrate"});
constexpr auto kBookkeeping = std::to_array<std::string_view>(
    {"time",  "runtime", "second", "seconds", "sec",    "ms",       "memory",     "mem",
     "gpu",   "cpu",     "system", "flos",    "flops",  "tflops",   "percentage", "samples",
     "steps", "step",    "epoch",  "elapsed", "tokens", "timestamp"});

bool saysLoss(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "loss" || word == "losses" || word.ends_with("loss");
    });
}

} // namespace

int metricRank(std::string_view name) {
    const std::vector<std::string> words = wordsOf(name);
    const bool bookkeeping = hasAny(words, kBookkeeping);
    const bool evaluation = hasAny(words, kEvaluation);
    if (bookkeeping || (words.size() > 1 && words.front() == "system")) {
        return 90;
    }
    if (saysLoss(words)) {
        const bool scale = std::find(words.begin(), words.end(), "scale") != words.end();
        if (scale) {
            return 60; // "loss scale" is a setting of mixed precision
        }
        return evaluation ? 10 : words.size() == 1 ? 0 : words.size() <= 3 ? 2 : 5;
    }
    if (hasAny(words, kLossLike)) {
        return evaluation ? 22 : 20;
    }
    if (hasAny(words, kLarger)) {
        return evaluation ? 30 : 32;
    }
    const bool rate = name.find("lr") != std::string_view::npos ||
                      (std::find(words.begin(), words.end(), "learning") != words.end());
    return rate ? 45 : std::find(words.begin(), words.end(), "grad") != words.end() ? 50 : 70;
}

bool largerIsBetter(std::string_view name) {
    const std::vector<std::string> words = wordsOf(name);
    return !saysLoss(words) && !hasAny(words, kLossLike) && hasAny(words, kLarger);
}

} // namespace cairn
