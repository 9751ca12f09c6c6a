// SPDX-License-Identifier: Apache-2.0
//
// Where trainers keep settings in checkpoints: transformers/trainer.py (`_save`: training_args.bin
// is torch.save of the TrainingArguments), lightning/pytorch/core/saving.py ("hyper_parameters",
// "datamodule_hyper_parameters"), keras/src/saving/saving_lib.py ("compile_config" in config.json),
// and what loops put at the top of what they save.
#include "core/runs/table/run_settings.h"

#include "core/runs/facts/shared_open.h"
#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kMostTried = 3; ///< checkpoints to try, the newest first
constexpr auto kPlaces = std::to_array<std::string_view>(
    {"training_args", "args", "config", "cfg", "hparams", "hyper_parameters", "hyperparameters",
     "hyper_params", "datamodule_hyper_parameters", "params_config", "train_config",
     "training_config", "train_args", "model_args", "model_config", "settings", "flags", "opts"});

/// Decides by names before values: a dict with tensors is part of a model.
bool hasSettings(const Value& value, int depth = 0) {
    if (value.kind() == ValueKind::Tensor || value.kind() == ValueKind::Bytes) {
        return false;
    }
    return depth > 3 || std::ranges::all_of(value.items(), [&](const ValueItem& item) {
               return hasSettings(item.value, depth + 1);
           });
}

/// The members of TrainingArguments that users set, without computed ones (`_n_gpu`, devices).
Value argumentsOf(const Value& args) {
    std::vector<ValueItem> items;
    for (const ValueItem& item : args.items()) {
        const std::string* key = item.key.asString();
        const bool isState = item.value.kind() == ValueKind::Object &&
                             item.value.find("args") == nullptr; // not a member of an enum
        if (key != nullptr && !key->starts_with('_') && !isState) {
            items.push_back(item);
        }
    }
    return Value::dict(std::move(items));
}

/// The optimizer with its settings, the loss, the metrics.
Value compiledOf(const Value& compile) {
    std::vector<ValueItem> items;
    for (const ValueItem& item : compile.items()) {
        const Value* config = item.value.find("config");
        if (config == nullptr) {
            items.push_back(item);
            continue;
        }
        std::vector<ValueItem> inner; // Keras numbers names: "adam_1"
        for (const ValueItem& setting : config->items()) {
            const std::string* key = setting.key.asString();
            const Value* kind = item.value.find("class_name");
            inner.push_back(key != nullptr && *key == "name" && kind != nullptr
                                ? ValueItem{setting.key, *kind}
                                : setting);
        }
        items.push_back({item.key, Value::dict(std::move(inner))});
    }
    return Value::dict(std::move(items));
}

/// Newest first: by training position, else by time. Exports only in a folder of exports.
std::vector<const ScannedCheckpoint*> newestOf(const ScannedRun& run) {
    const EvidentSaves saves(run);
    std::vector<const ScannedCheckpoint*> newest;
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        if (saves.has(*each) && each->state != CheckpointState::Damaged) {
            newest.push_back(&*each);
        }
    }
    std::stable_partition(newest.begin(), newest.end(),
                          [](const ScannedCheckpoint* each) { return each->latest; });
    return newest;
}

/// Whether a Trainer computed this part of its state from its arguments.
bool isDerived(const std::string& source, const Value& added) {
    const auto hasArguments = [](const ValueItem& item) {
        return item.key.asString()->ends_with("/training_args");
    };
    return source.ends_with("trainer_state.json") &&
           std::ranges::any_of(added.items(), hasArguments);
}

} // namespace

Value settingsIn(const Value& values, const std::string& name) {
    std::vector<ValueItem> sources;
    const auto add = [&](const std::string& place, Value settings) {
        if (!settings.items().empty()) {
            sources.push_back({Value(name + "/" + place), std::move(settings)});
        }
    };
    for (const ValueItem& item : values.items()) {
        const std::string* key = item.key.asString();
        const bool isKnown =
            key != nullptr && std::ranges::find(kPlaces, *key) != kPlaces.end() &&
            (item.value.kind() == ValueKind::Dict || item.value.kind() == ValueKind::Object);
        const Value* compile = isKnown ? item.value.find("compile_config") : nullptr;
        const bool isKeras = isKnown && item.value.find("class_name") != nullptr &&
                             item.value.find("config") != nullptr;
        if (isKeras) {
            add("compile_config", compile != nullptr ? compiledOf(*compile) : Value());
        } else if (isKnown && *key == "training_args") {
            add(*key, argumentsOf(item.value));
        } else if (isKnown && hasSettings(item.value)) {
            add(*key, item.value);
        }
    }
    return sources.empty() ? Value() : Value::dict(std::move(sources));
}

void addCheckpointSettings(RunHistory& history, const ScannedRun& run, const CancelToken& cancel) {
    std::size_t tried = 0;
    for (const ScannedCheckpoint* each : newestOf(run)) {
        if (++tried > kMostTried || cancel.cancelled()) {
            return;
        }
        const auto checkpoint = openShared(each->path, cancel);
        const Result<Value> values = checkpoint.and_then(
            [&](const CheckpointPtr& opened) { return opened->values(cancel); });
        const Value added = values ? settingsIn(*values, each->name) : Value();
        if (added.items().empty()) {
            continue;
        }
        std::vector<ValueItem> all;
        for (const ValueItem& source : history.settings.items()) {
            if (source.key.asString() == nullptr || !isDerived(*source.key.asString(), added)) {
                all.push_back(source);
            }
        }
        all.insert(all.end(), added.items().begin(), added.items().end());
        history.settings = Value::dict(std::move(all));
        return;
    }
}

namespace {

/// The directions in the trainer's newest records, as goals of the run.
void addDirections(RunHistory& history, const ScannedRun& run) {
    std::set<std::string> known;
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        const bool states = each->record && !each->exportOf &&
                            each->record->better != names::Direction::Unknown &&
                            !each->record->metric.empty();
        if (states && known.insert(plainMetricName(each->record->metric)).second) {
            history.goals.push_back(
                {each->record->metric, each->record->better, false, each->path});
        }
    }
}

} // namespace

void addCheckpointRecords(RunHistory& history, const ScannedRun& run, const CancelToken& cancel) {
    addDirections(history, run);
    addCheckpointValues(history, run);
    addCheckpointSettings(history, run, cancel);
}

} // namespace cairn
