// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <span>

namespace cairn {

/// Decides the roles of tensors that are Weight or Buffer so far (role_decision.h), by the values
/// around them. For readers that know the values when they know the tensors; `root` refers to
/// `tensors` by position. Beyond role_decision.h:
///
/// Anywhere:
/// - An optimizer's state dict is known by its shape, whatever it is called and however deep it
///   is: `state` and `param_groups`, a list of dicts with `params`, at least one. All below it is
///   Optimizer; so is an optimizer that was pickled as an object, and
///   so are the named tuples of optax.
/// - The state of a torch.Generator is Rng.
/// In the outermost dict, and only beside a model (another entry with weights in it):
/// - An entry that is called an average ("ema", "params_ema", "swa_model", "g_ema") and holds no
///   tensor whose shape the model has not is Ema; so is `model_ema.` beside `model.` inside
///   `state_dict`. What a model merely calls "ema_…" in itself stays what it is.
/// - What training keeps beside it is TrainingState: "current_model_state", "averaging_state",
///   "message_hub", a loss ("dino_loss"), single tensors such as "best_acc1" and "losses".
/// An average beside a model that is None is the model.
///
/// Linear in the values. Pure otherwise; recursion is bounded by Value::kMaxDepth.
void refineRoles(const Value& root, std::span<TensorEntry> tensors);

/// True for `state` and `param_groups` as torch.optim's state_dict() gives them.
bool isOptimizerState(const Value& value);

} // namespace cairn
