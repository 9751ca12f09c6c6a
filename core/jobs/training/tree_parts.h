// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/training/trainer_tree.h"
#include "core/model/training_state.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Internal to trainer_tree.cpp: parts that several trainers keep alike. Pure.
namespace cairn::trainer_tree {

/// The model's tensors by name, then what else its state dict (`stored`, may be null) has.
Value modelDict(const TrainingState& state, const Value* stored);

/// An optimizer by number, as torch.optim gives it: through all groups in order. The flat form
/// records neither groups nor an order: with `byOrder`, parameters with equal hyper-parameters are
/// a group, in the stored order; else Unsupported.
Result<Value> numbered(const OptimizerState& optimizer, bool byOrder);
Result<std::vector<Value>> allNumbered(const TrainingState& state, bool byOrder);

/// Optimizers as one, by name, as get_state_dict() merges them. Groups of the flat form have one
/// parameter each: those with equal hyper-parameters become one.
Value named(std::span<const OptimizerState> optimizers, std::span<const NamesOfOptimizer> names);

/// The same with dotted keys: "state.NAME.exp_avg", "param_groups.NAME.lr".
Value flat(std::span<const OptimizerState> optimizers, std::span<const NamesOfOptimizer> names);

std::vector<Value> valuesOf(const std::vector<StatePart>& parts);
Value oneOrList(std::vector<Value> values);
Value epochValue(double epoch); ///< an integer, where it is one

/// Unless the part is empty, or a trainer's own bookkeeping (step, loops, arguments), which the
/// program provides again.
void addLost(std::vector<TrainingLoss>& losses, LossId id, const StatePart& part, Sentence why);

/// Whether the part is the recorded step or epoch, which trainers store in their own way.
bool isPosition(const TrainingState& state, const StatePart& part);

/// Whether it is one of these parts, by identity.
bool isAmong(const std::vector<StatePart>& parts, const StatePart& part);

/// addLost() for the parts besides model, optimizers and schedulers that a trainer has no place
/// for. `isWritten`: those that it has, besides the position; may be null.
void addUnplaced(std::vector<TrainingLoss>& losses, const TrainingState& state, const Sentence& why,
                 const std::function<bool(const StatePart&)>& isWritten = nullptr);

/// Trainers whose values have a structure of their own. See trainer_tree.h.
Result<Value> lightningTree(const TreeRequest& request, bool sharded,
                            std::vector<TrainingLoss>& losses);
Result<Value> torchtitanTree(const TreeRequest& request, std::vector<TrainingLoss>& losses);
Result<Value> folderTree(const TreeRequest& request, std::vector<TrainingLoss>& losses);
Result<Value> deepspeedTree(const TreeRequest& request, std::vector<TrainingLoss>& losses);

} // namespace cairn::trainer_tree
