// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/training_state.h"
#include "core/model/value.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Groups of parameters as Megatron-core makes them: biases and parameters of one dimension have no
/// weight decay, all others have. Which parameter is in which group is not stored. Source:
/// megatron-core 0.16, optimizer/__init__.py (get_standard_config_overrides, _get_param_groups),
/// optimizer/optimizer.py (_filter_and_reorder_param_groups). Pure.
namespace cairn::megatron_groups {

/// Whether Megatron-core decays a parameter of this name and shape.
bool isDecayed(std::string_view name, const Shape& shape);

struct Settings {
    std::vector<ValueItem> items; ///< hyper-parameters that all groups have in common
    double lr = 0;
    double decay = 0;                 ///< of the parameters that are decayed
    std::size_t notDecayed = 0;       ///< parameters that lose their weight decay in Megatron-core
    std::vector<TrainingLoss> losses; ///< what its AdamW does in another way
};

/// What the groups of an optimizer say, if Megatron-core can have it: one value of each
/// hyper-parameter, but for the weight decay. `decayed`: by parameter, see isDecayed(). Fails:
/// Unsupported (values that differ, no learning rate).
Result<Settings> settingsOf(const Checkpoint& source, const OptimizerState& optimizer,
                            const std::vector<bool>& decayed);

/// The groups with these settings for Megatron-core: first that without weight decay.
Value groupsFor(const Settings& settings, std::int64_t updates, const std::vector<bool>& decayed);

/// Megatron-core's groups by isDecayed(): the first is that of the other parameters; without the
/// keys that only Megatron-core reads. Fails: Unsupported (groups of experts, of a decoupled
/// learning rate or without one, or whose parameters are not known).
struct Pair {
    std::vector<ValueItem> plain;
    std::vector<ValueItem> decayed;
    bool isOne = false; ///< there is one group, for all
};
Result<Pair> pairOf(std::span<const ValueItem> groups);

} // namespace cairn::megatron_groups
