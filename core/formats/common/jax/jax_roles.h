// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <span>

namespace cairn {

/// Decides the roles of the tensors of a JAX train state: "params.dense.kernel" is a weight,
/// "opt_state.0.mu.…" belongs to the optimizer, "batch_stats.…" are buffers, "step" and "rng" have
/// their literal meaning, and so do the random streams of flax.nnx in any module
/// ("model.dropout.rngs.key"). In a tree without components of a train state (parameters only) such
/// words are module names. Wrappers around the state ("state.", "default.", the "0." and "1." of a
/// tuple) are skipped. If there are several states side by side ("actor.opt_state.…",
/// "optimizer_d.…"), their optimizers are recognised. Components are separated by dots, slashes
/// (flattened trees, Levanter) or tildes (big_vision's folders).
void decideJaxRoles(std::span<TensorEntry> tensors);

} // namespace cairn
