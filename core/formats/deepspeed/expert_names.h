// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/model_states.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::formats::deepspeed {

/// Converts local to global expert numbers. Parameters of experts are named by their number on the
/// rank ("….deepspeed_experts.0.weight"); the complete model and the expert files number them
/// continuously over the ranks. `rank`: among the ranks with different experts. Pure.
std::vector<Parameter> withGlobalExperts(std::vector<Parameter> parameters, std::uint64_t rank);

/// The parameters of all experts, by the rank that trains them: the first of `ranks` has the first
/// experts of each layer, and so on. In module order: layer by layer, expert by expert. `all` has
/// global numbers, with layers and experts in any order, but each expert's parameters in their
/// order. Empty: not divisible, or a parameter is missing. Pure.
std::vector<std::vector<Parameter>> expertsByRank(std::span<const Parameter> all,
                                                  std::uint64_t ranks);

} // namespace cairn::formats::deepspeed
