// SPDX-License-Identifier: Apache-2.0
//
// Where trainers keep such numbers: plain loops at the top; transformers in trainer_state.json;
// torch optimizers in param_groups[].lr and state[].step, schedulers in _last_lr
// (torch/optim/optimizer.py, lr_scheduler.py); Lightning in the state of its ModelCheckpoint
// (lightning/pytorch/callbacks/model_checkpoint.py).
#include "core/runs/checkpoint_metrics.h"

#include "core/base/ascii.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

namespace cairn {
namespace {

constexpr std::size_t kMaxMetrics = 64;
constexpr auto kMetricWords =
    std::to_array<std::string_view>({"loss", "acc", "perplexity", "ppl", "bleu", "rouge", "f1",
                                     "auc", "score", "metric", "reward", "wer", "mse", "rmse", "map"});
constexpr auto kOptimizers = std::to_array<std::string_view>(
    {"optimizer", "optimizer_state_dict", "optimizer_states", "optim", "opt"});
constexpr auto kSchedulers = std::to_array<std::string_view>(
    {"scheduler", "lr_scheduler", "lr_schedulers", "scheduler_state_dict", "sched"});

/// Where a word may begin: behind what is no letter, and where camelCase does ("macroF1").
bool isBorder(std::string_view name, std::size_t at) {
    if (at == 0 || !isLetter(name[at - 1])) {
        return true;
    }
    const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    return isLower(name[at - 1]) && isLetter(name[at]) && !isLower(name[at]);
}

/// Short words are often part of others: "wer" of "power". "acc" stands in "trainacc", too.
bool hasWord(std::string_view name, std::string_view lower, std::string_view word) {
    const bool anywhere = word.size() > 3 || word == "acc";
    for (std::size_t at = lower.find(word); at != std::string_view::npos;
         at = lower.find(word, at + 1)) {
        if (anywhere || isBorder(name, at)) {
            return true;
        }
    }
    return false;
}

/// Of a path ("val/loss") the last part tells.
bool looksLikeMetric(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    std::string lower;
    std::ranges::transform(name, std::back_inserter(lower),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::any_of(
        kMetricWords, [&](std::string_view word) { return hasWord(name, lower, word); });
}

/// The first of a container's values; null when there is none.
const Value* firstOf(const Value* value) {
    return value != nullptr && !value->items().empty() ? &value->items().front().value : nullptr;
}

/// The dict under the key, or the first of the list of dicts there.
const Value* dictUnder(const Value& values, std::string_view key) {
    const Value* found = values.find(key);
    return found != nullptr && found->kind() == ValueKind::List ? firstOf(found) : found;
}

class Collector {
public:
    Collector(const Checkpoint& checkpoint, const Value& values)
        : m_checkpoint(checkpoint), m_values(values) {}

    std::vector<std::pair<std::string, double>> collect() {
        addFrom(m_values, false);
        for (const std::string_view key : {"metrics", "trainer_state"}) {
            if (const Value* inner = m_values.find(key)) {
                addFrom(*inner, key == "metrics");
            }
        }
        addRate();
        addOptimizerStep();
        addMonitored();
        return std::move(m_metrics);
    }

private:
    bool add(const std::string& name, const Value* value) {
        const bool known = std::ranges::any_of(
            m_metrics, [&](const auto& metric) { return metric.first == name; });
        if (value == nullptr || known || m_metrics.size() >= kMaxMetrics) {
            return false;
        }
        const auto number = numberOf(m_checkpoint, *value);
        if (number) {
            m_metrics.emplace_back(name, *number);
        }
        return number.has_value();
    }

    /// What only training needs is no result of it, whatever a variable's name may hold.
    bool isState(const Value& value) const {
        const TensorIndex* index = value.asTensor();
        return index != nullptr && m_checkpoint.tensor(*index).role == Role::Optimizer;
    }

    void addFrom(const Value& dict, bool all) {
        for (const ValueItem& item : dict.items()) {
            const std::string* name = item.key.asString();
            if (name != nullptr && !isState(item.value) && (all || looksLikeMetric(*name))) {
                add(*name, &item.value);
            }
        }
    }

    void addRate() {
        for (const char* name : {"lr", "learning_rate"}) {
            if (add(name, m_values.find(name))) {
                return;
            }
        }
        for (const std::string_view key : kOptimizers) {
            const Value* optimizer = dictUnder(m_values, key);
            const Value* group =
                optimizer != nullptr ? firstOf(optimizer->find("param_groups")) : nullptr;
            if (group != nullptr && add("lr", group->find("lr"))) {
                return;
            }
        }
        for (const std::string_view key : kSchedulers) {
            const Value* scheduler = dictUnder(m_values, key);
            if (scheduler != nullptr && add("lr", firstOf(scheduler->find("_last_lr")))) {
                return;
            }
        }
    }

    void addOptimizerStep() {
        for (const std::string_view key : kOptimizers) {
            const Value* optimizer = dictUnder(m_values, key);
            const Value* state = optimizer != nullptr ? firstOf(optimizer->find("state")) : nullptr;
            if (state != nullptr && add("optimizer step", state->find("step"))) {
                return;
            }
        }
    }

    void addMonitored() {
        const Value* callbacks = m_values.find("callbacks");
        if (callbacks == nullptr) {
            return;
        }
        for (const ValueItem& item : callbacks->items()) {
            const Value* monitor = item.value.find("monitor");
            if (monitor != nullptr && monitor->asString() != nullptr) {
                add(*monitor->asString(), item.value.find("current_score"));
                add("best_" + *monitor->asString(), item.value.find("best_model_score"));
            }
        }
    }

    const Checkpoint& m_checkpoint;
    const Value& m_values;
    std::vector<std::pair<std::string, double>> m_metrics;
};

} // namespace

std::optional<double> numberOf(const Checkpoint& checkpoint, const Value& value) {
    if (const std::int64_t* integer = value.asInt()) {
        return static_cast<double>(*integer);
    }
    if (const double* real = value.asFloat()) {
        return *real;
    }
    const TensorIndex* index = value.asTensor();
    if (index == nullptr) {
        return std::nullopt;
    }
    const TensorEntry& tensor = checkpoint.tensor(*index);
    if (!tensor.shape.empty() || !hasNumericElements(tensor.dtype)) {
        return std::nullopt;
    }
    const auto bytes = readWhole(checkpoint, tensor, 16);
    return bytes ? std::optional(elementAsDouble(tensor.dtype, *bytes)) : std::nullopt;
}

std::vector<std::pair<std::string, double>> metricsOf(const Checkpoint& checkpoint,
                                                      const Value& values) {
    return Collector(checkpoint, values).collect();
}

} // namespace cairn
