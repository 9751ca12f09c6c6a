// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/statistics_kernel.h"
#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"
#include "core/model/names/optimizer_words.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn {

/// The states of a checkpoint's optimizers by parameter, and what is wrong with them: second
/// moments below zero or in a dtype in which they underflow, step counters that differ, parameters
/// without state, states of no parameter. Reads the plain values, but no tensor: take() gets what
/// the pass over the elements measured. Refers to the checkpoint.
class OptimizerHealth {
public:
    OptimizerHealth(const Checkpoint& checkpoint, const CancelToken& cancel);

    /// "The second moment of layers.0.weight", for a moment; empty for all others.
    [[nodiscard]] std::string describe(TensorIndex tensor) const;

    /// Takes the figures of one tensor. Any thread; each tensor once.
    void take(TensorIndex tensor, const TensorStatistics& statistics);

    /// After all tensors were taken.
    [[nodiscard]] std::vector<Notice> findings() const;

private:
    /// What is kept for one parameter.
    struct Kept {
        std::string parameter;
        std::size_t group = 0;
        bool hasState = false;
        std::optional<double> step; ///< stored as a plain value
        std::optional<TensorIndex> stepTensor;
    };
    struct Optimizer {
        std::string name;
        std::vector<Kept> kept;
        std::vector<std::string> orphans; ///< keys of states that none of its groups lists
    };

    void findOptimizers(const Value& value, const std::string& name, std::set<const void*>& seen);
    void readOptimizer(const Value& node, const std::string& name);
    std::map<std::string, std::size_t> readGroups(const Value& groups, Optimizer& optimizer);
    void readState(const Value& state, Kept& kept);
    void readCounters();
    void findKinds();
    void addNarrow(std::vector<Notice>& out) const;
    void addNegative(std::vector<Notice>& out) const;
    void addSteps(const Optimizer& optimizer, std::vector<Notice>& out) const;
    static void addUnpaired(const Optimizer& optimizer, std::vector<Notice>& out);
    [[nodiscard]] std::optional<double> stepOf(const Kept& kept) const;

    const Checkpoint& m_checkpoint;
    CancelToken m_cancel;
    std::vector<names::StateKind> m_kinds; ///< by position of the tensor; Other: of no optimizer
    std::vector<double> m_least;           ///< by position: the minimum; NaN: not measured
    std::vector<Optimizer> m_optimizers;
    std::map<std::string, std::string> m_names; ///< "optimizer.state.0" -> "layers.0.weight"
};

/// Compares the parameters that have states of optimizers with the checkpoint's weights, where both
/// have names: parameters without state (information), states of no parameter (a warning). Nothing
/// if most of the names do not match.
std::vector<Notice> compareStatesWithWeights(const Checkpoint& checkpoint);

/// "a, b, c and 4 more", for a finding.
std::string firstNames(const std::vector<std::string>& names);

} // namespace cairn
