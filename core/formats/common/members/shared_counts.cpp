// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/shared_counts.h"

#include "core/model/names/tokens.h"
#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxLevels = 6;
constexpr std::size_t kMaxItems = 20'000; ///< visited in one rank's values
constexpr std::size_t kMaxFields = 256;
constexpr double kMostCounted = 9e15;

struct CounterName {
    std::string_view name;
    Counter counter = Counter::Step;
    bool isGlobal = false; ///< also below a rank's own state
};
constexpr auto kCounters = std::to_array<CounterName>({
    {"step"},
    {"steps"},
    {"global_step", Counter::Step, true},
    {"global_steps", Counter::Step, true},
    {"globalstep", Counter::Step, true},
    {"train_step", Counter::Step, true},
    {"train_steps", Counter::Step, true},
    {"training_step", Counter::Step, true},
    {"training_steps", Counter::Step, true},
    {"trained_steps", Counter::Step, true},
    {"current_step"},
    {"cur_step"},
    {"last_step"},
    {"step_count"},
    {"step_num"},
    {"completed_steps"},
    {"optimizer_step"},
    {"optimizer_steps"},
    {"iteration"},
    {"iterations"},
    {"current_iteration"},
    {"cur_iter"},
    {"global_iter", Counter::Step, true},
    {"global_iteration", Counter::Step, true},
    {"iter"},
    {"iter_num"},
    {"n_iter"},
    {"it"},
    {"update", Counter::Update},
    {"updates", Counter::Update},
    {"num_updates", Counter::Update, true},
    {"n_updates", Counter::Update, true},
    {"epoch", Counter::Epoch},
    {"epochs", Counter::Epoch},
    {"global_epoch", Counter::Epoch, true},
    {"current_epoch", Counter::Epoch},
    {"cur_epoch", Counter::Epoch},
    {"epochs_run", Counter::Epoch},
    {"epoch_idx", Counter::Epoch},
    {"epochs_completed", Counter::Epoch},
    {"completed_epochs", Counter::Epoch},
    {"consumed_samples", Counter::Other, true},
    {"consumed_train_samples", Counter::Other, true},
    {"consumed_tokens", Counter::Other, true},
    {"global_samples", Counter::Other, true},
});

/// Words of state that a rank may count for itself.
constexpr auto kOwnWords = std::to_array<std::string_view>(
    {"data",     "dataloader", "dataset",    "datasets", "loader",    "loaders",    "sampler",
     "samplers", "iterator",   "shard",      "shards",   "stream",    "worker",     "workers",
     "env",      "envs",       "rollout",    "rollouts", "buffer",    "replay",     "episode",
     "actor",    "rng",        "generator",  "random",   "local",     "micro",      "best",
     "eval",     "evaluation", "valid",      "val",      "test",      "early",      "stopping",
     "stopper",  "patience",   "optim",      "optims",   "optimizer", "optimizers", "opt",
     "sched",    "scheduler",  "schedulers", "scaler",   "metric",    "metrics",    "log",
     "logs",     "logger",     "history",    "loss",     "losses",    "timer",      "timers",
     "profiler", "callback",   "callbacks",  "args",     "config",    "hparams"});

/// The same within a word: "trainloader", "dataiter", "optimizerState".
constexpr auto kOwnParts =
    std::to_array<std::string_view>({"optim", "loader", "sampler", "dataset", "dataiter", "sched"});

bool isOwnState(std::string_view part) {
    const std::vector<std::string> words = names::wordsOf(part);
    return std::ranges::any_of(words, [](const std::string& word) {
        return std::ranges::find(kOwnWords, word) != kOwnWords.end() ||
               std::ranges::any_of(kOwnParts, [&](std::string_view own) {
                   return word.find(own) != std::string::npos;
               });
    });
}

class CountFinder {
public:
    explicit CountFinder(const Checkpoint& rank) : m_rank(rank) {}

    void visit(const Value& value) {
        const bool isNamed = value.kind() == ValueKind::Dict || value.kind() == ValueKind::Object;
        const bool isOptimizer = value.find("param_groups") != nullptr; // its states' steps
        if (!isNamed || isOptimizer || m_path.size() == kMaxLevels) {
            return;
        }
        for (const ValueItem& item : value.items()) {
            const std::string* key = item.key.asString();
            if (key == nullptr) {
                continue; // a state's number, a parameter
            }
            if (++m_items > kMaxItems || m_found.size() >= kMaxFields) {
                return;
            }
            m_path.push_back(*key);
            if (!item.value.isContainer()) {
                take(item.value);
            } else {
                visit(item.value);
            }
            m_path.pop_back();
        }
    }

    std::vector<SharedCount> takeFound() { return std::move(m_found); }

private:
    void take(const Value& value) {
        const auto counter = sharedCounter(m_path);
        const auto count = counter ? countOf(value) : std::nullopt;
        if (!count) {
            return;
        }
        std::string field;
        for (const std::string_view part : m_path) {
            field += (field.empty() ? "" : ".") + std::string(part);
        }
        m_found.push_back({std::move(field), *count, *counter});
    }

    [[nodiscard]] std::optional<std::int64_t> countOf(const Value& value) const {
        if (const std::int64_t* whole = value.asInt()) {
            return *whole >= 0 ? std::optional(*whole) : std::nullopt;
        }
        auto number = value.asBool() == nullptr ? numberOf(value) : std::nullopt;
        if (const TensorIndex* index = value.asTensor()) {
            const TensorEntry& tensor = m_rank.tensor(*index);
            number = tensor.shape.empty() ? singleNumber(m_rank, tensor) : std::nullopt;
        }
        const bool isCount =
            number && *number >= 0 && *number < kMostCounted && std::floor(*number) == *number;
        return isCount ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
    }

    const Checkpoint& m_rank;
    std::vector<std::string_view> m_path;
    std::vector<SharedCount> m_found;
    std::size_t m_items = 0;
};

} // namespace

std::optional<Counter> sharedCounter(std::span<const std::string_view> path) {
    if (path.empty()) {
        return std::nullopt;
    }
    const std::string last = names::lowered(path.back());
    const auto known = std::ranges::find(kCounters, std::string_view(last), &CounterName::name);
    if (known == kCounters.end() ||
        (!known->isGlobal && std::ranges::any_of(path.first(path.size() - 1), isOwnState))) {
        return std::nullopt;
    }
    return known->counter;
}

bool isOwnKind(std::string_view kind) {
    return isOwnState(kind) && kind.find("parallel") == std::string_view::npos; // "data_parallel"
}

std::vector<SharedCount> sharedCounts(const Checkpoint& rank, const Value& values) {
    CountFinder finder(rank);
    finder.visit(values);
    return finder.takeFound();
}

void RankCounts::add(const std::string& member, const Checkpoint& rank, const Value& values) {
    for (SharedCount& each : sharedCounts(rank, values)) {
        const auto [at, isNew] = m_fields.try_emplace(each.field);
        if (isNew) {
            m_order.push_back(each.field);
        }
        at->second.add(member, std::move(each.field), each.count, each.counter);
    }
}

bool RankCounts::report(CheckpointData& data) const {
    return std::ranges::all_of(
        m_order, [&](const std::string& field) { return m_fields.at(field).report(data); });
}

} // namespace cairn::formats
