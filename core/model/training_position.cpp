// SPDX-License-Identifier: Apache-2.0
#include "core/model/checkpoint.h"
#include "core/model/single_number.h"

#include <array>
#include <cmath>

namespace cairn {
namespace {

// Where training loops store their position, the most reliable first; each is a path from the root.
using Path = std::array<std::string_view, 3>;
constexpr auto kStepPaths = std::to_array<Path>({
    {"global_step"},
    {"trainer_state", "global_step"},
    {"train_state", "step"},
    {"step"},
    {"iteration"},
    {"iter"},
    {"global_steps"},
    {"n_iter"},
    {"args", "iteration"},
    {"meta", "global_step"},
    {"state", "global_step"},
    {"extra_state", "global_step"},
    {"training", "step"},
    {"training_state", "step"},
    {"meta", "step"},
    {"it"},
    {"state", "step"},
    {"default", "step"},
    {"pytree", "step"},              // items of Orbax
    {"meta", "iter"},                // OpenMMLab
    {"state", "timestamp", "batch"}, // Composer
    {"trainer", "iteration"},        // Ignite
    {"step_count"}, // LitGPT: its iter_num counts the batches of an accumulated step
    {"iter_num"},   // nanoGPT
    {"current_step"},
    {"step", "value"}, // flax.nnx: an Optimizer, alone or with its model
    {"opt", "step", "value"},
    {"optimizer", "step", "value"},
    {"opt", "step"}, // flax.nnx: an Optimizer, alone or beside its model
    {"optimizer", "step"},
});
constexpr auto kEpochPaths = std::to_array<Path>({
    {"epoch"},
    {"trainer_state", "epoch"},
    {"train_state", "epoch"},
    {"current_epoch"},
    {"meta", "epoch"},
    {"training_state", "epoch"},
    {"extra_state", "epoch"},
    {"state", "timestamp", "epoch"},            // Composer
    {"extra_state", "train_iterator", "epoch"}, // fairseq
    {"reporter", "epoch"},                      // ESPnet
});

const Value* at(const Value& root, const Path& path) {
    const Value* value = root.find(path[0]);
    for (std::size_t i = 1; i < path.size() && value != nullptr && !path[i].empty(); ++i) {
        value = value->find(path[i]);
    }
    return value;
}

/// fairseq's optimizer_history: one entry for each start; the last one is valid.
const Value* lastUpdates(const Value& root) {
    const Value* history = root.find("optimizer_history");
    return history != nullptr && !history->items().empty()
               ? history->items().back().value.find("num_updates")
               : nullptr;
}

/// A number, or a tensor without dimensions, which is read. A negative number means none.
std::optional<double> number(const Checkpoint& checkpoint, const Value* value) {
    auto found = value != nullptr ? numberOf(*value) : std::nullopt;
    if (const TensorIndex* index = value != nullptr ? value->asTensor() : nullptr) {
        const TensorEntry& tensor = checkpoint.tensor(*index);
        found = tensor.shape.empty() ? singleNumber(checkpoint, tensor) : std::nullopt;
    }
    return found && std::isfinite(*found) && *found >= 0 ? found : std::nullopt;
}

template <std::size_t N>
std::optional<double> firstNumber(const Checkpoint& checkpoint, const Value& root,
                                  const std::array<Path, N>& paths) {
    for (const Path& path : paths) {
        if (const auto found = number(checkpoint, at(root, path))) {
            return found;
        }
    }
    return std::nullopt;
}

} // namespace

TrainingPosition trainingPosition(const Checkpoint& checkpoint, const CancelToken& cancel) {
    TrainingPosition position{checkpoint.data().step, checkpoint.data().epoch};
    if (position.step && position.epoch) {
        return position;
    }
    const Result<Value> values = checkpoint.values(cancel);
    if (!values) {
        return position;
    }
    if (!position.step) {
        auto step = firstNumber(checkpoint, *values, kStepPaths);
        step = step ? step : number(checkpoint, lastUpdates(*values));
        if (!step) {
            step = number(checkpoint, values->find("steps"));
            position.vagueStep = step.has_value();
        }
        if (step && *step < 9e15) {
            position.step = static_cast<std::int64_t>(*step);
        }
    }
    if (!position.epoch) {
        position.epoch = firstNumber(checkpoint, *values, kEpochPaths);
        if (!position.epoch) {
            position.epoch = number(checkpoint, values->find("epochs"));
            position.vagueEpoch = position.epoch.has_value();
        }
    }
    return position;
}

} // namespace cairn
