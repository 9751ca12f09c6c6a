// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What the names of files and folders mean, whatever is in them. Pure. Any thread.
namespace cairn {

/// "tmp-checkpoint-500" (Trainer), "step-5.tmp", "x.ckpt.part", "5.orbax-checkpoint-tmp-17",
/// "ckpt-3_temp": its writer renames it when it is complete.
bool looksTemporary(std::string_view name);

/// "best", "model_best.pth": not "best_effort"; the word stands alone.
bool isBestName(std::string_view name);

/// The same, and "last", "latest", "final": one of a run by its name.
bool isBestOrLastName(std::string_view name);

/// "export", "merged_model", "consolidated.safetensors": made from a checkpoint of a run.
bool isExportName(std::string_view name);

/// "latest" (DeepSpeed), "latest_checkpointed_iteration.txt" (Megatron), "checkpoint" (TensorFlow),
/// "last_checkpoint" (detectron2), …: a small text file that names a checkpoint.
bool isPointerName(std::string_view name);

/// The same, and every other name of a file that singles out a checkpoint: "best.txt",
/// "last_step.json", "resume_from".
bool singlesOut(std::string_view name);

/// Arrays that people save beside their checkpoints: "losses.npy", "train_metrics.npz",
/// "x_val.npy", "train.pkl". A single .npy counts as weights only by its name
/// ("weights_epoch_3.npy").
bool isArrayOfData(std::string_view name);

/// What trainers leave beside a checkpoint and nobody continues from alone: "random_states_0.pkl",
/// "rng_state_3.pth", "scheduler.bin", "scaler.pt", "training_args.bin".
bool isStateFile(std::string_view name);

/// "optimizer_step_100.pt", "step_100_optim.pt": an optimizer's own file, where models have others.
bool isOptimizerName(std::string_view name);

/// "checkpoints", "ckpt", "weights", …: counts for the folder above it.
bool isCheckpointFolder(std::string_view name);

} // namespace cairn
