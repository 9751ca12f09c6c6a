// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"
#include "core/runs/saved_files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// Decides which checkpoints of a run can be removed. Pure; applyRetention() executes the decision.
///
/// Names distinguish series ("ckpt_#.pt", "generator_#.pt"): the rules hold for each, and only a
/// later member of its own series supersedes a checkpoint. Unrelated files and other models beside
/// a run are therefore never counted as its checkpoints, nor removed.
namespace cairn {

struct RetentionRules {
    std::size_t keepLast = 0; ///< steps (or epochs) of the complete ones, in training order
    std::size_t keepBest =
        0; ///< steps, too, by ScannedCheckpoint::score; of one the run's own record will do
    std::int64_t graceNs =
        600'000'000'000; ///< recently changed checkpoints may still be being written
};

/// What is on the disk, taken before the checkpoints are examined: files that are still the same
/// when they are moved are those that were examined.
struct RetentionEvidence {
    std::int64_t nowNs = 0;
    std::map<std::filesystem::path, SavedFiles> files; ///< by ScannedCheckpoint::path
};
RetentionEvidence collectEvidence(const ScannedRun& run);

struct RetentionPlan {
    struct Entry {
        std::filesystem::path path;
        std::string why;
        std::uint64_t bytes = 0; ///< of its own files
    };
    struct Removal : Entry {
        SavedFiles files;
        std::filesystem::path supersededBy; ///< stays
        SavedFiles supersededByFiles;
    };
    std::vector<Entry> keep; ///< training order, as all of these
    std::vector<Removal> remove;
    std::vector<Entry> refused; ///< not certainly a superseded checkpoint: a person must decide
    std::uint64_t freedBytes = 0;
};

/// Removed is only what a later checkpoint of its series certainly supersedes. That one is
/// complete, has not changed within the grace period, holds the same kinds of files and stays. Kept
/// are, whatever the rules state: the latest, the best, the newest from which training can
/// continue, what a link or a pointer file leads to, what a delta rests on, what is being written,
/// what was exported without being verified, and what was saved at the step of one of these (a save
/// may be several files). Refused is whatever is not complete, has changed within the grace period
/// or has no position, a series that goes back in time, and a folder that holds other checkpoints.
/// REQUIRES: every checkpoint of the run has been examined and markReferences() was called. Fails
/// with InvalidArgument when the rules ask for the best and no metric or record identifies it, or
/// when they keep nothing.
Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules,
                                    const RetentionEvidence& evidence);

/// The same, and what supersedes others has been read where its index alone proves nothing: every
/// piece that is stored encoded (a chunk of an array may be cut) is decoded. One that cannot be is
/// marked as damaged in `run`, and the plan is made without it. Fails besides: Cancelled.
Result<RetentionPlan> planProvenRetention(ScannedRun& run, const RetentionRules& rules,
                                          const RetentionEvidence& evidence,
                                          const CancelToken& cancel = {});

} // namespace cairn
