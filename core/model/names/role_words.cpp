// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/role_words.h"

#include "core/model/names/optimizer_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace cairn::names {
namespace {

constexpr std::uint8_t kKey = 1;   ///< keys of dicts, and the first component of tensor names
constexpr std::uint8_t kFile = 2;  ///< files beside a model's
constexpr std::uint8_t kNever = 4; ///< a file with this stem is never a checkpoint

struct Stem {
    std::string_view text;
    Role role;
    std::uint8_t uses;
};

constexpr auto kStems = std::to_array<Stem>({
    {"optimizer", Role::Optimizer, kKey | kFile},
    {"optimizers", Role::Optimizer, kKey | kFile},
    {"optim", Role::Optimizer, kKey | kFile},
    {"opt", Role::Optimizer, kKey | kFile},
    {"optimizer_state", Role::Optimizer, kKey | kFile},
    {"optimizer_states", Role::Optimizer, kKey},
    {"optimizer_state_dict", Role::Optimizer, kKey | kFile},
    {"optim_state_dict", Role::Optimizer, kKey},
    {"opt_state", Role::Optimizer, kKey},
    {"ema", Role::Ema, kKey | kFile},
    {"model_ema", Role::Ema, kKey | kFile},
    {"ema_model", Role::Ema, kKey | kFile},
    {"ema_params", Role::Ema, kKey},
    {"ema_state", Role::Ema, kKey},
    {"ema_state_dict", Role::Ema, kKey},
    {"state_dict_ema", Role::Ema, kKey},
    {"scheduler", Role::Scheduler, kKey | kFile | kNever},
    {"scheduler_state", Role::Scheduler, kFile},
    {"scheduler_state_dict", Role::Scheduler, kKey},
    {"lr_scheduler", Role::Scheduler, kKey | kFile},
    {"lr_schedulers", Role::Scheduler, kKey},
    {"lr_scheduler_state_dict", Role::Scheduler, kKey},
    {"sched", Role::Scheduler, kKey | kFile},
    {"rng", Role::Rng, kKey | kFile},
    {"rng_state", Role::Rng, kKey | kFile | kNever},
    {"rng_states", Role::Rng, kKey | kFile},
    {"rng_state_dict", Role::Rng, kKey},
    {"cuda_rng_state", Role::Rng, kKey},
    {"torch_rng_state", Role::Rng, kKey},
    {"numpy_rng_state", Role::Rng, kKey},
    {"np_rng_state", Role::Rng, kKey},
    {"python_rng_state", Role::Rng, kKey},
    {"random_rng_state", Role::Rng, kKey},
    {"rng_tracker_states", Role::Rng, kKey},
    {"torch_rng", Role::Rng, kKey},
    {"cuda_rng", Role::Rng, kKey},
    {"numpy_rng", Role::Rng, kKey},
    {"python_rng", Role::Rng, kKey},
    {"rng_cpu", Role::Rng, kKey},
    {"rng_cuda", Role::Rng, kKey},
    {"random_state", Role::Rng, kKey | kFile},
    {"random_states", Role::Rng, kKey | kFile | kNever},
    {"trainer", Role::TrainingState, kFile},
    {"trainer_state", Role::TrainingState, kKey | kFile},
    {"train_state", Role::TrainingState, kKey | kFile},
    {"training_state", Role::TrainingState, kFile},
    {"training_args", Role::TrainingState, kKey | kFile | kNever},
    {"extra_state", Role::TrainingState, kKey | kFile},
    {"args", Role::TrainingState, kKey},
    {"hyper_parameters", Role::TrainingState, kKey},
    {"loops", Role::TrainingState, kKey},
    {"callbacks", Role::TrainingState, kKey},
    {"dataloader", Role::TrainingState, kKey | kFile},
    {"sampler", Role::TrainingState, kKey | kFile | kNever},
    {"scaler", Role::TrainingState, kKey | kFile | kNever},
    {"grad_scaler", Role::TrainingState, kKey | kFile},
    {"amp_scaler", Role::TrainingState, kKey | kFile},
    {"fp16_scaler", Role::TrainingState, kKey | kFile},
    {"loss_scaler", Role::TrainingState, kKey | kFile},
});

constexpr auto kScalers = std::to_array<std::string_view>(
    {"scaler", "grad_scaler", "amp_scaler", "fp16_scaler", "loss_scaler", "scaler_state_dict",
     "grad_scaler_state_dict", "MixedPrecision", "native_amp_scaling_state"});
constexpr auto kLoaders = std::to_array<std::string_view>(
    {"sampler", "dataloader", "train_dataloader", "train_loader", "data_loader", "dl_state_dict",
     "dataloader_state_dict", "sampler_state_dict"});
constexpr auto kModelKeys =
    std::to_array<std::string_view>({"model", "state_dict", "model_state_dict", "net", "network",
                                     "module", "params", "batch_stats"});
constexpr auto kPackingKeys =
    std::to_array<std::string_view>({"model", "state_dict", "model_state_dict", "model_state",
                                     "module", "app", "net", "network", "params", "weights"});
constexpr auto kAverages = std::to_array<std::string_view>(
    {"ema", "model_ema", "ema_model", "ema_state_dict", "state_dict_ema", "ema_state", "swa_model",
     "model_swa", "model_avg", "avg_model", "averaged_model", "exponential_moving_average"});
constexpr auto kAverageWords = std::to_array<std::string_view>({"ema", "swa", "averaged"});
constexpr auto kNegations = std::to_array<std::string_view>({"no", "non", "without"});
constexpr auto kKeptByTraining =
    std::to_array<std::string_view>({"current_model_state", "averaging_state", "message_hub",
                                     "loss", "criterion", "early_stopping", "early_stopper"});
constexpr auto kMeasures = std::to_array<std::string_view>( // each is a single number
    {"best", "acc", "score", "metric", "epoch", "step", "steps", "iter", "iteration", "iterations",
     "lr", "bleu", "ppl", "perplexity", "fitness", "loss", "accuracy"});
constexpr auto kCurves =
    std::to_array<std::string_view>({"loss", "losses", "accuracy", "metrics", "history"});

constexpr auto kWrappers =
    std::to_array<std::string_view>({"app", "state", "state_dict", "checkpoint", "train"});
constexpr auto kParameters =
    std::to_array<std::string_view>({"kernel", "gamma", "beta", "embedding", "running_mean",
                                     "running_var", "num_batches_tracked", "weight_g", "weight_v"});
constexpr auto kBufferLeaves = std::to_array<std::string_view>({
    "running_mean",
    "running_var",
    "num_batches_tracked",
    "inv_freq",
    "position_ids",
    "token_type_ids",
    "rotary_emb",
    "masked_bias",
    "attn_mask",
    "freqs_cis",
    "_extra_state",
});

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// Removes the number in "optimizer_0", "rng_state_1", for keys also in "optimizer0".
std::string_view withoutCount(std::string_view text, std::uint8_t use) {
    const std::size_t last = text.find_last_not_of("0123456789_");
    return use == kKey && last != std::string_view::npos ? text.substr(0, last + 1)
                                                         : withoutNumber(text);
}

const Stem* stemFor(std::string_view text, std::uint8_t use) {
    const auto is = [&](std::string_view word) {
        return std::ranges::find_if(
            kStems, [&](const Stem& stem) { return stem.text == word && (stem.uses & use) != 0; });
    };
    const auto found = is(text);
    const auto counted = found != kStems.end() ? found : is(withoutCount(text, use));
    return counted == kStems.end() ? nullptr : &*counted;
}

std::optional<Role> roleFor(std::string_view text, std::uint8_t use) {
    const Stem* stem = stemFor(text, use);
    return stem == nullptr ? std::nullopt : std::optional(stem->role);
}

/// Words of a key, without trailing digits: "best_acc1" -> best, acc.
std::vector<std::string> wordsOfKey(std::string_view key) {
    std::vector<std::string> words(1);
    for (const char c : lowered(key)) {
        if (c == '_' || c == '-' || c == '/' || c == ' ') {
            words.emplace_back();
        } else if (c < '0' || c > '9') {
            words.back() += c;
        }
    }
    return words;
}

} // namespace

std::optional<Role> roleOfKey(std::string_view stem) {
    return roleFor(stem, kKey);
}

std::optional<Role> roleOfFile(std::string_view stem) {
    return roleFor(stem, kFile);
}

bool isScalerKey(std::string_view stem) {
    const std::string_view word = withoutCount(stem, kKey);
    return isOneOf(kScalers, stem) || isOneOf(kScalers, word);
}

bool isLoaderKey(std::string_view stem) {
    const std::string_view word = withoutCount(stem, kKey);
    return isOneOf(kLoaders, stem) || isOneOf(kLoaders, word);
}

bool isNeverAlone(std::string_view stem) {
    return stemFor(stem, kNever) != nullptr;
}

bool isModelKey(std::string_view key) {
    return isOneOf(kModelKeys, key);
}

bool isPackingKey(std::string_view key) {
    return isOneOf(kPackingKeys, key);
}

bool isAverageKey(std::string_view key) {
    const std::string word = lowered(key);
    const std::vector<std::string> words = wordsOfKey(key);
    const bool isAverage = std::ranges::any_of(
        words, [](const std::string& each) { return isOneOf(kAverageWords, each); });
    const bool isNot = std::ranges::any_of(
        words, [](const std::string& each) { return isOneOf(kNegations, each); });
    return isOneOf(kAverages, word) || (isAverage && !isNot);
}

bool isBestKey(std::string_view key) {
    const std::vector<std::string> words = wordsOfKey(key);
    return std::ranges::find(words, "best") != words.end();
}

bool isTrainingKey(std::string_view key) {
    const std::string word = lowered(key);
    return isOneOf(kKeptByTraining, word) || word.ends_with("_loss") ||
           word.ends_with("_criterion");
}

bool isWrapperKey(std::string_view key) {
    return isOneOf(kWrappers, key) || key.starts_with("chained_");
}

bool isMomentName(std::string_view part) {
    const StateWord* word = stateWord(part);
    return word != nullptr && word->distinct;
}

bool isParameterName(std::string_view leaf) {
    return leaf.ends_with("weight") || leaf.ends_with("bias") || isOneOf(kParameters, leaf);
}

bool isBufferName(std::string_view name) {
    return isOneOf(kBufferLeaves, name.substr(name.find_last_of(kPartEnds) + 1));
}

bool namesAMeasure(std::string_view key) {
    const std::vector<std::string> words = wordsOfKey(key);
    return std::ranges::any_of(words, [](const auto& word) { return isOneOf(kMeasures, word); });
}

bool namesACurve(std::string_view key) {
    return isOneOf(kCurves, wordsOfKey(key).back());
}

} // namespace cairn::names
