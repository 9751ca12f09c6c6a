// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/names.h"

#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::size_t kMaxPlaces = 64;
constexpr std::uint32_t kMaxV1Shards = 100'000; // the count is only recorded in the names

/// Variables that count an optimizer's steps: in Keras 2, Keras 3 and tf.keras.optimizers.legacy.
constexpr auto kCounters =
    std::to_array<std::string_view>({"/iterations", "/_iterations", "/iter", "/_iter"});

/// Last components of the slot names of optimizers in tf.compat.v1 and code based on it.
constexpr auto kSlotNames = std::to_array<std::string_view>(
    {"Adam",       "Adam_1",  "AdamW",           "AdamW_1",     "LAMB",        "LAMB_1",
     "Momentum",   "RMSProp", "RMSProp_1",       "RMSProp_2",   "Adagrad",     "Adadelta",
     "Adadelta_1", "Ftrl",    "Ftrl_1",          "AdaMax",      "AdaMax_1",    "adam_m",
     "adam_v",     "lamb_m",  "lamb_v",          "momentum",    "accumulator", "linear",
     "rms",        "mom",     "GradientDescent", "beta1_power", "beta2_power"});
constexpr auto kStateNames = std::to_array<std::string_view>(
    {"save_counter", "global_step", "step", "epoch", "current_epoch", "train_step", "best_loss",
     "best_accuracy", "save_count", "loss_scale", "current_loss_scale", "good_steps",
     "dynamic_counter", "training_step", "ITERATOR_STATE", "_state_var"}); // tf.data, tf.random
constexpr auto kBufferNames =
    std::to_array<std::string_view>({"moving_mean", "moving_variance", "running_mean",
                                     "running_var", "seed_generator_state", "moving_averages"});

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::string_view lastPart(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view firstPart(std::string_view path) {
    return path.substr(0, path.find('/'));
}

bool startsLikeOptimizer(std::string_view first) {
    return first == "optimizer" || first == "_optimizer" || first == "opt" ||
           first == "optimizers" || first.ends_with("_optimizer") ||
           first.starts_with("optimizer_") || first.ends_with("_opt");
}

/// Keras 3's optimizers have a list of the variables that they train. A checkpoint names a variable
/// by the shortest path through the objects, which may lead through this list instead of the model.
bool isTrainedVariable(std::string_view path) {
    constexpr std::string_view kList = "/_trainable_variables/";
    const std::size_t at = path.find(kList);
    return at != std::string_view::npos &&
           path.find_first_not_of("0123456789", at + kList.size()) == std::string_view::npos;
}

std::optional<std::uint32_t> fiveDigits(std::string_view text) {
    std::uint32_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
    return whole && text.size() >= 5 ? std::optional(value) : std::nullopt;
}

/// The numbers in "<base>00003-of-00007", after the base.
std::optional<std::pair<std::uint32_t, std::uint32_t>> numbers(std::string_view text) {
    const std::size_t of = text.find("-of-");
    if (of == std::string_view::npos) {
        return std::nullopt;
    }
    const auto index = fiveDigits(text.substr(0, of));
    const auto count = index ? fiveDigits(text.substr(of + 4)) : std::nullopt;
    return count && *index < *count ? std::optional(std::pair(*index, *count)) : std::nullopt;
}

} // namespace

std::string_view withoutValueSuffix(std::string_view key) {
    return key.ends_with(kValueSuffix) ? key.substr(0, key.size() - kValueSuffix.size()) : key;
}

void OptimizerPlaces::see(std::string_view key) {
    m_besideModel = m_besideModel || names::isModelKey(firstPart(key));
    const std::string_view path = withoutValueSuffix(key);
    for (const std::string_view counter : kCounters) {
        if (path.size() != key.size() && path.ends_with(counter) && m_places.size() < kMaxPlaces) {
            m_places.emplace_back(path.substr(0, path.size() - counter.size() + 1));
        }
    }
}

bool OptimizerPlaces::holds(std::string_view key) const {
    return std::ranges::any_of(m_places,
                               [&](const std::string& place) { return key.starts_with(place); });
}

Role roleOf(std::string_view key, Dtype dtype, const OptimizerPlaces& optimizers) {
    const std::string_view path = withoutValueSuffix(key);
    const std::string_view leaf = lastPart(path);
    if (path.size() != key.size() && isTrainedVariable(path)) {
        return Role::Weight;
    }
    if (key.find("/.OPTIMIZER_SLOT/") != std::string_view::npos || optimizers.holds(key) ||
        (startsLikeOptimizer(firstPart(key)) && !names::isParameterName(leaf))) {
        return Role::Optimizer;
    }
    if (key == kObjectGraphKey || dtype == Dtype::String || leaf == "table-keys" ||
        leaf == "table-values") {
        return Role::Other;
    }
    constexpr std::string_view kKerasMetrics = "keras_api/metrics/"; // of a SavedModel
    if (isOneOf(kStateNames, leaf) || key.starts_with(kKerasMetrics)) {
        return Role::TrainingState;
    }
    if (isOneOf(kSlotNames, leaf) || isOneOf(kSlotNames, names::withoutNumber(leaf))) {
        return Role::Optimizer;
    }
    if (leaf == "ExponentialMovingAverage" ||
        (firstPart(key) == "ema" && optimizers.besideModel()) || leaf == "average") {
        return Role::Ema;
    }
    return isOneOf(kBufferNames, leaf) || names::isBufferName(leaf) ? Role::Buffer : Role::Weight;
}

int stepRank(std::string_view key) {
    const std::string_view path = withoutValueSuffix(key);
    if (path == "global_step" || path.ends_with("/global_step")) {
        return 1;
    }
    if (path == "step" || path == "train_step" || path == "training_step") {
        return 4;
    }
    for (const std::string_view counter : kCounters) {
        if (path.ends_with(counter)) {
            const std::string_view owner = path.substr(0, path.size() - counter.size());
            const bool inner = lastPart(owner) == "inner_optimizer";
            const bool top = owner == "optimizer" || owner == "optimizer/inner_optimizer";
            return (top ? 2 : 5) + (inner ? 0 : 1);
        }
    }
    return path == "save_counter" ? 7 : 0;
}

int epochRank(std::string_view key) {
    const std::string_view path = withoutValueSuffix(key);
    return path == "epoch" ? 1 : path == "current_epoch" || lastPart(path) == "epoch" ? 2 : 0;
}

std::optional<ShardFile> parseShardFile(std::string_view name) {
    constexpr std::string_view kMiddle = ".data-";
    const std::size_t at = name.rfind(kMiddle);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto parts = numbers(name.substr(at + kMiddle.size()));
    return parts ? std::optional(ShardFile{name.substr(0, at), parts->first, parts->second})
                 : std::nullopt;
}

std::string shardFileName(std::string_view prefix, std::uint64_t index, std::uint64_t count) {
    return v1ShardName(std::string(prefix) + ".data", index, count);
}

std::optional<ShardFile> parseV1Shard(std::string_view name) {
    const std::size_t of = name.rfind("-of-");
    if (of == std::string_view::npos || parseShardFile(name)) {
        return std::nullopt;
    }
    const std::size_t last = name.substr(0, of).find_last_not_of("0123456789");
    if (last == std::string_view::npos || last == 0 || name[last] != '-') {
        return std::nullopt;
    }
    const auto parts = numbers(name.substr(last + 1));
    return parts && parts->second <= kMaxV1Shards
               ? std::optional(ShardFile{name.substr(0, last), parts->first, parts->second})
               : std::nullopt;
}

std::string v1ShardName(std::string_view prefix, std::uint64_t index, std::uint64_t count) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "-%05llu-of-%05llu",
                                     static_cast<unsigned long long>(index),
                                     static_cast<unsigned long long>(count));
    return std::string(prefix) + std::string(text.data(), static_cast<std::size_t>(length));
}

bool isPartIndex(std::string_view name) {
    constexpr std::string_view kPart = "part-";
    if (!name.starts_with(kPart) || !name.ends_with(kIndexSuffix)) {
        return false;
    }
    name.remove_prefix(kPart.size());
    name.remove_suffix(kIndexSuffix.size());
    return numbers(name).has_value();
}

} // namespace cairn::formats::tensorflow
