// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <string_view>

namespace cairn {

/// The role that a tensor's name tells ("optimizer.state.0.exp_avg", "model.norm.running_mean", "rng_state.cpu").
/// A heuristic on the field's usual names; formats that know better set the role themselves.
Role roleFromName(std::string_view name);

/// True for names that users mean by "buffers": running_mean, running_var, num_batches_tracked, inv_freq, …
bool isBufferName(std::string_view name);

} // namespace cairn
