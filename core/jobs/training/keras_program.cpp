// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/keras_program.h"

#include "core/jobs/training/keras_groups.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn {
namespace {

using formats::tensorflow::GraphObject;

constexpr std::size_t kMostInner = 64; ///< optimizers inside one

/// The objects of a list; empty: it is none, or one is missing.
std::vector<std::size_t> listOf(const GraphObject& object) {
    std::vector<std::optional<std::size_t>> found(object.children.size());
    for (const GraphObject::Child& child : object.children) {
        const auto position = positionIn(child.name);
        if (!position || *position >= found.size() || found[*position]) {
            return {};
        }
        found[*position] = child.object;
    }
    std::vector<std::size_t> list;
    for (const auto& each : found) {
        list.push_back(*each);
    }
    return list;
}

} // namespace

KerasProgram::KerasProgram(const Checkpoint& checkpoint, Graph graph)
    : m_checkpoint(checkpoint), m_graph(graph) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (const GraphObject::Variable& variable : graph[i].variables) {
            const auto tensor = checkpoint.find(variable.key);
            if (tensor && variable.attribute == "VARIABLE_VALUE") {
                m_variables.emplace(i, KerasVariable{i, *tensor, variable.name});
            }
        }
    }
}

bool KerasProgram::isOfKeras2() const {
    return std::ranges::any_of(m_graph, [](const GraphObject& object) {
        return std::ranges::any_of(object.children, [](const GraphObject::Child& child) {
            return child.name.starts_with("layer_with_weights-") || child.name == "keras_api";
        });
    });
}

const GraphObject::Child* KerasProgram::childOf(std::size_t object, std::string_view name) const {
    const auto& children = m_graph[object].children;
    const auto found = std::ranges::find(children, name, &GraphObject::Child::name);
    return found == children.end() ? nullptr : &*found;
}

std::vector<std::size_t> KerasProgram::listNamed(std::size_t object, std::string_view name) const {
    const GraphObject::Child* child = childOf(object, name);
    return child == nullptr ? std::vector<std::size_t>() : listOf(m_graph[child->object]);
}

const KerasVariable* KerasProgram::variableOf(std::size_t object) const {
    const auto found = m_variables.find(object);
    return found == m_variables.end() ? nullptr : &found->second;
}

bool KerasProgram::isOptimizer(std::size_t object) const {
    const auto list = listNamed(object, "_variables");
    const GraphObject::Child* count = childOf(object, "_iterations");
    return !list.empty() && count != nullptr && count->object == list.front() &&
           variableOf(list.front()) != nullptr;
}

bool KerasProgram::addState(std::size_t optimizer, std::set<std::size_t>& seen,
                            std::vector<const KerasVariable*>& state) const {
    const std::vector<std::size_t> own = listNamed(optimizer, "_variables");
    if (own.empty() || seen.size() > kMostInner || !seen.insert(optimizer).second) {
        return false;
    }
    for (const std::size_t object : own) {
        const KerasVariable* variable = variableOf(object);
        if (variable == nullptr) {
            return false;
        }
        state.push_back(variable);
    }
    std::vector<std::size_t> inner = listNamed(optimizer, "_inner_optimizers");
    if (const Child* one = childOf(optimizer, "inner_optimizer")) {
        inner.push_back(one->object);
    }
    return std::ranges::all_of(inner,
                               [&](std::size_t each) { return addState(each, seen, state); });
}

std::vector<const KerasVariable*> KerasProgram::stateOf(std::size_t optimizer) const {
    std::vector<const KerasVariable*> state;
    std::set<std::size_t> seen;
    return addState(optimizer, seen, state) ? state : std::vector<const KerasVariable*>();
}

std::map<std::size_t, std::size_t>
KerasProgram::orderOf(std::span<const KerasVariable* const> variables) const {
    std::map<std::size_t, std::size_t> order;
    for (const GraphObject& object : m_graph) {
        if (variables.empty() || std::ranges::find(object.children, variables.front()->object,
                                                   &Child::object) == object.children.end()) {
            continue;
        }
        std::map<std::size_t, std::size_t> found;
        for (std::size_t i = 0; i < object.children.size(); ++i) {
            found.emplace(object.children[i].object, i);
        }
        if (!std::ranges::all_of(variables, [&](const KerasVariable* variable) {
                return found.contains(variable->object);
            })) {
            continue;
        }
        if (!order.empty()) {
            return {};
        }
        order = std::move(found);
    }
    return order;
}

} // namespace cairn
