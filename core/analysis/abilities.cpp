// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/abilities.h"

#include "core/analysis/jax_moments.h"
#include "core/analysis/optimizer_health.h"
#include "core/base/counted.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

bool isShortFloat(Dtype dtype) {
    return dtype == Dtype::Float16 || dtype == Dtype::Bfloat16;
}

/// Classes of objects in what would be written, each with a place.
class ObjectSearch {
public:
    void search(const Value& value, const std::string& place, int depth = 0) {
        if (!value.isContainer() || depth > Value::kMaxDepth ||
            !m_seen.insert(value.identity()).second) {
            return;
        }
        const ValueNode& node = *value.asNode();
        if (node.kind == ValueKind::Object) {
            found.emplace_back(place, node.className);
        }
        std::size_t position = 0;
        for (const ValueItem& item : node.items) {
            const std::string key =
                item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
            search(item.value, place + "." + key, depth + 1);
            ++position;
        }
    }
    std::vector<std::pair<std::string, std::string>> found;

private:
    std::set<const void*> m_seen;
};

void addOptimizerLosses(const OptimizerState& optimizer, std::vector<TrainingLoss>& losses) {
    if (!optimizer.orphans.empty()) {
        losses.push_back({LossId::Foreign,
                          sentence("%1 in no group: %2",
                                   counting(optimizer.orphans.size(), "state of a parameter",
                                            "states of parameters"),
                                   firstNames(optimizer.orphans)),
                          "no optimizer loads them"});
    }
    if (optimizer.needsNone()) {
        return;
    }
    if (optimizer.withState() == 0) {
        losses.push_back(
            {LossId::Optimizer,
             sentence("moments of all %1 of %2", counting(optimizer.parameters.size(), "parameter"),
                      optimizer.place),
             "the optimizer starts without them"});
        return;
    }
    std::vector<std::string> without;
    for (const OptimizerParameter* parameter : optimizer.withoutState()) {
        without.push_back(OptimizerState::labelOf(*parameter));
    }
    if (!without.empty()) {
        losses.push_back(
            {LossId::Moments,
             sentence("moments of %1 of %2: %3", without.size(),
                      counting(optimizer.parameters.size(), "parameter"), firstNames(without)),
             "frozen or not used so far; otherwise their moments are lost"});
    }
}

void addValueLosses(const TrainingState& state, std::vector<TrainingLoss>& losses) {
    ObjectSearch objects;
    for (const OptimizerState& optimizer : state.optimizers) {
        objects.search(optimizer.stored, optimizer.place);
    }
    for (const auto* parts : {&state.schedulers, &state.scalers}) {
        for (const StatePart& part : *parts) {
            objects.search(part.value, part.place);
        }
    }
    if (!objects.found.empty()) {
        const auto& [place, name] = objects.found.front();
        losses.push_back({LossId::Objects,
                          sentence("%1, the first is %2 of class %3",
                                   counting(objects.found.size(), "object"), place, name),
                          "written as a dict of its attributes"});
    }
}

bool usedSchedule(const OptimizerState& optimizer) {
    return std::ranges::any_of(
        optimizer.groups, [](const Value& group) { return group.find("initial_lr") != nullptr; });
}

/// Parameters of 16 bits, and no tensor of an optimizer that may be their master.
bool lacksMasters(const Checkpoint& checkpoint, const TrainingState& state) {
    const bool isShort = std::ranges::any_of(state.model, [&](const ModelTensor& each) {
        const TensorEntry& tensor = checkpoint.tensor(each.tensor);
        return tensor.role == Role::Weight && isShortFloat(tensor.dtype);
    });
    const bool hasMaster = std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& each) {
        return each.role == Role::Optimizer && (each.name.find("fp32") != std::string::npos ||
                                                each.name.find("master") != std::string::npos);
    });
    return isShort && !hasMaster;
}

std::vector<Sentence> presentParts(const TrainingState& state) {
    std::vector<Sentence> parts;
    std::size_t parameters = 0;
    std::size_t with = 0;
    std::size_t groups = 0;
    for (const OptimizerState& optimizer : state.optimizers) {
        parameters += optimizer.parameters.size();
        with += optimizer.withState();
        groups += optimizer.form == StateForm::Flat ? 0 : optimizer.groups.size();
    }
    parts.push_back(sentence("moments of %1 of %2", with, counting(parameters, "parameter")));
    if (groups > 0) {
        parts.push_back(counting(groups, "parameter group"));
    }
    if (state.position.position.step) {
        parts.push_back(sentence("step %1", *state.position.position.step));
    }
    if (!state.schedulers.empty()) {
        parts.push_back(counting(state.schedulers.size(), "scheduler"));
    }
    if (!state.scalers.empty()) {
        parts.emplace_back("loss scaler");
    }
    if (!state.generators.empty()) {
        parts.emplace_back("random numbers");
    }
    return parts;
}

bool isReadable(const Checkpoint& checkpoint, std::vector<Sentence>& why) {
    if (checkpoint.completeness() == Completeness::Incomplete) {
        why.emplace_back("The checkpoint is incomplete");
        return false;
    }
    return true;
}

/// A state of Orbax or Flax, which both read.
Ability resumeInJax(const JaxMoments& moments, const TrainingState& state, AbilityId id) {
    Ability ability{id, true, {}, missingMoments(moments)};
    ability.why.push_back(sentence("moments of %1 of %2", moments.withMoments,
                                   counting(moments.parameters, "parameter")));
    if (state.position.position.step) {
        ability.why.push_back(sentence("step %1", *state.position.position.step));
    }
    if (id == AbilityId::ResumeElsewhere) {
        ability.why.emplace_back("with Orbax and Flax only");
    }
    if (!state.position.position.step && !state.position.position.epoch && !moments.hasCount) {
        ability.lost.push_back({LossId::Position, "step and epoch", "a resumed run counts from 0"});
    }
    return ability;
}

bool hasRole(const Checkpoint& checkpoint, Role role) {
    return std::ranges::any_of(checkpoint.tensors(),
                               [&](const TensorEntry& tensor) { return tensor.role == role; });
}

/// A state that programs of TensorFlow and Keras restore into their objects.
bool isStateOfObjects(const Checkpoint& checkpoint) {
    const bool isTheirs = checkpoint.format() == "tensorflow" || checkpoint.format() == "keras";
    return isTheirs && hasRole(checkpoint, Role::Optimizer) && hasRole(checkpoint, Role::Weight);
}

Ability resumeOfObjects(const Checkpoint& checkpoint, const TrainingState& state, AbilityId id) {
    Ability ability{id, true, {}, {}};
    const auto isOfKeras2 = [](const TensorEntry& tensor) {
        return tensor.name.starts_with("optimizer_weights/");
    };
    if (id == AbilityId::ResumeElsewhere && std::ranges::any_of(checkpoint.tensors(), isOfKeras2)) {
        ability.can = false;
        ability.why.emplace_back("Keras 2 numbers the variables of its optimizers differently");
        return ability;
    }
    ability.why.emplace_back("the variables of an optimizer");
    if (state.position.position.step) {
        ability.why.push_back(sentence("step %1", *state.position.position.step));
    }
    if (id == AbilityId::ResumeElsewhere) {
        ability.why.emplace_back("with TensorFlow and Keras only");
    }
    if (!hasRole(checkpoint, Role::Rng)) {
        ability.lost.push_back({LossId::Generators, "states of random generators",
                                "dropout and shuffling use new random numbers"});
    }
    return ability;
}

/// Of Megatron-core, whose groups do not list their parameters.
Ability resumeInMegatron(const Checkpoint& checkpoint, const TrainingState& state,
                         const Value& values, AbilityId id) {
    const auto count = [&](std::string_view key) {
        return static_cast<std::size_t>(
            std::ranges::count_if(checkpoint.tensors(), [&](const TensorEntry& tensor) {
                return tensor.name.starts_with(key);
            }));
    };
    Ability ability{id, true, {}, {}};
    const Value* groups = groupsOfMegatron(values);
    if (id == AbilityId::ResumeElsewhere && (groups == nullptr || groups->items().empty())) {
        ability.can = false;
        ability.why.emplace_back("The checkpoint contains no parameter groups");
        return ability;
    }
    ability.why.push_back(sentence("moments of %1 of %2", count("optimizer.state.exp_avg."),
                                   counting(state.model.size(), "tensor")));
    if (state.position.position.step) {
        ability.why.push_back(sentence("step %1", *state.position.position.step));
    }
    if (id == AbilityId::ResumeElsewhere) {
        ability.why.emplace_back("if it is a model of GPT-2, Llama, Mistral or Qwen");
        ability.lost = {{LossId::Schedule, "opt_param_scheduler",
                         "Megatron-core's own schedule; the groups keep the learning rate"},
                        {LossId::Generators, "states of random generators",
                         "dropout and shuffling use new random numbers"}};
    }
    return ability;
}

Ability resume(const Checkpoint& checkpoint, const TrainingState& state, const Value& values,
               const std::optional<JaxMoments>& moments, AbilityId id) {
    Ability ability{id, false, {}, {}};
    if (!isReadable(checkpoint, ability.why)) {
        return ability;
    }
    if (state.optimizers.empty() && moments && moments->parameters > 0 && moments->hasOptimizer) {
        return resumeInJax(*moments, state, id);
    }
    if (state.optimizers.empty() && isStateOfObjects(checkpoint)) {
        return resumeOfObjects(checkpoint, state, id);
    }
    if (state.optimizers.empty() && !state.model.empty() && isStateOfMegatron(checkpoint)) {
        return resumeInMegatron(checkpoint, state, values, id);
    }
    if (state.model.empty() || state.optimizers.empty()) {
        ability.why.emplace_back(state.model.empty() ? Sentence("It contains no weights")
                                                     : "It contains no optimizer state of torch");
        return ability;
    }
    if (id == AbilityId::ResumeElsewhere && !secondModel(checkpoint, state).empty()) {
        ability.why.emplace_back("The checkpoint contains several models");
        return ability;
    }
    if (id == AbilityId::ResumeElsewhere && isFolderOfRanks(checkpoint)) {
        ability.why.emplace_back("The optimizers in the folders of Megatron-LM's ranks do not "
                                 "record which parameter each moment is of");
        return ability;
    }
    ability.lost = missingState(checkpoint, state);
    const auto isGone = [](const TrainingLoss& loss) { return loss.id == LossId::Optimizer; };
    ability.why = presentParts(state);
    ability.can = std::ranges::none_of(ability.lost, isGone);
    if (id == AbilityId::Resume) { // its own trainer has their classes
        std::erase_if(ability.lost,
                      [](const TrainingLoss& loss) { return loss.id == LossId::Objects; });
    }
    if (id == AbilityId::ResumeElsewhere) {
        for (const StatePart& part : state.data) {
            ability.lost.push_back({LossId::Data, verbatim(part.place),
                                    "another trainer reads the data from the start of the epoch"});
        }
    }
    return ability;
}

bool holdsModel(const Checkpoint& checkpoint, const Value& value, int depth = 0) {
    if (const TensorIndex* tensor = value.asTensor()) {
        return depth > 0 && isModelRole(checkpoint.tensor(*tensor).role);
    }
    constexpr int kDepth = 4; // of state dicts in a loop's values
    return depth < kDepth && std::ranges::any_of(value.items(), [&](const ValueItem& item) {
               return holdsModel(checkpoint, item.value, depth + 1);
           });
}

/// Of a report that failed; it stores only some of very many findings.
Sentence firstError(const HealthReport& health) {
    const auto found = std::ranges::find_if(
        health.findings, [](const Notice& finding) { return finding.severity == Severity::Error; });
    return found == health.findings.end() ? Sentence("`cairn-cli check` finds errors")
                                          : found->error.message;
}

Ability serve(const Checkpoint& checkpoint, const HealthReport& health, const Ability& weights) {
    Ability ability = weights;
    ability.id = AbilityId::Serve;
    if (!ability.can) {
        return ability;
    }
    const auto refuse = [&ability](Sentence why) {
        ability.can = false;
        ability.why.push_back(std::move(why));
        return std::move(ability);
    };
    if (checkpoint.completeness() != Completeness::Complete) {
        return refuse("It is unknown whether the checkpoint is complete");
    }
    const ModelAnswer& model = health.model;
    ability.loader = model.answer;
    if (model.answer == LoaderAnswer::No) {
        return refuse(model.why);
    }
    if (health.failed()) {
        ability.loader = LoaderAnswer::No;
        return refuse(firstError(health));
    }
    if (model.answer == LoaderAnswer::Undecided) {
        return refuse(model.why);
    }
    if (model.answer == LoaderAnswer::Unknown) {
        ability.why.emplace_back("they were not compared with those of a class");
        return ability;
    }
    ability.why.push_back(sentence("compared with %1 by names and shapes", model.model));
    if (!model.note.empty()) {
        ability.why.push_back(model.note);
    }
    if (model.answer == LoaderAnswer::Part) {
        ability.lost.push_back({LossId::LeftOut,
                                sentence("%1: %2", counting(model.leftOut.size(), "tensor"),
                                         firstNames(model.leftOut)),
                                sentence("the loader of %1 leaves them out", model.model)});
    }
    return ability;
}

} // namespace

std::vector<TrainingLoss> missingState(const Checkpoint& checkpoint, const TrainingState& state) {
    std::vector<TrainingLoss> losses;
    for (const OptimizerState& optimizer : state.optimizers) {
        addOptimizerLosses(optimizer, losses);
    }
    if (state.schedulers.empty() && std::ranges::any_of(state.optimizers, usedSchedule)) {
        losses.push_back({LossId::Schedule, "the state of the scheduler",
                          "the groups have `initial_lr`, so one was used; it starts again"});
    }
    const TrainingPosition& position = state.position.position;
    if (!position.step && !position.epoch) {
        losses.push_back({LossId::Position, "step and epoch", "a resumed run counts from 0"});
    }
    if (lacksMasters(checkpoint, state)) {
        losses.push_back({LossId::Masters, "fp32 masters of 16-bit parameters",
                          "if the trainer kept any, training continues from rounded values"});
    }
    addValueLosses(state, losses);
    if (state.generators.empty()) {
        losses.push_back({LossId::Generators, "states of random generators",
                          "dropout and shuffling use new random numbers"});
    }
    return losses;
}

std::string secondModel(const Checkpoint& checkpoint, const TrainingState& state) {
    const auto found = std::ranges::find_if(state.others, [&](const StatePart& part) {
        return state.modelPlace.empty() && holdsModel(checkpoint, part.value);
    });
    return found == state.others.end() ? std::string() : found->place;
}

bool isFolderOfRanks(const Checkpoint& checkpoint) {
    return checkpoint.format() == "megatron" && !isStateOfMegatron(checkpoint);
}

const Value* groupsOfMegatron(const Value& values) {
    const Value* inner = values.findPath({"optimizer", "optimizer", "param_groups"});
    return inner != nullptr ? inner : values.findPath({"optimizer", "param_groups"});
}

std::string_view abilityName(AbilityId id) {
    static constexpr std::array<std::string_view, kAbilities> kNames = {
        "serve", "resume", "resume_elsewhere", "weights"};
    return kNames.at(static_cast<std::size_t>(id));
}

Result<std::array<Ability, kAbilities>>
abilitiesOf(const Checkpoint& checkpoint, const HealthReport& health, const CancelToken& cancel) {
    CAIRN_TRY(const TrainingState state, trainingState(checkpoint, cancel));
    std::optional<JaxMoments> moments;
    Value values;
    if (isStateOfMegatron(checkpoint)) {
        CAIRN_TRY(values, checkpoint.values(cancel));
    }
    if (isStateOfJax(checkpoint)) {
        CAIRN_TRY(values, checkpoint.values(cancel));
        if (auto found = momentsOfState(checkpoint, values)) { // else the moments do not fit
            moments = std::move(*found);
        }
    }
    Ability weights{AbilityId::Weights, false, {}, {}};
    if (isReadable(checkpoint, weights.why)) {
        weights.can = !state.model.empty();
        weights.why.push_back(
            weights.can ? sentence("%1 of the model", counting(state.model.size(), "tensor"))
                        : "It contains no weights");
    }
    return std::array<Ability, kAbilities>{
        serve(checkpoint, health, weights),
        resume(checkpoint, state, values, moments, AbilityId::Resume),
        resume(checkpoint, state, values, moments, AbilityId::ResumeElsewhere), std::move(weights)};
}

Sentence verdictOf(const Ability& ability) {
    if (!ability.can) {
        return ability.loader == LoaderAnswer::Undecided ? Sentence("unknown") : "no";
    }
    if (ability.loader == LoaderAnswer::Unknown) {
        return "yes, if the model's class takes the tensors";
    }
    return ability.lost.empty()    ? Sentence("yes")
           : isExact(ability.lost) ? Sentence("yes, with new random numbers")
                                   : "yes, but not everything";
}

} // namespace cairn
