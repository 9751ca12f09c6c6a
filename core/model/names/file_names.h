// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The meaning of file and folder names, independent of their content. Pure. Any thread.
namespace cairn {

/// "tmp-checkpoint-500" (Trainer), "step-5.tmp", "x.ckpt.part", "5.orbax-checkpoint-tmp-17",
/// "ckpt-3_temp": renamed by the writer on completion.
bool looksTemporary(std::string_view name);

/// "best", "model_best.pth", but not "best_effort": the word must be separate.
bool isBestName(std::string_view name);

/// The same, and "last", "latest", "final": a distinguished checkpoint of a run.
bool isBestOrLastName(std::string_view name);

/// "export", "merged_model", "consolidated.safetensors": derived from a checkpoint of a run.
bool isExportName(std::string_view name);

/// "latest" (DeepSpeed), "latest_checkpointed_iteration.txt" (Megatron), "checkpoint" (TensorFlow),
/// "last_checkpoint" (detectron2), …: a small text file that names a checkpoint.
bool isPointerName(std::string_view name);

/// The same, and every other name of a file that identifies a checkpoint: "best.txt",
/// "last_step.json", "resume_from".
bool singlesOut(std::string_view name);

/// Arrays of data beside checkpoints: "losses.npy", "train_metrics.npz", "x_val.npy", "train.pkl".
/// A single .npy counts as weights only by its name ("weights_epoch_3.npy").
bool isArrayOfData(std::string_view name);

/// Files that trainers write beside a checkpoint and that are useless alone: "random_states_0.pkl",
/// "rng_state_3.pth", "scheduler.bin", "scaler.pt", "training_args.bin", Ray's "tuner.pkl".
bool isStateFile(std::string_view name);

/// "optimizer_step_100.pt", "step_100_optim.pt": a file of optimizer state beside those of models.
bool isOptimizerName(std::string_view name);

/// The last component of a path as a tool recorded it, on any system: "./run/checkpoint-200/" and
/// "C:\\exp\\checkpoint-200" give "checkpoint-200". Backslashes separate only where there is no
/// slash.
std::string_view lastPathPart(std::string_view path);

/// "checkpoints", "ckpt", "weights", …: folders that belong to the run in their parent folder.
bool isCheckpointFolder(std::string_view name);

} // namespace cairn
