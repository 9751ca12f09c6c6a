// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Finds the checkpoints in a folder of any depth and puts them in order: experiment (the folder
/// that was opened) > run (a folder that holds checkpoints) > checkpoint. Scanning is cheap: names,
/// sizes and the first and last bytes of files that may be checkpoints. What needs a checkpoint's
/// index is found by examineCheckpoint(), one at a time. Everything here is a plain value; the
/// functions keep no state and may be called from any thread.
namespace cairn {

enum class CheckpointState : std::uint8_t {
    Unknown,      ///< nothing speaks against it, but nobody has looked into it
    Complete,     ///< its index was read and everything that it names is there
    Incomplete,   ///< a part is missing
    BeingWritten, ///< somebody seems to be saving it now
    Damaged,      ///< it cannot be read as what it seems to be
};
std::string_view stateName(
    CheckpointState state); ///< "unknown", "complete", "incomplete", "being-written", "damaged"

/// One checkpoint: a file, or a folder that is one.
struct ScannedCheckpoint {
    std::filesystem::path path; ///< may be given to openCheckpoint()
    std::string name;           ///< the last part of the path: "step-300", "epoch=3-step=128.ckpt"
    std::string format;      ///< id of the format; empty when nothing recognised it (see `state`)
    std::uint64_t bytes = 0; ///< of all its files
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0;      ///< newest modification in it, since 1970
    std::optional<std::int64_t> step; ///< told by the name; see also CheckpointFacts
    std::optional<double> epoch;
    CheckpointState state = CheckpointState::Unknown;
    std::string reason;  ///< one sentence for the state; empty when there is none
    bool best = false;   ///< its name says so, or the run's own record
    bool latest = false; ///< the last one of its run in training order
};

/// A folder that holds checkpoints. "checkpoints" folders count for the folder above them.
struct ScannedRun {
    std::string id;   ///< path below the experiment, "." for the experiment itself; unique
    std::string name; ///< for people: the id, or the folder's name when the id is "."
    std::filesystem::path path;
    std::vector<ScannedCheckpoint>
        checkpoints; ///< training order: by step, else epoch, else natural order of names
    [[nodiscard]] std::uint64_t bytes() const;
};

struct Experiment {
    std::filesystem::path path;
    std::string name;
    std::vector<ScannedRun> runs; ///< natural order of ids; none without checkpoints
    std::vector<Notice> notices;  ///< folders that could not be read, limits that were met
    bool isCheckpoint =
        false; ///< `path` itself is one checkpoint (then the only one of the only run)
    [[nodiscard]] std::size_t checkpoints() const;
    /// The newest checkpoint that is not known to be incomplete, damaged or being written; null if
    /// there is none.
    [[nodiscard]] const ScannedCheckpoint* newestWhole() const;
};

struct ScanLimits {
    std::size_t maxDepth = 16;          ///< folders below the experiment
    std::size_t maxEntries = 2'000'000; ///< files and folders looked at
};

/// Lists a folder, or a single checkpoint. Links to folders are not followed; hidden folders,
/// package caches and virtual environments are left out. Reads no index and no tensor. 1,000
/// checkpoints take well under a second. Fails: NotFound, PermissionDenied, NotRegularFile for
/// `path` itself; Cancelled. A folder without any checkpoint is an experiment without runs.
/// Everything deeper that cannot be read is a notice.
Result<Experiment> scanExperiment(const std::filesystem::path& path, const CancelToken& cancel = {},
                                  const ScanLimits& limits = {});

/// What only a checkpoint's index and values tell.
struct CheckpointFacts {
    std::string format;
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    CheckpointState state = CheckpointState::Unknown;
    std::string reason;
    std::uint64_t tensors = 0;
    /// Numbers at the top of the values that look like metrics ("loss", "val_loss",
    /// "best_accuracy"), by name.
    std::vector<std::pair<std::string, double>> metrics;
    std::string bestPath; ///< what the run's record calls its best checkpoint (Trainer, Lightning);
                          ///< the name alone
};

/// Opens the checkpoint's index and reads its small values. A checkpoint that cannot be opened
/// gives state Damaged (or what its error means) with the reason. Fails only with Cancelled.
Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path,
                                          const CancelToken& cancel = {});

/// Puts what was found into the listing: step, epoch, state, reason, format.
void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts);

/// Step and epoch that a file or folder name tells: "checkpoint-500", "global_step20",
/// "iter_0000100", "epoch=3-step=128.ckpt", "checkpoint_epoch_2.pt", "1000".
struct NamedPosition {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
};
NamedPosition positionFromName(std::string_view name);

/// Puts a run's checkpoints in training order and marks the latest; after applyFacts().
void sortCheckpoints(ScannedRun& run);

} // namespace cairn
