// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/training_state.h"
#include "core/plan/trainers.h"

#include <string>
#include <vector>

/// Internal to trainer_source.h: the plain values of a trainer's checkpoint, with tensors as
/// references to those of the source. Pure.
namespace cairn {

/// The names of an optimizer's parameters, by position; empty: the trainer does not need them.
using NamesOfOptimizer = std::vector<std::string>;

/// - torch: {model, optimizer, scheduler, scaler, step, epoch, rng, …}: parameters by number.
///   Several optimizers are a list, as are several schedulers. A loop's further values stay.
/// - fsdp2: the same with one optimizer by name, as get_state_dict() merges several.
/// - lightning: what Trainer.fit(ckpt_path=…) reads, with the progress of its loops. Source:
///   lightning 2.6, pytorch/trainer/connectors/checkpoint_connector.py and pytorch/loops.
/// - trainer, accelerate: a key for each file of the folder (state_folder.h), parameters by number.
/// `model`: the source's values of the model's state dict that are no tensors, or null. `losses`:
/// what has no place there is added. Fails: Unsupported (an optimizer whose order is not recorded,
/// where numbers are needed).
Result<Value> trainerTree(const Trainer& trainer, const TrainingState& state, const Value* model,
                          const std::vector<NamesOfOptimizer>& names,
                          std::vector<TrainingLoss>& losses);

} // namespace cairn
