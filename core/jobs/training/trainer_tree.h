// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/training_state.h"
#include "core/plan/trainers.h"

#include <span>
#include <string>
#include <vector>

/// Internal to trainer_source.h: the plain values of a trainer's checkpoint, with tensors as
/// references to those of the source. Pure.
namespace cairn {

/// The names of an optimizer's parameters, by position; empty: the trainer does not need them.
using NamesOfOptimizer = std::vector<std::string>;

struct TreeRequest {
    const Checkpoint& source;
    const Trainer& trainer;
    const TrainingState& state;
    const Value& values; ///< of the source
    const Value* model;  ///< the source's values of the model's state dict, or null
    std::span<const NamesOfOptimizer> names;
    bool byOrder = false;      ///< the user takes an order of parameters for granted
    bool unequalSteps = false; ///< the moments are of different steps
};

/// - torch: {model, optimizer, scheduler, scaler, step, epoch, rng, …}: parameters by number.
///   Several optimizers are a list, as are several schedulers. A loop's further values stay.
/// - fsdp2: the same with one optimizer by name, as get_state_dict() merges several.
/// - torchtitan: the model's names at the root, beside `optimizer` with dotted names,
/// `lr_scheduler`
///   and `train_state`. Source: torchtitan 0.3, components/checkpointer/dcp.py, trainer.py.
/// - lightning: what Trainer.fit(ckpt_path=…) reads, with the progress of its loops. Source:
///   lightning 2.6, pytorch/trainer/connectors/checkpoint_connector.py and pytorch/loops.
/// - lightning-fsdp: the same, with optimizers by name as optimizer_0, optimizer_1, and the model
///   under both of the names that its strategies read (FSDPStrategy: model, ModelParallelStrategy:
///   state_dict). Source: pytorch/strategies/{fsdp,model_parallel}.py.
/// - deepspeed: a key for each file of a universal checkpoint, parameters by name.
/// - trainer, accelerate: a key for each file of the folder (state_folder.h), parameters by number.
/// `losses`: what has no place there is added. Fails: Unsupported (an optimizer whose order is not
/// recorded, where numbers are needed; several where the trainer has one), MissingState (no step,
/// where the trainer counts them).
Result<Value> trainerTree(const TreeRequest& request, std::vector<TrainingLoss>& losses);

} // namespace cairn
