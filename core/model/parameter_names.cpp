// SPDX-License-Identifier: Apache-2.0
//
// Numbers of an optimizer's parameters and names of the model's.
//
// The division of the model's parameters (in their order) into groups that are in order is a path:
// a node is the number of parameters that each group has taken so far, an edge takes the next
// parameter of the model into one group or into none (frozen). Nodes are expanded level by level,
// one level for each parameter of the model; then those from which no complete division follows are
// removed. A parameter is decided if all remaining edges give it the same name.
#include "core/model/parameter_names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 18U;

struct Candidate {
    const ModelTensor* tensor;
    const Shape* shape;
};

struct Listed {
    std::size_t position; ///< in OptimizerState::parameters
    std::optional<Shape> shape;
};

using Node = std::vector<std::uint32_t>;

class Division {
public:
    Division(std::span<const Candidate> candidates, std::vector<std::vector<Listed>> groups)
        : m_candidates(candidates), m_groups(std::move(groups)) {}

    /// For each position the candidates that it may be; nothing: too many divisions.
    std::optional<std::map<std::size_t, std::set<std::size_t>>> run() {
        std::vector<std::set<Node>> levels{{Node(m_groups.size(), 0)}};
        std::size_t nodes = 1;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            std::set<Node> next;
            for (const Node& node : levels.back()) {
                if (canSkip(node, i)) {
                    next.insert(node);
                }
                for (std::size_t g = 0; g < m_groups.size(); ++g) {
                    if (fits(node, g, i)) {
                        next.insert(taken(node, g));
                    }
                }
            }
            nodes += next.size();
            if (nodes > kMostNodes) {
                return std::nullopt;
            }
            levels.push_back(std::move(next));
        }
        return namesOn(levels);
    }

private:
    [[nodiscard]] std::size_t leftIn(const Node& node) const {
        std::size_t left = 0;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            left += m_groups[g].size() - node[g];
        }
        return left;
    }
    /// There are enough candidates after this one.
    [[nodiscard]] bool canSkip(const Node& node, std::size_t candidate) const {
        return leftIn(node) <= m_candidates.size() - candidate - 1;
    }
    [[nodiscard]] bool fits(const Node& node, std::size_t group, std::size_t candidate) const {
        if (node[group] >= m_groups[group].size()) {
            return false;
        }
        const Listed& next = m_groups[group][node[group]];
        return !next.shape || *next.shape == *m_candidates[candidate].shape;
    }
    static Node taken(Node node, std::size_t group) {
        ++node[group];
        return node;
    }

    [[nodiscard]] std::map<std::size_t, std::set<std::size_t>>
    namesOn(const std::vector<std::set<Node>>& levels) const {
        Node complete;
        for (const auto& group : m_groups) {
            complete.push_back(static_cast<std::uint32_t>(group.size()));
        }
        std::map<std::size_t, std::set<std::size_t>> found;
        std::set<Node> alive;
        if (levels.back().contains(complete)) {
            alive.insert(complete);
        }
        for (std::size_t i = m_candidates.size(); i-- > 0;) {
            std::set<Node> before;
            for (const Node& node : levels[i]) {
                if (canSkip(node, i) && alive.contains(node)) {
                    before.insert(node);
                }
                for (std::size_t g = 0; g < m_groups.size(); ++g) {
                    if (fits(node, g, i) && alive.contains(taken(node, g))) {
                        before.insert(node);
                        found[m_groups[g][node[g]].position].insert(i);
                    }
                }
            }
            alive = std::move(before);
        }
        return found;
    }

    std::span<const Candidate> m_candidates;
    std::vector<std::vector<Listed>> m_groups;
};

class NameFinder {
public:
    NameFinder(const Checkpoint& checkpoint, const TrainingState& state,
               const OptimizerState& optimizer)
        : m_checkpoint(checkpoint), m_optimizer(optimizer), m_isOrdered(!state.modelPlace.empty()) {
        for (const ModelTensor& each : state.model) {
            const TensorEntry& tensor = checkpoint.tensor(each.tensor);
            m_byName.emplace(each.name, &tensor);
            if (!tensor.aliasOf) {
                ++m_ofShape[formatDims(tensor.shape)]; // also of what may only look like a buffer
            }
            if (tensor.role == Role::Weight && !tensor.aliasOf) {
                m_candidates.push_back({&each, &tensor.shape});
            }
        }
        m_result.names.resize(optimizer.parameters.size());
        for (const OptimizerParameter& parameter : optimizer.parameters) {
            m_shapes.push_back(parameter.state.isContainer()
                                   ? shapeOfState(checkpoint, parameter.state)
                                   : std::nullopt);
        }
    }

    ParameterNames run() {
        if (!m_optimizer.parameters.empty() &&
            std::ranges::all_of(m_optimizer.parameters,
                                [](const auto& each) { return !each.recorded.empty(); })) {
            useRecorded();
        } else if (!useShapes()) {
            useOrder();
        }
        return std::move(m_result);
    }

private:
    void decideBy(Strength strength, std::string_view id, Sentence says) {
        m_result.decided.value = true;
        m_result.decided.because.push_back(
            {strength, id, std::move(says), {m_checkpoint.path(), m_optimizer.place}});
    }

    void useRecorded() {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            const std::string& name = m_optimizer.parameters[i].recorded;
            const auto found = m_byName.find(name);
            if (found == m_byName.end()) {
                m_result.problem = sentence("The optimizer lists a parameter that the model does "
                                            "not have: %1",
                                            name);
            } else if (m_shapes[i] && *m_shapes[i] != found->second->shape) {
                m_result.problem =
                    sentence("The moments of %1 have the shape %2, the parameter has %3", name,
                             formatDims(*m_shapes[i]), formatDims(found->second->shape));
            } else if (!seen.insert(name).second) {
                m_result.problem = sentence("The optimizer lists %1 twice", name);
            }
            if (!m_result.problem.empty()) {
                return;
            }
            m_result.names[i] = name;
        }
        decideBy(Strength::Recorded, "recorded-names", "the optimizer's state has the names");
    }

    /// Each parameter has a shape of its own.
    bool useShapes() {
        std::map<std::string, std::vector<std::size_t>> byShape;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            byShape[formatDims(*m_candidates[i].shape)].push_back(i);
        }
        std::vector<std::string> names;
        std::set<std::string> seen;
        for (const std::optional<Shape>& shape : m_shapes) {
            const auto found = shape ? byShape.find(formatDims(*shape)) : byShape.end();
            if (found == byShape.end() || found->second.size() != 1 ||
                m_ofShape.at(found->first) != 1) {
                return false;
            }
            names.push_back(m_candidates[found->second.front()].tensor->name);
            if (!seen.insert(names.back()).second) {
                return false;
            }
        }
        m_result.names = std::move(names);
        decideBy(Strength::Proven, "unique-shapes",
                 "no other parameter has the shape of its moments");
        return true;
    }

    void useOrder() {
        if (!m_isOrdered) {
            m_result.problem = "The optimizer numbers its parameters, and the file of the weights "
                               "does not record the model's order";
            return;
        }
        std::vector<std::vector<Listed>> groups(m_optimizer.groups.size());
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            groups.at(m_optimizer.parameters[i].group).push_back({i, m_shapes[i]});
        }
        if (m_shapes.size() > m_candidates.size()) {
            m_result.problem = sentence("The groups list %1 parameters, but the model has %2",
                                        m_shapes.size(), m_candidates.size());
            return;
        }
        const auto found = Division(m_candidates, std::move(groups)).run();
        if (!found) {
            m_result.problem = "Too many divisions of the parameters into the groups are possible";
            return;
        }
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            const auto at = found->find(i);
            if (at == found->end()) {
                m_result.problem = "The groups do not match the model's parameters: no division in "
                                   "the model's order has the shapes of the moments";
                return;
            }
            if (at->second.size() > 1) {
                const auto& first = *m_candidates[*at->second.begin()].tensor;
                const auto& last = *m_candidates[*at->second.rbegin()].tensor;
                m_result.problem = sentence("Parameter %1 may be %2 or %3",
                                            m_optimizer.parameters[i].key, first.name, last.name);
                return;
            }
            m_result.names[i] = m_candidates[*at->second.begin()].tensor->name;
        }
        decideBy(Strength::Named, "order-of-parameters",
                 "each group lists its parameters in the model's order");
    }

    const Checkpoint& m_checkpoint;
    const OptimizerState& m_optimizer;
    bool m_isOrdered; ///< the weights are in a state dict, not in a file that sorts them
    std::map<std::string, const TensorEntry*> m_byName;
    std::map<std::string, std::size_t> m_ofShape; ///< tensors of the model
    std::vector<Candidate> m_candidates;
    std::vector<std::optional<Shape>> m_shapes;
    ParameterNames m_result;
};

} // namespace

ParameterNames parameterNames(const Checkpoint& checkpoint, const TrainingState& state,
                              const OptimizerState& optimizer) {
    return NameFinder(checkpoint, state, optimizer).run();
}

} // namespace cairn
