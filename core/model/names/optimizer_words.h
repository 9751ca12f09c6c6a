// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Names that optimizers give to what they keep for each parameter, and how such names are built:
/// one table. Pure. Any thread.
namespace cairn::names {

enum class StateKind : std::uint8_t {
    Other,   ///< belongs to an optimizer: a copy of the weights, its groups
    Average, ///< of gradients, of any sign: the first moment, momentum
    Square,  ///< of squares or absolute values, never below zero: the second moment
    Counter, ///< the number of updates
};

struct StateWord {
    std::string_view text;
    StateKind kind = StateKind::Other;
    /// Used by nothing else, so that it is recognised anywhere in a name; otherwise ("v", "count")
    /// only in the place of a state.
    bool distinct = true;
};

/// Null if it names no state of an optimizer.
const StateWord* stateWord(std::string_view part);

/// "optimizer.state.layers.0.weight.exp_avg": what a tensor of an optimizer is.
struct StateName {
    std::string_view optimizer; ///< "optimizer.state"; may be empty
    std::string_view parameter; ///< "layers.0.weight", or its number "0"; may be empty
    const StateWord* word = nullptr;
};

/// Parses the names of torch ("optimizer.state.0.exp_avg", the same with the parameter's name),
/// DeepSpeed ("w.exp_avg"), Megatron ("optimizer.state.exp_avg.w"), optax ("opt_state.0.mu.w") and
/// TensorFlow ("w/.OPTIMIZER_SLOT/adam/m/…"). REQUIRES: the tensor's role is Optimizer. The result
/// refers to `name`.
std::optional<StateName> stateName(std::string_view name);

/// "first moment", "second moment", "step counter"; "state" for everything else.
std::string_view stateKindName(StateKind kind);

} // namespace cairn::names
