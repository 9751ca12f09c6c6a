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

/// One key of a dict in which a training loop may have put its state.
struct RolePart {
    std::string_view key;             ///< empty for keys that are not text
    bool container = false;           ///< holds more keys; else a tensor, or a plain value
    bool empty = false;               ///< None
    std::vector<std::size_t> tensors; ///< positions of all in it
    std::size_t node = 0;             ///< for the caller, to find what is below it
};

/// The content of a part that is a container.
using PartsBelow = std::function<std::vector<RolePart>(const RolePart&)>;

/// For formats that keep the nesting: `parts`, whose keys outlive the call, are those of the
/// outermost dict. Changes the roles of tensors that are Weight or Buffer so far, and their basis;
/// looks through the wrappers that loops put around their state ("app", "state").
void decideRoles(const std::vector<RolePart>& parts, const PartsBelow& below,
                 std::span<TensorEntry> tensors);

/// For formats that have names alone, joined of parts ("model.0.weight", "opt_state/0/mu/w"). Sets
/// the role of every tensor.
void decideRolesByName(std::span<TensorEntry> tensors);

/// Weight or Buffer, for tensors that belong to a model.
Role modelRole(std::string_view name);
bool isModelRole(Role role);

/// Kept by training beside a model: "best_acc1" of one number, "train_loss_history" of many.
bool isMeasure(std::string_view key, const Shape& shape);

/// Sorted shapes of tensors with dimensions, by which a copy of a model is recognised.
using Shapes = std::vector<Shape>;
Shapes shapesOf(const std::vector<std::size_t>& positions, std::span<const TensorEntry> tensors);
/// Averages often leave out what is not trained, and name their tensors in other ways.
bool isCopy(const Shapes& average, const Shapes& model);

} // namespace cairn
