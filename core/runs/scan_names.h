// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// What the names of files and folders tell while an experiment is listed. Pure.
namespace cairn {

/// "tmp-checkpoint-500" (Trainer), "step-5.tmp", "x.ckpt.part", "5.orbax-checkpoint-tmp-17",
/// "ckpt-3_temp": its writer renames it when it is whole.
bool looksTemporary(std::string_view name);

/// "best", "model_best.pth": not "best_effort"; the word stands alone.
bool saysBest(std::string_view name);

/// The same, and "last", "latest", "final": one of a run by its name.
bool saysBestOrLast(std::string_view name);

/// "latest" (DeepSpeed), "latest_checkpointed_iteration.txt" (Megatron), "checkpoint" (TensorFlow),
/// "last_checkpoint" (detectron2), …: a small text file that names a checkpoint.
bool isPointerName(std::string_view name);

/// What a pointer file names: the last part of a path, or a number; empty when this is no such
/// text. `text` is at most the first 4 KiB.
std::string pointerTarget(std::string_view text);

/// Arrays that people save beside their checkpoints: "losses.npy", "train_metrics.npz",
/// "x_val.npy". A single .npy counts as weights only by its name ("weights_epoch_3.npy").
bool isArrayOfData(std::string_view name);

/// What trainers leave beside a checkpoint and nobody goes on from alone: "random_states_0.pkl",
/// "rng_state_3.pth", "scheduler.bin", "scaler.pt", "training_args.bin".
bool isStateFile(std::string_view name);

/// "optimizer_step_100.pt", "step_100_optim.pt": an optimizer's own file, where models have others.
bool saysOptimizer(std::string_view name);

/// Folders that hold no checkpoints of the user: package caches, stores of trackers.
bool isSkippedFolder(std::string_view name);

/// "checkpoints", "ckpt", "weights", …: counts for the folder above it.
bool isCheckpointFolder(std::string_view name);

/// "step_100", "global_step20", "iter_0000100", "epoch-3", "checkpoint-500": a folder that is one
/// position of a run. Other words ("model_7b", "1000") are not enough for a folder.
bool isPositionFolder(std::string_view name);

/// Where a thing at `id` below the experiment belongs: the run, and what its name is there.
struct RunPlace {
    std::string runId;  ///< "." for the experiment itself
    std::string prefix; ///< "step_100/" when it lies in a position's folder; else empty
};
RunPlace runPlaceOf(std::string_view id);

} // namespace cairn
