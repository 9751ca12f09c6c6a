// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

/// Decides the roles of the tensors of a checkpoint, for every reader.
///
/// A word alone ("scaler", "rng", "ema", "opt") is weak evidence: models use such names for
/// modules. It marks a training loop's state only inside a container of such state, which is
/// recognised by its other entries: the model's state dict under a usual key, an optimizer by its
/// content, the loop's plain values. The tensors in it may agree (exp_avg) or not (weight, bias).
/// Everything outside such a container belongs to the model.
namespace cairn {

/// A key of a dict that may be a training loop's state.
struct RolePart {
    std::string_view key;             ///< empty for keys that are not text
    bool container = false;           ///< contains more keys; otherwise a tensor, or a plain value
    bool empty = false;               ///< None
    std::vector<std::size_t> tensors; ///< positions of all tensors in it
    std::size_t node = 0;             ///< for the caller, to find the parts below it
};

/// The parts in a container.
using PartsBelow = std::function<std::vector<RolePart>(const RolePart&)>;

/// For formats with nesting: `parts` are those of the outermost dict, whose keys must outlive the
/// call. Changes the roles of tensors that are Weight or Buffer so far, and their basis; wrappers
/// around a loop's state ("app", "state") are searched.
void decideRoles(const std::vector<RolePart>& parts, const PartsBelow& below,
                 std::span<TensorEntry> tensors);

/// For formats with flat names only ("model.0.weight", "opt_state/0/mu/w"). Sets the role of every
/// tensor.
void decideRolesByName(std::span<TensorEntry> tensors);

/// Weight or Buffer, for tensors of a model.
Role modelRole(std::string_view name);
bool isModelRole(Role role);

/// A measure that training stores beside a model: a single number "best_acc1", or an array
/// "train_loss_history".
bool isMeasure(std::string_view key, const Shape& shape);

/// Sorted shapes of tensors with dimensions, to recognise a copy of a model.
using Shapes = std::vector<Shape>;
Shapes shapesOf(const std::vector<std::size_t>& positions, std::span<const TensorEntry> tensors);
/// Whether `average` is a copy of `model`. Averages often omit what is not trained, and use other
/// names.
bool isCopy(const Shapes& average, const Shapes& model);

} // namespace cairn
