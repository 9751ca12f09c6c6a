// SPDX-License-Identifier: Apache-2.0
#include "core/model/deepspeed_state.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

constexpr auto kOwnKeys = std::to_array<std::string_view>(
    {"module", "buffer_names", "optimizer", "param_shapes", "frozen_param_shapes", "shared_params",
     "frozen_param_fragments", "skipped_steps", "global_samples", "dp_world_size", "mp_world_size",
     "checkpoint_parallel_dimensions", "ds_config", "ds_version", "optimizer_state_dict",
     "optimizer_state", "universal_checkpoint_info", "sparse_tensor_module_names"});

const Value* firstOf(const Value& values,
                     std::initializer_list<std::initializer_list<std::string_view>> paths) {
    for (const auto& path : paths) {
        if (const Value* found = values.findPath(path); found != nullptr && found->isContainer()) {
            return found;
        }
    }
    return nullptr;
}

bool isOne(const Value* number) {
    return number != nullptr && numberOf(*number) == 1.0;
}

class FlatOptimizer {
public:
    FlatOptimizer(const Checkpoint& checkpoint, const Value& values)
        : m_checkpoint(checkpoint), m_values(values) {}

    std::optional<OptimizerState> run() {
        const Value* shapes = m_values.find("param_shapes");
        m_settings =
            firstOf(m_values, {{"optimizer_state_dict", "base_optimizer_state", "param_groups"},
                               {"optimizer_state_dict", "optimizer_state_dict", "param_groups"},
                               {"optimizer_state", "param_groups"}});
        m_steps = firstOf(m_values, {{"optimizer_state_dict", "base_optimizer_state", "state"},
                                     {"optimizer_state_dict", "optimizer_state_dict", "state"},
                                     {"optimizer_state", "optimizer_state_dict", "state"}});
        if (shapes == nullptr || shapes->kind() != ValueKind::List || m_settings == nullptr ||
            shapes->items().size() != m_settings->items().size() ||
            !isOne(m_values.find("mp_world_size"))) {
            return std::nullopt;
        }
        for (std::size_t g = 0; g < shapes->items().size(); ++g) {
            addGroup(g, shapes->items()[g].value);
        }
        return addStates() ? std::optional(std::move(m_made)) : std::nullopt;
    }

private:
    void addGroup(std::size_t group, const Value& shapes) {
        std::vector<Value> names;
        for (const ValueItem& item : shapes.items()) {
            const std::string name = keyText(item.key);
            m_positions.emplace(name, m_made.parameters.size());
            m_made.parameters.push_back({name, group, name, {}});
            names.emplace_back(name);
        }
        std::vector<ValueItem> items;
        for (const ValueItem& item : m_settings->items()[group].value.items()) {
            if (keyText(item.key) != "params") {
                items.push_back(item);
            }
        }
        items.push_back({Value("params"), Value::list(std::move(names))});
        m_made.groups.push_back(Value::dict(std::move(items)));
    }

    /// ZeRO 1 and 2 keep one flat parameter a group; ZeRO 3 several, of one step.
    [[nodiscard]] Value stepOf(const OptimizerParameter& parameter) const {
        if (m_steps == nullptr || m_steps->items().empty()) {
            return {};
        }
        const bool byGroup = m_steps->items().size() == m_made.groups.size();
        const Value* step = m_steps->items()[byGroup ? parameter.group : 0].value.find("step");
        return step != nullptr ? *step : Value();
    }

    /// False: a tensor of the optimizer belongs to a parameter that is in no group.
    bool addStates() {
        std::set<std::string_view> model;
        for (const TensorEntry& tensor : m_checkpoint.tensors()) {
            if (tensor.role == Role::Weight || tensor.role == Role::Buffer) {
                model.insert(tensor.name);
            }
        }
        std::map<std::size_t, std::vector<ValueItem>> states;
        for (std::size_t i = 0; i < m_checkpoint.tensors().size(); ++i) {
            const TensorEntry& tensor = m_checkpoint.tensors()[i];
            const std::size_t dot = tensor.name.rfind('.');
            if (tensor.role != Role::Optimizer || dot == std::string::npos) {
                continue;
            }
            const std::string name = tensor.name.substr(0, dot);
            const auto found = m_positions.find(name);
            if (found != m_positions.end()) {
                states[found->second].push_back(
                    {Value(tensor.name.substr(dot + 1)), Value(TensorIndex(i))});
            } else if (model.contains(name)) {
                return false;
            }
        }
        for (auto& [position, items] : states) {
            OptimizerParameter& parameter = m_made.parameters[position];
            const auto isStep = [](const ValueItem& item) { return keyText(item.key) == "step"; };
            if (std::ranges::none_of(items, isStep)) {
                const Value* own = m_values.find(parameter.key + ".step"); // universal, a number
                const Value step = own != nullptr ? *own : stepOf(parameter);
                if (step.kind() != ValueKind::Null) {
                    items.insert(items.begin(), {Value("step"), step});
                }
            }
            parameter.state = Value::dict(std::move(items));
        }
        m_made.place = "optimizer_state_dict";
        m_made.form = StateForm::Named;
        std::vector<ValueItem> all;
        for (const OptimizerParameter& parameter : m_made.parameters) {
            if (parameter.state.isContainer()) {
                all.push_back({Value(parameter.key), parameter.state});
            }
        }
        m_made.stored = Value::dict({{Value("state"), Value::dict(std::move(all))},
                                     {Value("param_groups"), Value::list(m_made.groups)}});
        return true;
    }

    const Checkpoint& m_checkpoint;
    const Value& m_values;
    const Value* m_settings = nullptr;
    const Value* m_steps = nullptr;
    OptimizerState m_made;
    std::map<std::string, std::size_t, std::less<>> m_positions;
};

} // namespace

std::optional<OptimizerState> deepSpeedOptimizer(const Checkpoint& checkpoint,
                                                 const Value& values) {
    return FlatOptimizer(checkpoint, values).run();
}

bool isDeepSpeedKey(std::string_view key) {
    return std::ranges::find(kOwnKeys, key) != kOwnKeys.end();
}

} // namespace cairn
