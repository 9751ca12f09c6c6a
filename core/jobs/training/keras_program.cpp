// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/keras_program.h"

#include "core/jobs/training/keras_groups.h"

#include <algorithm>
#include <optional>

namespace cairn {
namespace {

using formats::tensorflow::GraphObject;

constexpr int kMostInner = 4; ///< nested optimizers

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

std::vector<const KerasVariable*> KerasProgram::stateOf(std::size_t optimizer, int depth) const {
    std::vector<const KerasVariable*> state;
    for (const std::size_t object : listNamed(optimizer, "_variables")) {
        const KerasVariable* variable = variableOf(object);
        if (variable == nullptr) {
            return {};
        }
        state.push_back(variable);
    }
    std::vector<std::size_t> inner = listNamed(optimizer, "_inner_optimizers");
    if (const Child* one = childOf(optimizer, "inner_optimizer")) {
        inner.push_back(one->object);
    }
    for (const std::size_t each : inner) {
        const auto more =
            depth < kMostInner ? stateOf(each, depth + 1) : std::vector<const KerasVariable*>();
        if (more.empty()) {
            return {};
        }
        state.insert(state.end(), more.begin(), more.end());
    }
    return state;
}

} // namespace cairn
