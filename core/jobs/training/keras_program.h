// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/tensorflow/object_graph.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// A variable with elements in the checkpoint.
struct KerasVariable {
    std::size_t object = 0;
    TensorIndex tensor;
    std::string name; ///< in the program: "dense/kernel"
};

/// The objects of a program of Keras 3 in the graph of TensorFlow's checkpoint. Objects are
/// positions in the graph. Pure; both arguments must outlive it.
class KerasProgram {
public:
    using Graph = std::span<const formats::tensorflow::GraphObject>;
    KerasProgram(const Checkpoint& checkpoint, Graph graph);

    [[nodiscard]] bool isOfKeras2() const;
    [[nodiscard]] bool isOptimizer(std::size_t object) const;

    /// What the optimizer numbers: its own, then those of inner ones (loss scaling, several
    /// optimizers). Empty: not all are in the checkpoint, or an optimizer is in it twice.
    [[nodiscard]] std::vector<const KerasVariable*> stateOf(std::size_t optimizer) const;
    /// The positions of these objects among the children of the one object that has all of them, by
    /// object: the order in which a layer made its variables. Empty: there is no such object, or
    /// there are several.
    [[nodiscard]] std::map<std::size_t, std::size_t>
    orderOf(std::span<const KerasVariable* const> variables) const;
    /// The objects in a list that is an attribute; empty: there is none, or one is missing.
    [[nodiscard]] std::vector<std::size_t> listNamed(std::size_t object,
                                                     std::string_view name) const;

    [[nodiscard]] std::size_t objects() const { return m_graph.size(); }
    [[nodiscard]] const std::map<std::size_t, KerasVariable>& variables() const {
        return m_variables;
    }
    [[nodiscard]] const TensorEntry& tensorOf(const KerasVariable& variable) const {
        return m_checkpoint.tensor(variable.tensor);
    }

private:
    using Child = formats::tensorflow::GraphObject::Child;
    [[nodiscard]] const Child* childOf(std::size_t object, std::string_view name) const;
    [[nodiscard]] const KerasVariable* variableOf(std::size_t object) const;
    /// Adds what the optimizer numbers; false: not all are in the checkpoint, or an optimizer is
    /// inside itself or twice in another.
    bool addState(std::size_t optimizer, std::set<std::size_t>& seen,
                  std::vector<const KerasVariable*>& state) const;

    const Checkpoint& m_checkpoint;
    Graph m_graph;
    std::map<std::size_t, KerasVariable> m_variables; ///< by object
};

} // namespace cairn
