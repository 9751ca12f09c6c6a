// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"
#include "core/plan/trainers.h"

#include <string_view>

namespace cairn {

/// Stem of the file of the weights in a folder of the Trainer or of accelerate:
/// "pytorch_model.bin".
inline constexpr std::string_view kWeightsStem = "pytorch_model";

using TrainerLayout = Result<OutputLayout> (*)(const LayoutRequest&);

/// The layout of a trainer's folder; null: its state is written as its format is.
/// - transformers' Trainer, accelerate's save_state(): each key of the values is a file.
///   `pytorch_model` becomes pytorch_model.bin, which both load where model.safetensors is missing,
///   and in which tied weights share their bytes; for accelerate, weights of safetensors files stay
///   model.safetensors, because they have one name of those that are tied; `trainer_state` and
///   `config` become JSON; everything else an archive of torch.save, which is `.pt` beside a
///   trainer_state and `.bin` otherwise. The files of the weights come last: a folder without them
///   is unfinished. Sources: transformers 5.24 trainer.py (_load_from_checkpoint,
///   _load_optimizer_and_scheduler), accelerate checkpointing.py (load_accelerator_state).
/// - Lightning's sharded folder: the keys of isShardedKey() are a distributed checkpoint, the
/// others
///   meta.pt. Source: lightning 2.6 pytorch/strategies/{fsdp,model_parallel}.py.
/// - DeepSpeed's universal checkpoint: each key is a file, text or an archive of torch.save, in the
///   order of the keys.
/// - Orbax's step folder: each key is an item, a tree if it has tensors or was a tree in the
///   source, else a JSON document; `custom_metadata` is that of the step. Source: orbax-checkpoint
///   0.12.8 _src/metadata/step_metadata_serialization.py, _src/handlers/json_checkpoint_handler.py.
/// - Megatron-core's torch_dist: a run's folder with one iteration, which has common.pt, the
/// tensors
///   as a distributed checkpoint, and metadata.json; then the tracker. Source: megatron-core 0.16
///   dist_checkpointing/core.py, Megatron-LM training/checkpointing.py.
/// The layouts fail as ValuePickler and as that of dcp; Unsupported (no values, a value that JSON
/// cannot store).
TrainerLayout layoutOf(const Trainer& trainer);

/// "model", "state_dict", "optimizer_0": what Lightning stores in shards.
bool isShardedKey(std::string_view key);

} // namespace cairn
