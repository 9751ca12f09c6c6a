// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"
#include "core/runs/facts/index_stamp.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The facts of one checkpoint, from its index and its small values. Any thread.
namespace cairn {

/// A file or folder that cannot be read completely and changed this recently is being written.
inline constexpr std::int64_t kStillWritingNs = 20'000'000'000;

/// Facts that only a checkpoint's index and values record.
struct CheckpointFacts {
    std::string format;
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    bool vagueStep = false; ///< as TrainingPosition: a step in the name has precedence
    bool vagueEpoch = false;
    std::string stepField; ///< as TrainingPosition
    std::string epochField;
    std::optional<std::int64_t> batches;
    CheckpointState state = CheckpointState::Unknown;
    Sentence reason;
    bool unfinished = false; ///< it failed to open in a way that is typical for an unfinished save
    std::uint64_t tensors = 0;
    bool noModel = false;   ///< all tensors are state of optimizers, generators or similar
    bool resumable = false; ///< it contains an optimizer's state, or at least its parameter groups
    RoleBytes roles;
    /// Numbers at the top of the values that look like metrics ("loss", "val_loss",
    /// "best_accuracy"), by name.
    std::vector<std::pair<std::string, double>> metrics;
    std::optional<BestRecord> record; ///< the run's record of its best checkpoint
    friend bool operator==(const CheckpointFacts&, const CheckpointFacts&) = default;
};

/// Opens the checkpoint's index and reads its small values. A checkpoint that cannot be opened
/// gives state Damaged (or what its error means) with the reason. Fails only with Cancelled.
Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path,
                                          const CancelToken& cancel = {});
/// `now`: of stamped(path), just before.
Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path, Stamped now,
                                          const CancelToken& cancel = {});

/// Adds the facts to the listing: step, epoch, state, reason, format, record. A checkpoint that
/// cannot be read but changed within kStillWritingNs before `nowNs`, or after it (a clock that is
/// ahead), is being written. Problems that the listing found remain: the index cannot refute a
/// temporary name or a missing index.
void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts, std::int64_t nowNs);
void applyFacts(ScannedCheckpoint& checkpoint,
                const CheckpointFacts& facts); ///< also allowed to read the clock

} // namespace cairn
