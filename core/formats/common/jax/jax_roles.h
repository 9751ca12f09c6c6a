// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

namespace cairn {

/// The role that a dotted name in a JAX train state tells: "params.dense.kernel" is a weight,
/// "opt_state.0.mu.…" belongs to the optimizer, "batch_stats.…" are buffers, "step" and "rng" are
/// what they say, and so are the streams of flax.nnx in any module ("model.dropout.rngs.key"). A
/// wrapper around the state ("state.", "default.", the "0." and "1." of a tuple) is looked through.
/// Of several states beside each other ("actor.opt_state.…", "optimizer_d.…") the optimizers are known.
/// Parts are separated by dots, slashes (flattened trees, Levanter) or tildes (big_vision's folders).
Role jaxRole(std::string_view name);

} // namespace cairn
