// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <span>

namespace cairn {

/// Decides the roles of tensors that are Weight or Buffer so far (role_decision.h) from the values
/// around them. For readers that know the values when they know the tensors; `root` refers to
/// `tensors` by position. In addition to role_decision.h:
///
/// Anywhere:
/// - An optimizer's state dict is recognised by its form, at any depth and under any name: `state`
///   and `param_groups`, a non-empty list of dicts with `params`. Everything in it is Optimizer; so
///   are an optimizer that was pickled as an object, and the named tuples of optax.
/// - The state of a torch.Generator is Rng.
///
/// In the outermost dict, and only beside a model (another entry with weights in it):
/// - An entry with the name of an average ("ema", "params_ema", "swa_model", "g_ema") is Ema if the
///   model has a tensor of the same shape for each of its tensors; so is `model_ema.` beside
///   `model.` inside `state_dict`. Modules inside a model with names like "ema_…" are not affected.
///   A copy of the model at its best step ("best_model_state_dict") is TrainingState.
/// - Training data is TrainingState: "current_model_state", "averaging_state", "message_hub", a
///   loss ("dino_loss"), single tensors such as "best_acc1" and "losses".
/// If there is no model, or it is None, the only average is the model. The count of torch's
/// AveragedModel (`n_averaged` beside `module.`) is TrainingState.
///
/// Linear in the values. Pure otherwise; recursion is limited by Value::kMaxDepth.
void refineRoles(const Value& root, std::span<TensorEntry> tensors);

/// True for `state` and `param_groups` as torch.optim's state_dict() gives them.
bool isOptimizerState(const Value& value);

} // namespace cairn
