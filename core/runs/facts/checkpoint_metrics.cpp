// SPDX-License-Identifier: Apache-2.0
//
// Where trainers keep such numbers: plain loops at the top; transformers in trainer_state.json;
// torch optimizers in param_groups[].lr and state[].step, schedulers in _last_lr
// (torch/optim/optimizer.py, lr_scheduler.py); Lightning in the state of its ModelCheckpoint
// (lightning/pytorch/callbacks/model_checkpoint.py).
#include "core/runs/facts/checkpoint_metrics.h"

#include "core/base/ascii.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

namespace cairn {
namespace {

constexpr std::size_t kMaxMetrics = 64;
constexpr auto kMetricWords = std::to_array<std::string_view>(
    {"loss", "acc", "perplexity", "ppl", "bleu", "rouge", "f1", "auc", "score", "metric", "reward",
     "wer", "mse", "rmse", "map"});
constexpr auto kOptimizers = std::to_array<std::string_view>(
    {"optimizer", "optimizer_state_dict", "optimizer_states", "optim", "opt"});
constexpr auto kSchedulers = std::to_array<std::string_view>(
    {"scheduler", "lr_scheduler", "lr_schedulers", "scheduler_state_dict", "sched"});

/// Where training loops keep the metrics of the save; "train_metrics" is Ultralytics'.
constexpr auto kMetricDicts =
    std::to_array<std::string_view>({"metrics", "train_metrics", "val_metrics", "eval_metrics"});

/// Where training loops keep their state with the last loss: as those of the position
/// (training_position.cpp).
constexpr auto kTrainingStates =
    std::to_array<std::string_view>({"trainer_state", "train_state", "training_state", "training",
                                     "state", "extra_state", "meta", "progress"});

/// Whether a word may begin here: after a character that is not a letter, or at a capital letter
/// ("macroF1").
bool isBorder(std::string_view name, std::size_t at) {
    if (at == 0 || !isLetter(name[at - 1])) {
        return true;
    }
    const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    return isLower(name[at - 1]) && isLetter(name[at]) && !isLower(name[at]);
}

/// Short words are often part of other words: "wer" in "power". "acc" is also accepted in
/// "trainacc".
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

/// A value and its dotted path.
struct FieldOfValues {
    const Value* value = nullptr;
    std::string field;

    [[nodiscard]] FieldOfValues at(std::string_view key) const {
        return {value != nullptr ? value->find(key) : nullptr,
                field.empty() ? std::string(key) : field + "." + std::string(key)};
    }
    /// The first of a container's values; null if it is empty.
    [[nodiscard]] FieldOfValues first() const {
        if (value == nullptr || value->items().empty()) {
            return {};
        }
        const ValueItem& item = value->items().front();
        return {&item.value,
                field + "." + (value->kind() == ValueKind::List ? "0" : keyText(item.key))};
    }
    /// The dict, or the first of the list of dicts.
    [[nodiscard]] FieldOfValues dict() const {
        return value != nullptr && value->kind() == ValueKind::List ? first() : *this;
    }
};

class Collector {
public:
    Collector(const Checkpoint& checkpoint, const Value& values)
        : m_checkpoint(checkpoint), m_root{&values, {}} {}

    std::vector<HeldNumber> collect() {
        addFrom(m_root, Names::OfMetrics);
        for (const std::string_view key : kMetricDicts) {
            addFrom(m_root.at(key), Names::Any);
        }
        for (const std::string_view key : kTrainingStates) {
            addFrom(m_root.at(key), Names::OfMetrics);
        }
        addRate();
        addOptimizerStep();
        addMonitored();
        return std::move(m_numbers);
    }

private:
    bool add(const std::string& name, const FieldOfValues& place) {
        const bool known = std::ranges::find(m_numbers, name, &HeldNumber::name) != m_numbers.end();
        if (place.value == nullptr || known || m_numbers.size() >= kMaxMetrics) {
            return false;
        }
        const auto number = numberOf(m_checkpoint, *place.value);
        if (number) {
            m_numbers.push_back({name, *number, place.field});
        }
        return number.has_value();
    }

    /// Training state is not a result, whatever its names contain.
    bool isState(const Value& value) const {
        const TensorIndex* index = value.asTensor();
        if (index == nullptr) {
            return false;
        }
        const TensorEntry& tensor = m_checkpoint.tensor(*index);
        const std::string first =
            tensor.name.substr(0, tensor.name.find_first_of(names::kPartEnds));
        return tensor.role == Role::Optimizer ||
               names::roleOfKey(names::lowered(first)) == Role::Optimizer;
    }

    enum class Names : std::uint8_t { OfMetrics, Any };
    void addFrom(const FieldOfValues& dict, Names names) {
        if (dict.value == nullptr) {
            return;
        }
        for (const ValueItem& item : dict.value->items()) {
            const std::string* name = item.key.asString();
            if (name != nullptr && !isState(item.value) &&
                (names == Names::Any || looksLikeMetric(*name))) {
                add(*name, dict.at(*name));
            }
        }
    }

    void addRate() {
        for (const char* name : {"lr", "learning_rate"}) {
            if (add(name, m_root.at(name))) {
                return;
            }
        }
        for (const std::string_view key : kOptimizers) {
            if (add("lr", m_root.at(key).dict().at("param_groups").first().at("lr"))) {
                return;
            }
        }
        for (const std::string_view key : kSchedulers) {
            if (add("lr", m_root.at(key).dict().at("_last_lr").first())) {
                return;
            }
        }
    }

    void addOptimizerStep() {
        for (const std::string_view key : kOptimizers) {
            if (add(std::string(kOptimizerStep),
                    m_root.at(key).dict().at("state").first().at("step"))) {
                return;
            }
        }
    }

    void addMonitored() {
        const FieldOfValues callbacks = m_root.at("callbacks");
        if (callbacks.value == nullptr) {
            return;
        }
        for (const ValueItem& item : callbacks.value->items()) {
            const FieldOfValues state{&item.value, callbacks.field + "." + keyText(item.key)};
            const Value* monitor = item.value.find("monitor");
            if (monitor != nullptr && monitor->asString() != nullptr) {
                add(*monitor->asString(), state.at("current_score"));
                add("best_" + *monitor->asString(), state.at("best_model_score"));
            }
        }
    }

    const Checkpoint& m_checkpoint;
    const FieldOfValues m_root;
    std::vector<HeldNumber> m_numbers;
};

} // namespace

bool looksLikeMetric(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    std::string lower;
    std::ranges::transform(name, std::back_inserter(lower),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::any_of(kMetricWords,
                               [&](std::string_view word) { return hasWord(name, lower, word); });
}

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
    return tensor.shape.empty() ? singleNumber(checkpoint, tensor) : std::nullopt;
}

std::vector<HeldNumber> heldNumbers(const Checkpoint& checkpoint, const Value& values) {
    return Collector(checkpoint, values).collect();
}

std::vector<std::pair<std::string, double>> metricsOf(const Checkpoint& checkpoint,
                                                      const Value& values) {
    std::vector<std::pair<std::string, double>> metrics;
    for (HeldNumber& number : heldNumbers(checkpoint, values)) {
        metrics.emplace_back(std::move(number.name), number.value);
    }
    return metrics;
}

} // namespace cairn
