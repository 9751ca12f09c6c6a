// SPDX-License-Identifier: Apache-2.0
#include "core/model/training_position.h"

#include "core/io/path_kind.h"
#include "core/model/names/position.h"
#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

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

/// The same as a whole number, exact beyond 2^53.
std::optional<std::int64_t> wholeNumber(const Checkpoint& checkpoint, const Value* value) {
    if (const std::int64_t* exact = value != nullptr ? value->asInt() : nullptr) {
        return *exact >= 0 ? std::optional(*exact) : std::nullopt;
    }
    const auto found = number(checkpoint, value);
    return found && *found < 9e15 ? std::optional(static_cast<std::int64_t>(*found)) : std::nullopt;
}

std::string textOf(const Path& path) {
    std::string text;
    for (const std::string_view part : path) {
        text += part.empty() ? "" : (text.empty() ? "" : ".") + std::string(part);
    }
    return text;
}

void readStep(const Checkpoint& checkpoint, const Value& values, RecordedTraining& found) {
    for (const Path& path : kStepPaths) {
        found.position.step = wholeNumber(checkpoint, at(values, path));
        if (found.position.step) {
            found.stepField = textOf(path);
            return;
        }
    }
    found.position.step = wholeNumber(checkpoint, lastUpdates(values));
    found.stepField = found.position.step ? "optimizer_history" : "";
    if (!found.position.step) {
        found.position.step = wholeNumber(checkpoint, values.find("steps"));
        found.position.vagueStep = found.position.step.has_value();
        found.stepField = found.position.step ? "steps" : "";
    }
}

void readEpoch(const Checkpoint& checkpoint, const Value& values, RecordedTraining& found) {
    for (const Path& path : kEpochPaths) {
        found.position.epoch = number(checkpoint, at(values, path));
        if (found.position.epoch) {
            found.epochField = textOf(path);
            return;
        }
    }
    found.position.epoch = number(checkpoint, values.find("epochs"));
    found.position.vagueEpoch = found.position.epoch.has_value();
    found.epochField = found.position.epoch ? "epochs" : "";
}

/// lightning/pytorch/loops/training_epoch_loop.py
std::optional<std::int64_t> loggedBatches(const Checkpoint& checkpoint, const Value& values) {
    const Value* state = values.find("loops");
    for (const char* key : {"fit_loop", "epoch_loop.state_dict", "_batches_that_stepped"}) {
        state = state != nullptr ? state->find(key) : nullptr;
    }
    return wholeNumber(checkpoint, state);
}

bool isTrue(const Value* value) {
    return value != nullptr && value->asBool() != nullptr && *value->asBool();
}

/// Whether the folder is a save from which training resumes.
bool hasTrainingState(const Checkpoint& checkpoint, const Value& values) {
    const auto isState = [](const TensorEntry& tensor) {
        return tensor.role == Role::Optimizer || tensor.role == Role::Scheduler ||
               tensor.role == Role::Rng;
    };
    const auto isKey = [](const ValueItem& item) {
        const std::string* key = item.key.asString();
        return key != nullptr && (key->starts_with("optimizer") || key->starts_with("scheduler") ||
                                  key->starts_with("rng_state"));
    };
    return std::ranges::any_of(checkpoint.tensors(), isState) ||
           std::ranges::any_of(values.items(), isKey);
}

/// With load_best_model_at_end, the Trainer loads the best checkpoint's weights when training ends;
/// save_model() and save_state() then write them beside the state of the last step. The position
/// is that of the best checkpoint, or none if it is not recorded that the folder is the run's own.
void placeLoadedBest(const Checkpoint& checkpoint, const Value& values, RecordedTraining& found) {
    const Value* state = values.find("trainer_state");
    const Value* best = state != nullptr ? state->find("best_model_checkpoint") : nullptr;
    const Value* args = values.find("training_args");
    if (best == nullptr || best->asString() == nullptr || args == nullptr || !found.position.step ||
        !isTrue(args->find("load_best_model_at_end"))) {
        return;
    }
    const std::filesystem::path recorded(*best->asString());
    const std::string own = checkpoint.path().lexically_normal().filename().string();
    if (own == "checkpoint-" + std::to_string(*found.position.step) ||
        recorded.filename() == "checkpoint-" + std::to_string(*found.position.step) ||
        hasTrainingState(checkpoint, values)) {
        return;
    }
    found.position.step.reset();
    found.position.epoch.reset();
    found.stepField = found.epochField = {};
    const bool isRun = recorded.parent_path().filename() == own ||
                       isFolderPath(checkpoint.path() / recorded.filename());
    if (isTrue(args->find("save_only_model")) || !isRun) {
        return; // may be a renamed save of the last step
    }
    found.position.step = wholeNumber(checkpoint, state->find("best_global_step"));
    if (!found.position.step) { // not recorded before transformers 4.50
        found.position.step = positionFromName(recorded.filename().string()).step;
    }
    found.stepField = found.position.step ? "trainer_state.best_model_checkpoint" : "";
    const Value* log = found.position.step ? state->find("log_history") : nullptr;
    for (const ValueItem& row : log != nullptr ? log->items() : std::span<const ValueItem>()) {
        if (wholeNumber(checkpoint, row.value.find("step")) == found.position.step) {
            found.position.epoch = number(checkpoint, row.value.find("epoch"));
            found.epochField = found.position.epoch ? "trainer_state.log_history" : "";
        }
    }
}

} // namespace

TrainingPosition trainingPosition(const Checkpoint& checkpoint, const CancelToken& cancel) {
    return recordedTraining(checkpoint, cancel).position;
}

RecordedTraining recordedTraining(const Checkpoint& checkpoint, const CancelToken& cancel) {
    RecordedTraining found{{checkpoint.data().step, checkpoint.data().epoch}, {}, {}, {}};
    const Result<Value> values = checkpoint.values(cancel);
    if (!values) {
        return found;
    }
    // Where the values contain what the format's index states, too.
    RecordedTraining held;
    readStep(checkpoint, *values, held);
    readEpoch(checkpoint, *values, held);
    if (!found.position.step ||
        (found.position.step == held.position.step && !held.position.vagueStep)) {
        found.position.step = held.position.step;
        found.position.vagueStep = held.position.vagueStep;
        found.stepField = held.stepField;
    }
    if (!found.position.epoch ||
        (found.position.epoch == held.position.epoch && !held.position.vagueEpoch)) {
        found.position.epoch = held.position.epoch;
        found.position.vagueEpoch = held.position.vagueEpoch;
        found.epochField = held.epochField;
    }
    found.batches = loggedBatches(checkpoint, *values);
    placeLoadedBest(checkpoint, *values, found);
    return found;
}

} // namespace cairn
