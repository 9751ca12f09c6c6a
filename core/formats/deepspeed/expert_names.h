// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/model_states.h"

#include <cstdint>
#include <vector>

namespace cairn::formats::deepspeed {

/// Expert parameters are named by their number on the rank ("….deepspeed_experts.0.weight"); the
/// numbers that the whole model and the expert files use count on over the ranks. `rank`: among the
/// ranks that hold different experts. Pure.
std::vector<Parameter> withGlobalExperts(std::vector<Parameter> parameters, std::uint64_t rank);

} // namespace cairn::formats::deepspeed
