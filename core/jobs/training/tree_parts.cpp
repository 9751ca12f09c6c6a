// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/tree_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace cairn::trainer_tree {
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

/// What makes two groups equal.
std::string groupText(const Value& value) {
    std::string text = std::to_string(static_cast<int>(value.kind())) + ":";
    if (const TensorIndex* tensor = value.asTensor()) {
        return text + std::to_string(tensor->value) + ";";
    }
    if (!value.isContainer()) {
        return text +
               (value.asFloat() != nullptr
                    ? std::to_string(std::bit_cast<std::uint64_t>(*value.asFloat()))
                    : keyText(value)) +
               ";";
    }
    for (const ValueItem& item : value.items()) {
        text += keyText(item.key) + "=" + groupText(item.value);
    }
    return text + ";";
}

/// Groups of several optimizers, each with its parameters. Those of the flat form have one
/// parameter each: with equal hyper-parameters they are one.
class Groups {
public:
    /// The group of each parameter of the optimizer.
    void add(const OptimizerState& optimizer) {
        std::map<std::string, std::size_t> equal;
        m_placeOf.clear();
        for (const Value& group : optimizer.groups) {
            const std::string text = optimizer.form == StateForm::Flat
                                         ? groupText(group)
                                         : std::to_string(m_placeOf.size());
            const auto [at, isNew] = equal.try_emplace(text, m_settings.size());
            if (isNew) {
                m_settings.push_back(group);
                m_lists.emplace_back();
            }
            m_placeOf.push_back(at->second);
        }
    }
    /// To the group that was number `group` of the optimizer that was added last.
    void list(std::size_t group, Value parameter) {
        m_lists.at(m_placeOf.at(group)).push_back(std::move(parameter));
    }
    [[nodiscard]] std::vector<std::size_t> order(const OptimizerState& optimizer) const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
            order.push_back(i);
        }
        std::ranges::stable_sort(
            order, {}, [&](std::size_t i) { return m_placeOf.at(optimizer.parameters[i].group); });
        return order;
    }
    std::vector<Value> take() && {
        std::vector<Value> groups;
        for (std::size_t g = 0; g < m_lists.size(); ++g) {
            groups.push_back(groupWith(m_settings[g], Value::list(std::move(m_lists[g]))));
        }
        return groups;
    }

private:
    std::vector<Value> m_settings;
    std::vector<std::vector<Value>> m_lists;
    std::vector<std::size_t> m_placeOf;
};

/// With the names again where torch keeps those of an optimizer that was made from them: loaders of
/// such optimizers need them, others do not ask.
Value withNames(const Value& group) {
    if (group.find("param_names") != nullptr) {
        return group;
    }
    std::vector<ValueItem> items = group.items();
    items.push_back({Value("param_names"), *group.find("params")});
    return Value::dict(std::move(items), group.asNode()->className);
}

/// Nested states (Shampoo's) have further dots.
void flattenState(const Value& value, const std::string& key, std::vector<ValueItem>& items) {
    if (value.kind() == ValueKind::Dict) {
        for (const ValueItem& item : value.items()) {
            flattenState(item.value, key + "." + keyText(item.key), items);
        }
        return;
    }
    items.push_back({Value(key), value});
}

} // namespace

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

Result<Value> numbered(const OptimizerState& optimizer, bool byOrder) {
    if (optimizer.form == StateForm::Numbered) {
        return optimizer.stored;
    }
    if (optimizer.form == StateForm::Flat && !byOrder) {
        return fail(ErrorCode::Unsupported,
                    "The flat form of an optimizer's state does not record its groups and the "
                    "order of their parameters, which numbers need")
            .inField(optimizer.place)
            .withHint("Use --for fsdp2, torchtitan or lightning-fsdp; --force takes the stored "
                      "order, and equal hyper-parameters for a group");
    }
    std::vector<ValueItem> states;
    Groups groups;
    groups.add(optimizer);
    std::size_t number = 0;
    for (const std::size_t i : groups.order(optimizer)) {
        const OptimizerParameter& parameter = optimizer.parameters[i];
        groups.list(parameter.group, intValue(number));
        if (parameter.state.isContainer()) {
            states.push_back({intValue(number), parameter.state});
        }
        ++number;
    }
    return optimizerDict(std::move(states), std::move(groups).take());
}

Result<std::vector<Value>> allNumbered(const TrainingState& state, bool byOrder) {
    std::vector<Value> all;
    for (const OptimizerState& optimizer : state.optimizers) {
        CAIRN_TRY(Value each, numbered(optimizer, byOrder));
        all.push_back(std::move(each));
    }
    return all;
}

Value named(std::span<const OptimizerState> optimizers, std::span<const NamesOfOptimizer> names) {
    std::vector<ValueItem> states;
    Groups groups;
    for (std::size_t k = 0; k < optimizers.size(); ++k) {
        const OptimizerState& optimizer = optimizers[k];
        groups.add(optimizer);
        for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
            const OptimizerParameter& parameter = optimizer.parameters[i];
            const std::string& name = names[k].at(i);
            groups.list(parameter.group, Value(name));
            if (parameter.state.isContainer()) {
                states.push_back({Value(name), parameter.state});
            }
        }
    }
    std::vector<Value> all = std::move(groups).take();
    std::ranges::transform(all, all.begin(), withNames);
    return optimizerDict(std::move(states), std::move(all));
}

Value flat(std::span<const OptimizerState> optimizers, std::span<const NamesOfOptimizer> names) {
    std::vector<ValueItem> items;
    for (std::size_t k = 0; k < optimizers.size(); ++k) {
        for (std::size_t i = 0; i < optimizers[k].parameters.size(); ++i) {
            const OptimizerParameter& parameter = optimizers[k].parameters[i];
            if (parameter.state.isContainer()) {
                flattenState(parameter.state, "state." + names[k].at(i), items);
            }
        }
        for (std::size_t i = 0; i < optimizers[k].parameters.size(); ++i) {
            const OptimizerParameter& parameter = optimizers[k].parameters[i];
            for (const ValueItem& item : optimizers[k].groups.at(parameter.group).items()) {
                const std::string key = keyText(item.key);
                if (key != "params" && key != "param_names") {
                    items.push_back(
                        {Value("param_groups." + names[k].at(i) + "." + key), item.value});
                }
            }
        }
    }
    return Value::dict(std::move(items));
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

bool isPosition(const TrainingState& state, const StatePart& part) {
    return part.place == state.position.stepField || part.place == state.position.epochField;
}

bool isAmong(const std::vector<StatePart>& parts, const StatePart& part) {
    return std::ranges::any_of(parts, [&](const StatePart& each) { return &each == &part; });
}

void addUnplaced(std::vector<TrainingLoss>& losses, const TrainingState& state, const Sentence& why,
                 const std::function<bool(const StatePart&)>& isWritten) {
    for (const auto* parts : {&state.generators, &state.data, &state.scalers, &state.others}) {
        const LossId id = parts == &state.generators ? LossId::Generators
                          : parts == &state.data     ? LossId::Data
                                                     : LossId::TrainerState;
        for (const StatePart& part : *parts) {
            if (!isPosition(state, part) && !(isWritten && isWritten(part))) {
                addLost(losses, id, part, why);
            }
        }
    }
}

} // namespace cairn::trainer_tree
