// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"
#include "core/runs/retention/saved_files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Decides which checkpoints of a run can be removed. Pure; applyRetention() executes the decision.
///
/// Names distinguish series ("ckpt_#.pt", "generator_#.pt"): the rules apply to each, and only a
/// later member of the same series supersedes a checkpoint. Unrelated files and other models beside
/// a run are therefore never counted as its checkpoints, nor removed.
namespace cairn {

struct RetentionRules {
    std::size_t keepLast =
        0; ///< number of steps (or epochs) of complete checkpoints, in training order
    std::size_t keepBest =
        0; ///< number of steps by ScannedCheckpoint::score; for 1 the run's own record suffices
    std::int64_t graceNs =
        600'000'000'000; ///< recently changed checkpoints may still be being written
    /// The user has confirmed ScannedRun::direction, which is otherwise only assumed.
    bool confirmsDirection = false;
};

/// The files on the disk, recorded before the checkpoints are examined: if a file is still the same
/// when it is moved, it is the one that was examined.
struct RetentionEvidence {
    std::int64_t nowNs = 0;
    std::map<std::filesystem::path, SavedFiles> files; ///< by ScannedCheckpoint::path
    /// How many names (hard links) a file has, by device and inode, if several.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> names;
    std::set<std::pair<std::uint64_t, std::uint64_t>> written; ///< see filesOpenForWriting()
    /// Why another checkpoint may be the best: a part of the logs was not read. Then rules that ask
    /// for the best remove nothing.
    Sentence bestDoubt = {};
    /// Why the values in the checkpoints, by which they are ranked, may not be their own: a log has
    /// the same metric, but its rows are undecided. Then, too, unless the trainer named the best.
    Sentence heldDoubt = {};
    std::set<std::filesystem::path> pinned =
        {}; ///< checkpoints that the user keeps (core/runs/pins.h)
};
RetentionEvidence collectEvidence(const ScannedRun& run);

struct RetentionPlan {
    struct Entry {
        std::filesystem::path path;
        Sentence why;
        std::uint64_t bytes = 0; ///< size of its own files
    };
    struct Removal : Entry {
        /// What the disk gains when this and those before it are removed for good: a file with
        /// another name elsewhere stays.
        std::uint64_t frees = 0;
        Sentence loses; ///< what will not be possible without it, in words
        SavedFiles files;
        std::filesystem::path supersededBy; ///< a checkpoint that is kept; empty: chosen_removal.h
        SavedFiles supersededByFiles;
    };
    std::vector<Entry> keep; ///< in training order, like the others
    std::vector<Removal> remove;
    std::vector<Entry> refused;   ///< not certainly superseded: the user must decide
    std::uint64_t freedBytes = 0; ///< sum of Removal::frees
    /// Everything is refused only because RetentionRules::confirmsDirection is not set.
    bool waitsForDirection = false;
};

/// Removes only checkpoints that a later checkpoint of the same series certainly supersedes. The
/// later one must be complete, unchanged for the grace period, of the same kinds of files, and
/// kept. Always kept are: pinned ones, the latest, the best, the newest from which training can be
/// resumed, targets of links and pointer files, bases of deltas, checkpoints that are being
/// written, exports that were not verified, and those of the same step as one of these (a save may
/// be several files). Exports are kept, and never counted. Refused are checkpoints that are
/// incomplete, have changed within the grace period, are open for writing or have no position,
/// series whose order is contradictory, and folders that contain other checkpoints. If the rules
/// ask for the best, everything is refused where neither the trainer nor the user recorded which
/// one that is or which values of the metric are better, or where they are ranked by values of
/// their own that the rows of a log do not confirm; where the rows are decided, each that contains
/// a value but got none of them. REQUIRES: every checkpoint of the run has been examined, and
/// markReferences() was called. Fails with InvalidArgument if the rules ask for the best and no
/// metric or record identifies it, or if they keep nothing.
Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules,
                                    const RetentionEvidence& evidence);

/// The same, but first proves that superseding checkpoints are readable where their index does not
/// suffice: every encoded piece (a chunk of an array may be truncated) is decoded. A checkpoint
/// with an undecodable piece is marked as damaged in `run`, and the plan is made without it.
/// `proven`: those that need no second proof while the evidence is the same. Fails also with:
/// Cancelled.
Result<RetentionPlan> planProvenRetention(ScannedRun& run, const RetentionRules& rules,
                                          const RetentionEvidence& evidence,
                                          std::set<std::filesystem::path>& proven,
                                          const CancelToken& cancel = {});

} // namespace cairn
