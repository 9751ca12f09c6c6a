// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/trainer_tree.h"

#include "core/base/counted.h"
#include "core/jobs/training/state_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace cairn {
namespace {

/// Keys of a trainer whose content a different trainer has in its own form (step, epoch), or which
/// the program provides again.
constexpr auto kProvided =
    std::to_array<std::string_view>({"loops", "pytorch-lightning_version", "trainer_state",
                                     "training_args", "config", "generation_config"});

constexpr std::string_view kOrderedDict = "collections.OrderedDict";

Value intValue(std::size_t number) {
    return {static_cast<std::int64_t>(number)};
}

bool holdsTensor(const Value& value, int depth) {
    constexpr int kDepth = 20; // of further state of a module
    return value.asTensor() != nullptr || depth > kDepth ||
           std::ranges::any_of(value.items(), [&](const ValueItem& item) {
               return holdsTensor(item.value, depth + 1);
           });
}

/// The model's tensors by name, then what else its state dict has.
Value modelDict(const TrainingState& state, const Value* stored) {
    std::vector<ValueItem> items;
    for (const ModelTensor& each : state.model) {
        items.push_back({Value(each.name), Value(each.tensor)});
    }
    if (stored != nullptr) {
        std::ranges::copy_if(stored->items(), std::back_inserter(items),
                             [](const auto& item) { return !holdsTensor(item.value, 0); });
    }
    return Value::dict(std::move(items), std::string(kOrderedDict));
}

/// A group with other `params`, which keep their place.
Value groupWith(const Value& group, Value parameters) {
    std::vector<ValueItem> items;
    bool has = false;
    for (const ValueItem& item : group.items()) {
        const bool isList = keyText(item.key) == "params";
        items.push_back({item.key, isList ? parameters : item.value});
        has = has || isList;
    }
    if (!has) {
        items.push_back({Value("params"), std::move(parameters)});
    }
    return Value::dict(std::move(items), group.asNode()->className);
}

Value optimizerDict(std::vector<ValueItem> states, std::vector<Value> groups) {
    return Value::dict({{Value("state"), Value::dict(std::move(states))},
                        {Value("param_groups"), Value::list(std::move(groups))}});
}

/// By number, as torch.optim gives them: through all groups in order.
Result<Value> numbered(const OptimizerState& optimizer) {
    if (optimizer.form == StateForm::Numbered) {
        return optimizer.stored;
    }
    if (optimizer.form == StateForm::Flat) {
        return fail(ErrorCode::Unsupported,
                    "The flat form of an optimizer's state does not record its groups and the "
                    "order of their parameters, which numbers need")
            .inField(optimizer.place)
            .withHint("Use --for fsdp2");
    }
    std::vector<ValueItem> states;
    std::vector<std::vector<Value>> lists(optimizer.groups.size());
    for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
        const OptimizerParameter& parameter = optimizer.parameters[i];
        lists.at(parameter.group).push_back(intValue(i));
        if (parameter.state.isContainer()) {
            states.push_back({intValue(i), parameter.state});
        }
    }
    std::vector<Value> groups;
    for (std::size_t g = 0; g < lists.size(); ++g) {
        groups.push_back(groupWith(optimizer.groups[g], Value::list(std::move(lists[g]))));
    }
    return optimizerDict(std::move(states), std::move(groups));
}

/// What makes two groups equal.
std::string groupText(const Value& value) {
    std::string text = std::to_string(static_cast<int>(value.kind())) + ":";
    if (const TensorIndex* tensor = value.asTensor()) {
        return text + std::to_string(tensor->value) + ";";
    }
    if (!value.isContainer()) {
        return text + (value.asFloat() != nullptr ? std::to_string(*value.asFloat()) + "/" : "") +
               keyText(value) + ";";
    }
    for (const ValueItem& item : value.items()) {
        text += keyText(item.key) + "=" + groupText(item.value);
    }
    return text + ";";
}

/// All optimizers as one, by name. Groups of the flat form have one parameter each: those with
/// equal hyper-parameters become one.
Value named(const std::vector<OptimizerState>& optimizers,
            const std::vector<NamesOfOptimizer>& names) {
    if (optimizers.size() == 1 && optimizers.front().form == StateForm::Named) {
        return optimizers.front().stored;
    }
    std::vector<ValueItem> states;
    std::vector<Value> settings;
    std::vector<std::vector<Value>> lists;
    for (std::size_t k = 0; k < optimizers.size(); ++k) {
        const OptimizerState& optimizer = optimizers[k];
        std::map<std::string, std::size_t> equal;
        std::vector<std::size_t> placeOf;
        for (const Value& group : optimizer.groups) {
            const std::string text = optimizer.form == StateForm::Flat
                                         ? groupText(group)
                                         : std::to_string(placeOf.size());
            const auto [at, isNew] = equal.try_emplace(text, settings.size());
            if (isNew) {
                settings.push_back(group);
                lists.emplace_back();
            }
            placeOf.push_back(at->second);
        }
        for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
            const OptimizerParameter& parameter = optimizer.parameters[i];
            const std::string& name = names.at(k).at(i);
            lists[placeOf.at(parameter.group)].emplace_back(name);
            if (parameter.state.isContainer()) {
                states.push_back({Value(name), parameter.state});
            }
        }
    }
    std::vector<Value> groups;
    for (std::size_t g = 0; g < lists.size(); ++g) {
        groups.push_back(groupWith(settings[g], Value::list(std::move(lists[g]))));
    }
    return optimizerDict(std::move(states), std::move(groups));
}

Result<std::vector<Value>> allNumbered(const TrainingState& state) {
    std::vector<Value> all;
    for (const OptimizerState& optimizer : state.optimizers) {
        CAIRN_TRY(Value each, numbered(optimizer));
        all.push_back(std::move(each));
    }
    return all;
}

std::vector<Value> valuesOf(const std::vector<StatePart>& parts) {
    std::vector<Value> values;
    for (const StatePart& part : parts) {
        values.push_back(part.value);
    }
    return values;
}

Value oneOrList(std::vector<Value> values) {
    return values.size() == 1 ? values.front() : Value::list(std::move(values));
}

/// An epoch as an integer where it is one.
Value epochValue(double epoch) {
    return std::floor(epoch) == epoch && std::abs(epoch) < 9e15
               ? Value(static_cast<std::int64_t>(epoch))
               : Value(epoch);
}

void addLost(std::vector<TrainingLoss>& losses, LossId id, const StatePart& part, Sentence why) {
    const bool isEmpty = part.value.isContainer() && part.value.items().empty();
    if (isEmpty || std::ranges::find(kProvided, part.place) != kProvided.end()) {
        return;
    }
    losses.push_back({id, verbatim(part.place), std::move(why)});
}

/// The values of a loop, with `optimizer` in its form.
Value loopTree(const TrainingState& state, Value model, Value optimizer,
               std::vector<TrainingLoss>& losses) {
    std::vector<ValueItem> items{{Value("model"), std::move(model)},
                                 {Value("optimizer"), std::move(optimizer)}};
    const auto add = [&](std::string_view key, Value value) {
        const auto isSame = [&](const ValueItem& item) { return keyText(item.key) == key; };
        const bool isNew = std::ranges::none_of(items, isSame);
        if (isNew) {
            items.push_back({Value(key), std::move(value)});
        }
        return isNew;
    };
    if (!state.schedulers.empty()) {
        add("scheduler", oneOrList(valuesOf(state.schedulers)));
    }
    if (!state.scalers.empty()) {
        add("scaler", oneOrList(valuesOf(state.scalers)));
    }
    if (const auto step = state.position.position.step) {
        add("step", Value(*step));
    }
    if (const auto epoch = state.position.position.epoch) {
        add("epoch", epochValue(*epoch));
    }
    for (const auto* parts : {&state.generators, &state.data, &state.others}) {
        for (const StatePart& part : *parts) {
            if (state.origin == StateOrigin::Loop || parts == &state.generators) {
                const bool isWritten = add(part.place, part.value) ||
                                       part.place == state.position.stepField ||
                                       part.place == state.position.epochField;
                if (!isWritten) {
                    addLost(losses, LossId::TrainerState, part, "its key has a different meaning");
                }
            } else {
                addLost(losses, parts == &state.data ? LossId::Data : LossId::TrainerState, part,
                        "only the trainer that wrote it reads it");
            }
        }
    }
    return Value::dict(std::move(items));
}

Value counts(std::int64_t ready, std::int64_t started, std::int64_t processed,
             std::int64_t completed) {
    return Value::dict({{Value("ready"), Value(ready)},
                        {Value("started"), Value(started)},
                        {Value("processed"), Value(processed)},
                        {Value("completed"), Value(completed)}});
}

Value counts(std::int64_t ready, std::int64_t completed) {
    return Value::dict({{Value("ready"), Value(ready)}, {Value("completed"), Value(completed)}});
}

Value totals(Value total, Value current) {
    return Value::dict(
        {{Value("total"), std::move(total)}, {Value("current"), std::move(current)}});
}

Value emptyDict() {
    return Value::dict({});
}

/// Progress of the fit loop at step n: `inEpoch` batches of epoch e.
Value fitLoop(std::int64_t n, std::int64_t inEpoch, std::int64_t e) {
    const auto zero = [] { return counts(0, 0, 0, 0); };
    const auto batches = [&](bool isDone) {
        return Value::dict(
            {{Value("total"), isDone ? zero() : counts(n, n, n, n)},
             {Value("current"), isDone ? zero() : counts(inEpoch, inEpoch, inEpoch, inEpoch)},
             {Value("is_last_batch"), Value(false)}});
    };
    const Value zeroGrad = Value::dict(
        {{Value("ready"), Value(n)}, {Value("started"), Value(n)}, {Value("completed"), Value(n)}});
    const Value progress = Value::dict(
        {{Value("optimizer"), Value::dict({{Value("step"), totals(counts(n, n), counts(n, n))},
                                           {Value("zero_grad"), totals(zeroGrad, zeroGrad)}})}});
    return Value::dict(
        {{Value("state_dict"), emptyDict()},
         {Value("epoch_loop.state_dict"),
          Value::dict({{Value("_batches_that_stepped"), Value(n)}})},
         {Value("epoch_loop.batch_progress"), batches(false)},
         {Value("epoch_loop.scheduler_progress"), totals(counts(n, n), counts(inEpoch, inEpoch))},
         {Value("epoch_loop.automatic_optimization.state_dict"), emptyDict()},
         {Value("epoch_loop.automatic_optimization.optim_progress"), progress},
         {Value("epoch_loop.manual_optimization.state_dict"), emptyDict()},
         {Value("epoch_loop.manual_optimization.optim_step_progress"),
          totals(counts(0, 0), counts(0, 0))},
         {Value("epoch_loop.val_loop.state_dict"), emptyDict()},
         {Value("epoch_loop.val_loop.batch_progress"), batches(true)},
         {Value("epoch_progress"),
          totals(counts(e + 1, e + 1, e, e), counts(e + 1, e + 1, e, e))}});
}

Result<Value> lightningTree(const TrainingState& state, Value model,
                            std::vector<TrainingLoss>& losses) {
    constexpr std::string_view kVersion = "2.6.0"; // whose loops these are
    const TrainingPosition& position = state.position.position;
    if (!position.step) {
        return fail(ErrorCode::MissingState,
                    "Lightning counts the steps of its loops, and the checkpoint records none")
            .withHint("Use --for torch");
    }
    if (state.optimizers.size() > 1) {
        return fail(ErrorCode::Unsupported, "Lightning counts the steps of several optimizers "
                                            "together, and a loop does not")
            .butFound(counting(state.optimizers.size(), "optimizer"))
            .withHint("Use --for torch");
    }
    const std::int64_t n = *position.step;
    const double epoch = position.epoch.value_or(0);
    const auto e = static_cast<std::int64_t>(std::floor(epoch));
    const bool isInFirst = e == 0 && position.epoch;
    const std::int64_t inEpoch = isInFirst ? n : 0;
    if (!isInFirst) {
        losses.push_back({LossId::Data, sentence("the position in epoch %1", e),
                          "Lightning reads this epoch from its first batch"});
    }
    CAIRN_TRY(std::vector<Value> optimizers, allNumbered(state));
    for (const auto* parts : {&state.generators, &state.data, &state.scalers, &state.others}) {
        for (const StatePart& part : *parts) {
            const LossId id = parts == &state.generators ? LossId::Generators
                              : parts == &state.data     ? LossId::Data
                                                         : LossId::TrainerState;
            if (part.place != state.position.stepField && part.place != state.position.epochField) {
                addLost(losses, id, part, "Lightning has no place for it");
            }
        }
    }
    return Value::dict(
        {{Value("epoch"), Value(e)},
         {Value("global_step"), Value(n)},
         {Value("pytorch-lightning_version"), Value(kVersion)},
         {Value("state_dict"), std::move(model)},
         {Value("loops"), Value::dict({{Value("fit_loop"), fitLoop(n, inEpoch, e)}})},
         {Value("callbacks"), emptyDict()},
         {Value("optimizer_states"), Value::list(std::move(optimizers))},
         {Value("lr_schedulers"), Value::list(valuesOf(state.schedulers))}});
}

/// "optimizer", "optimizer_1": as accelerate numbers several.
void addFiles(std::vector<ValueItem>& files, const std::string& stem,
              const std::vector<Value>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.push_back({Value(i == 0 ? stem : stem + "_" + std::to_string(i)), parts[i]});
    }
}

/// The position, as TrainerState reads it; its other fields have defaults.
Value trainerState(std::int64_t step, double epoch) {
    return Value::dict({{Value("epoch"), Value(epoch)},
                        {Value("global_step"), Value(step)},
                        {Value("log_history"), Value::list({})},
                        {Value("train_batch_size"), Value(std::int64_t{0})}}); // only compared
}

Result<Value> folderTree(const Trainer& trainer, const TrainingState& state, Value model,
                         std::vector<TrainingLoss>& losses) {
    const bool ofTrainer = trainer.id == "trainer";
    const TrainingPosition& position = state.position.position;
    CAIRN_TRY(const std::vector<Value> optimizers, allNumbered(state));
    if (ofTrainer && (optimizers.size() > 1 || state.schedulers.size() > 1)) {
        return fail(ErrorCode::Unsupported, "The Trainer has one optimizer and one scheduler")
            .butFound(sentence("%1, %2", counting(optimizers.size(), "optimizer"),
                               counting(state.schedulers.size(), "scheduler")))
            .withHint("Use --for accelerate, torch or lightning");
    }
    if (ofTrainer && !position.step) {
        return fail(ErrorCode::MissingState,
                    "The Trainer continues at a step, and the checkpoint records none")
            .withHint("Use --for accelerate or torch");
    }
    std::vector<ValueItem> files;
    addFiles(files, "optimizer", optimizers);
    addFiles(files, "scheduler", valuesOf(state.schedulers));
    addFiles(files, "scaler", valuesOf(state.scalers));
    const auto isOld = [&](const StatePart& part) { return part.place == "trainer_state"; };
    const auto old = std::ranges::find_if(state.others, isOld);
    if (ofTrainer) {
        const bool isKept = old != state.others.end() && state.origin == StateOrigin::Folder;
        files.push_back(
            {Value("trainer_state"),
             isKept ? old->value : trainerState(*position.step, position.epoch.value_or(0))});
    } else if (position.step) {
        losses.push_back({LossId::TrainerState, sentence("step %1", *position.step),
                          "accelerate leaves the position to the program; skip_first_batches "
                          "skips what was read"});
    }
    for (const auto* parts : {&state.generators, &state.data, &state.others}) {
        for (const StatePart& part : *parts) {
            const bool isWritten = (ofTrainer && isOld(part)) ||
                                   part.place == state.position.stepField ||
                                   part.place == state.position.epochField;
            if (!isWritten) {
                addLost(losses,
                        parts == &state.generators ? LossId::Generators
                        : parts == &state.data     ? LossId::Data
                                                   : LossId::TrainerState,
                        part, "not a file of this trainer");
            }
        }
    }
    files.push_back({Value(kWeightsStem), std::move(model)});
    return Value::dict(std::move(files));
}

} // namespace

Result<Value> trainerTree(const Trainer& trainer, const TrainingState& state, const Value* model,
                          const std::vector<NamesOfOptimizer>& names,
                          std::vector<TrainingLoss>& losses) {
    Value weights = modelDict(state, model);
    if (trainer.id == "lightning") {
        return lightningTree(state, std::move(weights), losses);
    }
    if (trainer.isFolder) {
        return folderTree(trainer, state, std::move(weights), losses);
    }
    if (trainer.isNamed) {
        return loopTree(state, std::move(weights), named(state.optimizers, names), losses);
    }
    CAIRN_TRY(std::vector<Value> optimizers, allNumbered(state));
    return loopTree(state, std::move(weights), oneOrList(std::move(optimizers)), losses);
}

} // namespace cairn
