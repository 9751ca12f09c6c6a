// SPDX-License-Identifier: Apache-2.0
//
// Source of facts: `higher_is_better` of torchmetrics' classes, `greater_is_better` of
// scikit-learn's scorers, the evaluators of Keras, MLflow, Stable Baselines and YOLO. Where they
// contradict each other there is no row.
#include "core/model/names/metric_words.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace cairn::names {
namespace {

constexpr auto kSmaller = Direction::Smaller;
constexpr auto kLarger = Direction::Larger;

struct MetricWord {
    std::string_view text;
    Direction better = Direction::Unknown;
};

/// In alphabetical order; trailing digits of a word are ignored unless they are listed here.
constexpr auto kMetricWords = std::to_array<MetricWord>({
    {"acc", kLarger},          {"accuracies", kLarger},  {"accuracy", kLarger},
    {"ap", kLarger},           {"auc", kLarger},         {"auprc", kLarger},
    {"auroc", kLarger},        {"bertscore", kLarger},   {"bleu", kLarger},
    {"bpb", kSmaller},         {"bpc", kSmaller},        {"bpd", kSmaller},
    {"brier", kSmaller},       {"calinski", kLarger},    {"cer", kSmaller},
    {"chrf", kLarger},         {"cider", kLarger},       {"comet", kLarger},
    {"completeness", kLarger}, {"concordance", kLarger}, {"corr", kLarger},
    {"correct", kLarger},      {"correlation", kLarger}, {"cost", kSmaller},
    {"crps", kSmaller},        {"dcg", kLarger},         {"deviance", kSmaller},
    {"dice", kLarger},         {"disparity", kSmaller},  {"distance", kSmaller},
    {"divergence", kSmaller},  {"dunn", kLarger},        {"ece", kSmaller},
    {"eer", kSmaller},         {"elbo", kLarger},        {"elo", kLarger},
    {"err", kSmaller},         {"error", kSmaller},      {"errors", kSmaller},
    {"exact", kLarger},        {"f1", kLarger},          {"f2", kLarger},
    {"fbeta", kLarger},        {"fid", kSmaller},        {"fidelity", kLarger},
    {"fowlkes", kLarger},      {"fps", kLarger},         {"fscore", kLarger},
    {"hamming", kSmaller},     {"hausdorff", kSmaller},  {"hit", kLarger},
    {"hits", kLarger},         {"homogeneity", kLarger}, {"intelligibility", kLarger},
    {"iou", kLarger},          {"jaccard", kLarger},     {"kappa", kLarger},
    {"kendall", kLarger},      {"kid", kSmaller},        {"kl", kSmaller},
    {"likelihood", kLarger},   {"logloss", kSmaller},    {"lost", kSmaller},
    {"lpips", kSmaller},       {"mae", kSmaller},        {"map", kLarger},
    {"mape", kSmaller},        {"mar", kLarger},         {"mase", kSmaller},
    {"matthews", kLarger},     {"mcc", kLarger},         {"mcd", kSmaller},
    {"meteor", kLarger},       {"mfu", kLarger},         {"miou", kLarger},
    {"mos", kLarger},          {"mrr", kLarger},         {"mse", kSmaller},
    {"msle", kSmaller},        {"ndcg", kLarger},        {"nll", kSmaller},
    {"nrmse", kSmaller},       {"panoptic", kLarger},    {"pass", kLarger},
    {"pck", kLarger},          {"pearson", kLarger},     {"perplexity", kSmaller},
    {"pesq", kLarger},         {"ppl", kSmaller},        {"precision", kLarger},
    {"psnr", kLarger},         {"r2", kLarger},          {"rand", kLarger},
    {"recall", kLarger},       {"regret", kSmaller},     {"return", kLarger},
    {"returns", kLarger},      {"rew", kLarger},         {"reward", kLarger},
    {"rewards", kLarger},      {"rmse", kSmaller},       {"rmsle", kSmaller},
    {"roc", kLarger},          {"rouge", kLarger},       {"rougel", kLarger},
    {"rougelsum", kLarger},    {"sacrebleu", kLarger},   {"sdr", kLarger},
    {"sensitivity", kLarger},  {"similarity", kLarger},  {"smape", kSmaller},
    {"snr", kLarger},          {"spearman", kLarger},    {"spearmanr", kLarger},
    {"specificity", kLarger},  {"spice", kLarger},       {"ssim", kLarger},
    {"stoi", kLarger},         {"success", kLarger},     {"ter", kSmaller},
    {"tflops", kLarger},       {"throughput", kLarger},  {"top", kLarger},
    {"tps", kLarger},          {"wape", kSmaller},       {"wer", kSmaller},
    {"win", kLarger},          {"winrate", kLarger},     {"wins", kLarger},
    {"wmape", kSmaller},
});
static_assert(std::ranges::is_sorted(kMetricWords, {}, &MetricWord::text));

struct Phrase {
    std::array<std::string_view, 3> words; ///< consecutive words; the last may be empty
    Direction better = Direction::Unknown;
};

/// Phrases whose words alone would give a wrong direction, or none.
constexpr auto kPhrases = std::to_array<Phrase>({
    {{"bits", "per", "byte"}, kSmaller},
    {{"per", "second", {}}, kLarger},
    {{"per", "sec", {}}, kLarger},
    {{"explained", "variance", {}}, kLarger},
    {{"negative", "log", "likelihood"}, kSmaller},
    {{"neg", "log", "likelihood"}, kSmaller},
    {{"false", "positive", {}}, kSmaller},
    {{"false", "negative", {}}, kSmaller},
    {{"true", "positive", {}}, kLarger},
    {{"true", "negative", {}}, kLarger},
    {{"predictive", "value", {}}, kLarger},
    {{"image", "patch", "similarity"}, kSmaller}, // LPIPS, a distance
    {{"texture", "similarity", {}}, kSmaller},    // DISTS
    {{"ranked", "probability", {}}, kSmaller},
    {{"noise", "ratio", {}}, kLarger},
    {{"distortion", "ratio", {}}, kLarger},
    {{"intersection", "over", "union"}, kLarger},
    {{"hit", "rate", {}}, kLarger},
    {{"fall", "out", {}}, kSmaller},
    {{"total", "variation", {}}, kSmaller},
    {{"spectral", "angle", {}}, kSmaller},
    {{"mutual", "info", {}}, kLarger},
    {{"opinion", "score", {}}, kLarger},
});

/// Words for values that are not the metric itself: its spread, its weight, a setting.
constexpr auto kNeither = std::to_array<std::string_view>(
    {"bouldin", "coef",        "count",     "entropy",  "len",      "length", "lr",
     "margin",  "norm",        "num",       "rejected", "sem",      "std",    "stddev",
     "stderr",  "temperature", "threshold", "var",      "variance", "weight", "weights"});

/// Members of the states of Trainer, Lightning and plain loops that are results.
constexpr auto kResults = std::to_array<std::string_view>(
    {"current_epoch", "current_step", "epoch", "global_step", "is_hyper_param_search",
     "is_local_process_zero", "is_world_process_zero", "iteration", "last_epoch", "log_history",
     "num_input_tokens_seen", "stateful_callbacks", "step", "total_flos", "total_steps_done"});

constexpr auto kTraining = std::to_array<std::string_view>({"train", "training"});
constexpr auto kHeldOut = std::to_array<std::string_view>(
    {"dev", "eval", "evaluation", "heldout", "test", "val", "valid", "validation"});

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::ranges::find(words, word) != words.end();
}

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}

Direction rowOf(std::string_view text) {
    const auto row = std::ranges::lower_bound(kMetricWords, text, {}, &MetricWord::text);
    return row != kMetricWords.end() && row->text == text ? row->better : Direction::Unknown;
}

Direction betterOf(std::string_view word) {
    if (isLossWord(word)) {
        return kSmaller;
    }
    const Direction exact = rowOf(word);
    while (!word.empty() && isDigit(word.back())) {
        word.remove_suffix(1);
    }
    return exact != Direction::Unknown ? exact : rowOf(word);
}

Direction byPhrase(std::span<const std::string> words) {
    for (const Phrase& phrase : kPhrases) {
        const auto size = static_cast<std::ptrdiff_t>(phrase.words[2].empty() ? 2 : 3);
        if (std::search(words.begin(), words.end(), phrase.words.begin(),
                        phrase.words.begin() + size) != words.end()) {
            return phrase.better;
        }
    }
    return Direction::Unknown;
}

/// "valloss" -> "loss": removes a word for the part of the data that is joined to the metric.
std::string_view withoutSplit(std::string_view word) {
    for (const std::span<const std::string_view> list :
         {std::span<const std::string_view>(kTraining),
          std::span<const std::string_view>(kHeldOut)}) {
        for (const std::string_view split : list) {
            const std::string_view rest = word.substr(std::min(split.size(), word.size()));
            const bool isMeasure = rest == "loss" || rowOf(rest) != Direction::Unknown;
            if (word.starts_with(split) && isMeasure && rowOf(word) == Direction::Unknown) {
                return rest;
            }
        }
    }
    return word;
}

Direction byWords(const std::vector<std::string>& words) {
    const bool isLoss = std::ranges::any_of(words, isLossWord);
    for (std::size_t i = words.size(); i-- > 0 && !isLoss;) {
        const std::string joined = i > 0 ? words[i - 1] + words[i] : std::string(); // "mAP", "IoU"
        for (const std::string_view word : {std::string_view(joined), withoutSplit(words[i])}) {
            if (const Direction better = betterOf(word); better != Direction::Unknown) {
                return better;
            }
        }
    }
    const bool isScore = std::ranges::any_of(
        words, [](const std::string& word) { return word == "score" || word == "scores"; });
    return isLoss ? kSmaller : isScore ? kLarger : Direction::Unknown;
}

} // namespace

bool namesResult(std::string_view key) {
    return key.starts_with("best_") || key.ends_with("_runtime") || key.ends_with("_per_second") ||
           isOneOf(key, kResults);
}

bool isLossWord(std::string_view word) {
    return word == "losses" || word.ends_with("loss");
}

std::vector<std::string> metricWords(std::string_view metric) {
    std::vector<std::string> words;
    bool inWord = false;
    for (std::size_t i = 0; i < metric.size(); ++i) {
        const char c = metric[i];
        if (!isLetter(c) && !isDigit(c)) {
            inWord = false;
            continue;
        }
        const bool after = i > 0 && isLetter(metric[i - 1]) && !isUpper(metric[i - 1]);
        const bool before = i > 0 && isUpper(metric[i - 1]) && i + 1 < metric.size() &&
                            isLetter(metric[i + 1]) && !isUpper(metric[i + 1]);
        const bool humps = i > 0 && isDigit(metric[i - 1]); // "F1Score"
        if (!inWord || (isUpper(c) && (after || before || humps))) {
            words.emplace_back();
        }
        inWord = true;
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

Direction directionOf(std::string_view metric) {
    const std::vector<std::string> words = metricWords(metric);
    if (const Direction better = byPhrase(words); better != Direction::Unknown) {
        return better;
    }
    const bool correlates = std::ranges::find(words, "corr") != words.end(); // "…CorrCoef"
    const auto isNeither = [](const std::string& word) { return isOneOf(word, kNeither); };
    const bool isScale =
        !words.empty() && words.back() == "scale"; // "loss_scale", but not "MultiScaleSSIM"
    if (isScale || (!correlates && std::ranges::any_of(words, isNeither))) {
        return Direction::Unknown;
    }
    const Direction better = byWords(words);
    const bool negated = std::ranges::find(words, "neg") != words.end();
    return !negated || better == Direction::Unknown ? better
           : better == kSmaller                     ? kLarger
                                                    : kSmaller;
}

bool isSplitWord(std::string_view word) {
    return isOneOf(word, kTraining) || isOneOf(word, kHeldOut);
}

Split splitOf(std::string_view metric) {
    Split split = Split::None;
    for (const std::string& word : metricWords(metric)) {
        const std::string_view rest = withoutSplit(word);
        const std::string_view part = std::string_view(word).substr(0, word.size() - rest.size());
        if (isOneOf(word, kHeldOut) || isOneOf(part, kHeldOut)) {
            return Split::HeldOut;
        }
        split = isOneOf(word, kTraining) || isOneOf(part, kTraining) ? Split::Training : split;
    }
    return split;
}

std::string measureOf(std::string_view metric) {
    std::string measure;
    for (const std::string& word : metricWords(metric)) {
        if (!isSplitWord(word)) {
            measure += (measure.empty() ? "" : " ") + std::string(withoutSplit(word));
        }
    }
    return measure.empty() ? std::string(metric) : measure;
}

std::string meaningOf(std::string_view metric) {
    return measureOf(metric) + (splitOf(metric) == Split::HeldOut ? ", held out" : "");
}

} // namespace cairn::names
