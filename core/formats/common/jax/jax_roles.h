// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <span>

namespace cairn {

/// Decides what the tensors of a JAX train state are for: "params.dense.kernel" is a weight,
/// "opt_state.0.mu.…" belongs to the optimizer, "batch_stats.…" are buffers, "step" and "rng" are
/// what they say, and so are the streams of flax.nnx in any module ("model.dropout.rngs.key"). In a
/// tree that has none of a state's own parts (parameters alone) such words are modules. A
/// wrapper around the state ("state.", "default.", the "0." and "1." of a tuple) is searched.
/// Of several states beside each other ("actor.opt_state.…", "optimizer_d.…") the optimizers are
/// known. Parts are separated by dots, slashes (flattened trees, Levanter) or tildes (big_vision's
/// folders).
void decideJaxRoles(std::span<TensorEntry> tensors);

} // namespace cairn
