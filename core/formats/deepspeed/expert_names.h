// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/model_states.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::formats::deepspeed {

/// Expert parameters are named by their number on the rank ("….deepspeed_experts.0.weight"); the
/// numbers that the complete model and the expert files use count on over the ranks. `rank`: among
/// the ranks that hold different experts. Pure.
std::vector<Parameter> withGlobalExperts(std::vector<Parameter> parameters, std::uint64_t rank);

/// The parameters of all experts, by the rank that trains them: the first of `ranks` has the first
/// experts of each layer, the next the next. In the module's order: layer by layer, expert by
/// expert. `all` has global numbers, in any order of layers and experts, each expert's parameters
/// in their own. Empty: they cannot be divided so, or one is missing. Pure.
std::vector<std::vector<Parameter>> expertsByRank(std::span<const Parameter> all,
                                                  std::uint64_t ranks);

} // namespace cairn::formats::deepspeed
