// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/training/trainer_source.h"

#include <string>
#include <string_view>

namespace cairn {

/// Whether the trainer keeps its state as trees of JAX.
bool isTrainerOfJax(std::string_view trainer);

/// Whether a folder of the checkpoint ("", "state/") is a tree that Orbax wrote: as an item of a
/// step, a tree even if it contains no arrays.
bool hasTreeOfOrbax(const Checkpoint& source, const std::string& folder);

/// sourceForTrainer() for Orbax and Flax. The state is a tree of parameters and optax's states; it
/// is carried as it is, whatever the optimizer:
/// - orbax: a step folder of CheckpointManager. The items of a step stay; the tree of a single file
///   or folder becomes the item `default`.
/// - flax: the tree that holds parameters and optimizer, or all items of a step together.
/// Flax records neither lists nor the kinds of empty nodes, Orbax records None for optax's named
/// tuples without fields: what is assumed is a decision. Dicts with the keys 0, 1, … become lists
/// only in optimizers, as optax's chains; those of the model and what mirrors them stay dicts,
/// which is a loss. Losses: items that have no place, the step if only a name records it,
/// parameters without moments although others have some. Fails: Unsupported (another source, no
/// parameters, no optimizer, several states for a single file), StateWithoutParameter (a moment of
/// another shape than its parameter's).
Result<TrainerSource> sourceForJax(const CheckpointPtr& source, const JobRequest& request,
                                   const CancelToken& cancel);

} // namespace cairn
