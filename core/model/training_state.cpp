// SPDX-License-Identifier: Apache-2.0
#include "core/model/training_state.h"

#include "core/model/container_prefix.h"
#include "core/model/deepspeed_state.h"
#include "core/model/names/role_words.h"
#include "core/model/role_decision.h"
#include "core/model/value_roles.h"

#include <system_error>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr int kOptimizerDepth = 3; ///< of containers around an optimizer: a list in a wrapper
constexpr std::string_view kFlatState = "state.";
constexpr std::string_view kFlatGroup = "param_groups.";

std::string keyBelow(const std::string& place, const ValueItem& item, std::size_t position) {
    const std::string key =
        item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
    return place.empty() ? key : place + "." + key;
}

bool isFlatOptimizer(const Value& value) {
    const auto begins = [&](std::string_view prefix) {
        return std::ranges::any_of(value.items(), [&](const ValueItem& item) {
            const std::string* key = item.key.asString();
            return key != nullptr && key->size() > prefix.size() && key->starts_with(prefix);
        });
    };
    return value.kind() == ValueKind::Dict && begins(kFlatState) && begins(kFlatGroup);
}

/// Parameters of `param_groups`, each with its state.
void readGroups(OptimizerState& optimizer) {
    const Value* states = optimizer.stored.find("state");
    std::map<std::string, const Value*> stateOf;
    for (const ValueItem& item : states->items()) {
        stateOf.emplace(keyText(item.key), &item.value);
    }
    for (const ValueItem& item : optimizer.stored.find("param_groups")->items()) {
        const std::size_t group = optimizer.groups.size();
        optimizer.groups.push_back(item.value);
        const auto& parameters = item.value.find("params")->items();
        const Value* names = item.value.find("param_names");
        const bool named = names != nullptr && names->items().size() == parameters.size();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            OptimizerParameter parameter;
            parameter.key = keyText(parameters[i].value);
            parameter.group = group;
            if (parameters[i].value.asString() != nullptr) {
                optimizer.form = StateForm::Named;
                parameter.recorded = parameter.key;
            } else if (const std::string* name =
                           named ? names->items()[i].value.asString() : nullptr) {
                parameter.recorded = *name;
            }
            if (const auto found = stateOf.find(parameter.key); found != stateOf.end()) {
                if (!found->second->items().empty()) {
                    parameter.state = *found->second;
                }
                stateOf.erase(found);
            }
            optimizer.parameters.push_back(std::move(parameter));
        }
    }
    for (const auto& [key, state] : stateOf) {
        if (!state->items().empty()) {
            optimizer.orphans.push_back(key);
        }
    }
}

/// "state.NAME.exp_avg" and "param_groups.NAME.lr", whose last part has no dots. States may have
/// further dots (Shampoo's), so that the groups decide what the name is.
void readFlat(OptimizerState& optimizer) {
    optimizer.form = StateForm::Flat;
    std::map<std::string, std::size_t> positions;
    std::vector<std::vector<ValueItem>> settings;
    for (const ValueItem& item : optimizer.stored.items()) {
        const std::string key = keyText(item.key);
        const std::size_t dot = key.rfind('.');
        if (!key.starts_with(kFlatGroup) || dot <= kFlatGroup.size()) {
            continue;
        }
        const std::string name = key.substr(kFlatGroup.size(), dot - kFlatGroup.size());
        const auto [at, isNew] = positions.try_emplace(name, settings.size());
        if (isNew) {
            settings.emplace_back();
            optimizer.parameters.push_back({name, at->second, name, {}});
        }
        settings[at->second].push_back({Value(key.substr(dot + 1)), item.value});
    }
    for (std::vector<ValueItem>& each : settings) {
        optimizer.groups.push_back(Value::dict(std::move(each)));
    }
    std::vector<std::vector<ValueItem>> states(settings.size());
    std::set<std::string> orphans;
    for (const ValueItem& item : optimizer.stored.items()) {
        const std::string key = keyText(item.key);
        if (!key.starts_with(kFlatState)) {
            continue;
        }
        const std::string rest = key.substr(kFlatState.size());
        auto found = positions.end();
        std::size_t dot = rest.rfind('.');
        const std::size_t last = dot;
        while (dot != std::string::npos && dot > 0 && found == positions.end()) {
            found = positions.find(rest.substr(0, dot));
            dot = found == positions.end() ? rest.rfind('.', dot - 1) : dot;
        }
        if (found == positions.end()) {
            orphans.insert(rest.substr(0, last));
        } else {
            states[found->second].push_back({Value(rest.substr(dot + 1)), item.value});
        }
    }
    optimizer.orphans.assign(orphans.begin(), orphans.end());
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!states[i].empty()) {
            optimizer.parameters[i].state = Value::dict(std::move(states[i]));
        }
    }
}

std::string_view firstPart(std::string_view name) {
    return name.substr(0, std::min(name.find('.'), name.size()));
}

/// Keys under which the model is stored a second time: each of their tensors has the bytes of one
/// under another key, with the same name otherwise. A Lightning folder that two strategies read is
/// one.
std::set<std::string, std::less<>> secondKeys(const Checkpoint& checkpoint) {
    std::set<std::string, std::less<>> second;
    std::set<std::string, std::less<>> own;
    std::map<std::pair<TensorIndex, std::string_view>, std::string_view> first;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        const TensorEntry& tensor = checkpoint.tensors()[i];
        if (!isModelRole(tensor.role)) {
            continue;
        }
        const std::string_view key = firstPart(tensor.name);
        const std::string_view rest = std::string_view(tensor.name).substr(key.size());
        const TensorIndex stored = tensor.aliasOf.value_or(TensorIndex(i));
        const auto at = first.try_emplace({stored, rest}, key).first;
        (at->second == key ? own : second).emplace(key);
    }
    std::erase_if(second, [&](const std::string& key) { return own.contains(key); });
    return second;
}

/// "12" as 12; nothing for other texts, such as "012".
std::optional<std::int64_t> plainNumber(const Value& key) {
    const std::string* text = key.asString();
    std::int64_t number = 0;
    const bool isNumber =
        text != nullptr &&
        std::from_chars(text->data(), text->data() + text->size(), number).ec == std::errc() &&
        number >= 0 && std::to_string(number) == *text;
    return isNumber ? std::optional(number) : std::nullopt;
}

/// A schedule with the milestones of MultiStepLR keyed by numbers again: a distributed checkpoint
/// stores all keys as texts, and a milestone that is a text is never reached. Sources: torch 2.13
/// distributed/checkpoint/_traverse.py, optim/lr_scheduler.py.
class MilestoneKeys {
public:
    /// Shared nodes stay shared: linear in the nodes, not in the paths to them.
    Value numbered(const Value& value, bool areMilestones = false, int depth = 0) {
        if (!value.isContainer() || depth > Value::kMaxDepth) {
            return value;
        }
        const std::pair<const void*, bool> place{value.identity(), areMilestones};
        if (const auto known = m_made.find(place); known != m_made.end()) {
            return known->second;
        }
        Value made = changed(value, areMilestones, depth);
        m_made.emplace(place, made);
        return made;
    }

private:
    Value changed(const Value& value, bool areMilestones, int depth) {
        const auto isNumbered = [](const ValueItem& item) {
            return plainNumber(item.key).has_value();
        };
        std::vector<ValueItem> items = value.items();
        bool isChanged = false;
        if (areMilestones && value.kind() == ValueKind::Dict &&
            std::ranges::all_of(items, isNumbered)) {
            for (ValueItem& item : items) {
                item.key = Value(*plainNumber(item.key));
            }
            isChanged = !items.empty();
        } else {
            for (ValueItem& item : items) {
                Value below = numbered(item.value, keyText(item.key) == "milestones", depth + 1);
                isChanged = isChanged || below.identity() != item.value.identity();
                item.value = std::move(below);
            }
        }
        const ValueNode& node = *value.asNode();
        return isChanged ? Value::container({node.kind, node.className, std::move(items)}) : value;
    }

    /// By the node, and by whether it is below `milestones`.
    std::map<std::pair<const void*, bool>, Value> m_made;
};

class StateReader {
public:
    StateReader(const Checkpoint& checkpoint, const Value& values)
        : m_checkpoint(checkpoint), m_values(values) {}

    TrainingState read() {
        readModel();
        if (m_values.find("pytorch-lightning_version") != nullptr) {
            m_state.origin = StateOrigin::Lightning;
        } else if (m_checkpoint.format() == "huggingface") {
            m_state.origin = StateOrigin::Folder;
        }
        m_isDeepSpeed = m_checkpoint.format() == "deepspeed";
        if (m_isDeepSpeed) {
            readDeepSpeed();
        }
        std::size_t position = 0;
        for (const ValueItem& item : m_values.items()) {
            const std::string key = keyBelow({}, item, position++);
            if (!m_isDeepSpeed) {
                readItem(item, key);
            } else if (isDataKey(key)) {
                if (item.value.kind() != ValueKind::Null) {
                    m_state.data.push_back({key, item.value});
                }
            } else if (!isDeepSpeedKey(key) && !isStepOfParameter(key)) {
                readItem(item, key);
            }
        }
        return std::move(m_state);
    }

private:
    void readModel() {
        std::vector<TensorIndex> chosen;
        m_second = secondKeys(m_checkpoint);
        for (std::size_t i = 0; i < m_checkpoint.tensors().size(); ++i) {
            const TensorEntry& tensor = m_checkpoint.tensors()[i];
            if (isModelRole(tensor.role) && !m_second.contains(firstPart(tensor.name))) {
                chosen.push_back(TensorIndex(i));
            }
        }
        const std::string prefix = containerPrefix(m_checkpoint, chosen, &m_values);
        m_state.modelPlace = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
        for (std::size_t i = 0; i < m_checkpoint.tensors().size(); ++i) {
            const TensorEntry& tensor = m_checkpoint.tensors()[i];
            // In a state dict, an average or a loss of the module is loaded with it.
            const bool isModel =
                prefix.empty() ? isModelRole(tensor.role) : tensor.name.starts_with(prefix);
            if (isModel && tensor.name.size() > prefix.size()) {
                m_state.model.push_back({tensor.name.substr(prefix.size()), TensorIndex(i)});
            }
        }
    }

    void readDeepSpeed() {
        if (auto optimizer = deepSpeedOptimizer(m_checkpoint, m_values)) {
            m_state.optimizers.push_back(std::move(*optimizer));
        } else if (const Value* plain = m_values.find("optimizer"); // without ZeRO, in fp32
                   plain != nullptr && isOptimizerState(*plain)) {
            findOptimizers(*plain, "optimizer", 0);
        }
        const Value* dynamic = m_values.findPath({"optimizer_state_dict", "dynamic_loss_scale"});
        const Value* scaler = m_values.findPath({"optimizer_state_dict", "loss_scaler"});
        if (scaler != nullptr && dynamic != nullptr && dynamic->asBool() != nullptr &&
            *dynamic->asBool()) {
            m_state.scalers.push_back({"optimizer_state_dict.loss_scaler", *scaler});
        }
    }

    /// Of DeepSpeed's curriculum and of its random dropping of tokens.
    static bool isDataKey(std::string_view key) {
        return key == "data_sampler" || key == "random_ltd";
    }

    /// "PARAMETER.step" of a universal checkpoint; other keys with this end are the program's.
    bool isStepOfParameter(std::string_view key) {
        constexpr std::string_view kStep = ".step";
        if (!key.ends_with(kStep)) {
            return false;
        }
        if (m_names.empty()) {
            for (const TensorEntry& tensor : m_checkpoint.tensors()) {
                const std::string_view name = tensor.name;
                const std::size_t dot = std::min(name.rfind('.'), name.size());
                m_names.insert(tensor.role == Role::Optimizer ? name.substr(0, dot) : name);
            }
        }
        return m_names.contains(key.substr(0, key.size() - kStep.size()));
    }

    bool findOptimizers(const Value& value, const std::string& place, int depth) {
        if (isOptimizerState(value) || isFlatOptimizer(value)) {
            OptimizerState optimizer;
            optimizer.place = place;
            optimizer.stored = value;
            if (isOptimizerState(value)) {
                readGroups(optimizer);
            } else {
                readFlat(optimizer);
            }
            m_state.optimizers.push_back(std::move(optimizer));
            return true;
        }
        if (depth == kOptimizerDepth) {
            return false;
        }
        bool found = false;
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            found =
                findOptimizers(item.value, keyBelow(place, item, position++), depth + 1) || found;
        }
        return found;
    }

    void readItem(const ValueItem& item, const std::string& place) {
        const bool isModel =
            item.value.asTensor() != nullptr
                ? isModelRole(m_checkpoint.tensor(*item.value.asTensor()).role)
                : place == m_state.modelPlace || m_state.modelPlace.starts_with(place + ".");
        if (isModel || m_second.contains(place) || item.value.kind() == ValueKind::Null ||
            findOptimizers(item.value, place, 0)) {
            return;
        }
        const std::optional<Role> role = names::roleOfKey(place);
        if (role == Role::Scheduler) {
            addEach(m_checkpoint.format() == "dcp" ? m_milestones.numbered(item.value) : item.value,
                    place, m_state.schedulers);
        } else if (role == Role::Rng) {
            m_state.generators.push_back({place, item.value});
        } else if (names::isScalerKey(place)) {
            if (!item.value.isContainer() || !item.value.items().empty()) {
                m_state.scalers.push_back({place, item.value});
            }
        } else if (names::isLoaderKey(place)) {
            m_state.data.push_back({place, item.value});
        } else {
            m_state.others.push_back({place, item.value});
        }
    }

    /// One state, or a list of them.
    static void addEach(const Value& value, const std::string& place,
                        std::vector<StatePart>& parts) {
        if (value.kind() != ValueKind::List) {
            parts.push_back({place, value});
            return;
        }
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            parts.push_back({keyBelow(place, item, position++), item.value});
        }
    }

    const Checkpoint& m_checkpoint;
    const Value& m_values;
    std::set<std::string, std::less<>> m_second; ///< keys of the model's second names
    std::set<std::string_view> m_names;          ///< of parameters, for isStepOfParameter()
    bool m_isDeepSpeed = false;
    MilestoneKeys m_milestones;
    TrainingState m_state;
};

/// A second moment that is kept as two factors.
struct FactoredMoment {
    std::string_view rows;    ///< the parameter's shape without the last dimension
    std::string_view columns; ///< without the last but one
    bool keepsDims;           ///< with 1 in place of the dimension
};

constexpr auto kFactoredMoments = std::to_array<FactoredMoment>({
    {"row_var", "col_var", true},                  // torch.optim.Adafactor
    {"exp_avg_sq_row", "exp_avg_sq_col", false},   // transformers, fairseq, timm, CAME
    {"exp_avg_res_row", "exp_avg_res_col", false}, // CAME
});

/// Nothing: these are not two factors of one shape.
std::optional<Shape> wholeShape(const Shape& rows, const Shape& columns, bool keepsDims) {
    const std::size_t least = keepsDims ? 2 : 1;
    if (rows.size() < least || rows.size() != columns.size()) {
        return std::nullopt;
    }
    std::vector<std::int64_t> whole(rows.begin(), rows.end());
    if (keepsDims) {
        whole.pop_back();
    }
    whole.push_back(columns[columns.size() - 1]);
    std::vector<std::int64_t> withoutLast(whole.begin(), whole.end() - 1);
    std::vector<std::int64_t> withoutRow = whole;
    withoutRow.erase(withoutRow.end() - 2);
    if (keepsDims) {
        withoutLast.push_back(1);
        withoutRow.insert(withoutRow.end() - 1, 1);
    }
    const bool fits = std::ranges::equal(withoutLast, rows.span()) &&
                      std::ranges::equal(withoutRow, columns.span());
    return fits ? std::optional<Shape>(std::span<const std::int64_t>(whole)) : std::nullopt;
}

/// bitsandbytes' code books and scales of blocks, beside its codes.
bool isOfBlocks(std::string_view key) {
    return key.starts_with("qmap") || key.starts_with("absmax");
}

} // namespace

std::size_t OptimizerState::withState() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        parameters, [](const auto& each) { return each.state.isContainer(); }));
}

std::vector<const OptimizerParameter*> OptimizerState::withoutState() const {
    std::vector<const OptimizerParameter*> found;
    for (const OptimizerParameter& parameter : parameters) {
        if (!parameter.state.isContainer()) {
            found.push_back(&parameter);
        }
    }
    return found;
}

bool OptimizerState::needsNone() const {
    return withState() == 0 && std::ranges::all_of(groups, [](const Value& group) {
               const Value* momentum = group.find("momentum");
               return momentum != nullptr && numberOf(*momentum) == 0.0;
           });
}

std::string OptimizerState::labelOf(const OptimizerParameter& parameter) {
    return parameter.recorded.empty() ? "number " + parameter.key : parameter.recorded;
}

std::string_view lossName(LossId id) {
    static constexpr auto kNames = std::to_array<std::string_view>(
        {"moments", "optimizer", "foreign", "schedule", "position", "rng", "masters", "objects",
         "data", "trainer_state", "unread", "left_out"});
    return kNames.at(static_cast<std::size_t>(id));
}

bool isStateOfMegatron(const Checkpoint& checkpoint) {
    return checkpoint.framework() == "megatron" &&
           std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
               return tensor.name.starts_with("optimizer.state.exp_avg.");
           });
}

bool isExact(const std::vector<TrainingLoss>& losses) {
    return std::ranges::all_of(losses, [](const TrainingLoss& loss) {
        return loss.id == LossId::Generators || loss.id == LossId::Data;
    });
}

Result<TrainingState> trainingState(const Checkpoint& checkpoint, const CancelToken& cancel) {
    CAIRN_TRY(const Value values, checkpoint.values(cancel));
    TrainingState state = StateReader(checkpoint, values).read();
    state.position = recordedTraining(checkpoint, cancel);
    if (state.position.position.vagueStep) { // may be how many are planned
        state.position.position.step.reset();
        state.position.stepField.clear();
    }
    if (state.position.position.vagueEpoch) {
        state.position.position.epoch.reset();
        state.position.epochField.clear();
    }
    return state;
}

std::optional<Shape> shapeOfState(const Checkpoint& checkpoint, const Value& state) {
    const bool isQuantised = state.find("state1") != nullptr; // bitsandbytes
    std::map<std::string, const Shape*, std::less<>> shapes;
    bool hasDims = false;
    for (const ValueItem& item : state.items()) {
        const TensorIndex* tensor = item.value.asTensor();
        const std::string key = keyText(item.key);
        if (tensor != nullptr && key != "step" && !(isQuantised && isOfBlocks(key))) {
            shapes[key] = &checkpoint.tensor(*tensor).shape;
            hasDims = hasDims || !shapes[key]->empty();
        }
    }
    std::vector<Shape> found;
    for (const FactoredMoment& moment : kFactoredMoments) {
        const auto rows = shapes.find(moment.rows);
        const auto columns = shapes.find(moment.columns);
        if (rows != shapes.end() && columns != shapes.end()) {
            auto whole = wholeShape(*rows->second, *columns->second, moment.keepsDims);
            if (!whole) {
                return std::nullopt;
            }
            found.push_back(std::move(*whole));
            shapes.erase(rows);
            shapes.erase(columns);
        }
    }
    for (const auto& [key, shape] : shapes) {
        if (!hasDims || !shape->empty()) { // a counter of one element, except of a 0-d parameter
            found.push_back(*shape);
        }
    }
    const bool isOne = std::ranges::adjacent_find(found, std::not_equal_to<>()) == found.end();
    return isOne && !found.empty() ? std::optional(found.front()) : std::nullopt;
}

} // namespace cairn
