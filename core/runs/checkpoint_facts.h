// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What one checkpoint tells when its index and its small values are read. Any thread.
namespace cairn {

/// A file or folder that cannot be read whole and changed this lately is being written.
inline constexpr std::int64_t kStillWritingNs = 20'000'000'000;

/// What only a checkpoint's index and values tell.
struct CheckpointFacts {
    std::string format;
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    bool vagueStep = false; ///< as TrainingPosition: a name that tells a step knows better
    bool vagueEpoch = false;
    CheckpointState state = CheckpointState::Unknown;
    std::string reason;
    bool unfinished = false; ///< it could not be read in a way that half-written ones cannot be
    std::uint64_t tensors = 0;
    bool noModel = false; ///< none of the tensors is more than state of optimizers, generators and the like
    bool resumable = false; ///< an optimizer's state is in it, if only its groups of parameters
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

/// Puts what was found into the listing: step, epoch, state, reason, format, record. What cannot be
/// read but changed within kStillWritingNs before `nowNs`, or after it by a clock that runs ahead, is
/// being written. What the listing has found against a checkpoint stays: nothing in its index can
/// make a temporary name or a missing index whole.
void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts, std::int64_t nowNs);
void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts); ///< now

} // namespace cairn
