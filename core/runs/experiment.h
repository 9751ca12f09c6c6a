// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/base/error.h"
#include "core/model/names/metric_words.h"
#include "core/model/names/position.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The contents of a folder of runs: experiment (the folder that was opened) > run (a folder with
/// checkpoints) > checkpoint. Plain values. experiment_scan.h lists them, checkpoint_facts.h
/// examines one checkpoint, ranking.h sorts a run.
namespace cairn {

enum class CheckpointState : std::uint8_t {
    Unknown,      ///< not examined; no problem known
    Complete,     ///< its index was read and everything in it exists
    Incomplete,   ///< a part is missing
    BeingWritten, ///< it is probably being saved
    Damaged,      ///< it cannot be read as the format that it appears to have
};
std::string_view stateName(
    CheckpointState state); ///< "unknown", "complete", "incomplete", "being-written", "damaged"

/// A trainer's record of the best checkpoint so far, inside a checkpoint.
struct BestRecord {
    std::string name;            ///< last component of the recorded path
    std::string metric;          ///< "eval_loss"; empty: not recorded
    std::optional<double> value; ///< may be NaN
    names::Direction better =
        names::Direction::Unknown; ///< of the metric, as the trainer was configured
    friend bool operator==(const BestRecord&, const BestRecord&) = default;
};

/// An output of Cairn whose manifest names a checkpoint as its source.
struct ExportedTo {
    std::filesystem::path path; ///< of the output
    bool verified = false;      ///< according to its manifest
};

/// Sizes of a checkpoint's tensors, before any encoding; aliases count once.
struct RoleBytes {
    std::uint64_t weights = 0; ///< and buffers
    std::uint64_t optimizer = 0;
    std::uint64_t other = 0;
    friend bool operator==(const RoleBytes&, const RoleBytes&) = default;
};

/// One checkpoint: a file, or a folder that is one.
struct ScannedCheckpoint {
    std::filesystem::path path; ///< may be given to openCheckpoint()
    /// The last component of the path: "step-300", "epoch=3-step=128.ckpt"; preceded by the folder
    /// if that contains the position: "step_100/model.pt".
    std::string name;
    std::string format;      ///< id of the format; empty if unknown (see `state`)
    std::uint64_t bytes = 0; ///< total size of its files
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0;      ///< latest modification of its files, since 1970
    std::optional<std::int64_t> step; ///< as decided by facts/position_decision.h
    std::optional<double> epoch;
    CheckpointState state = CheckpointState::Unknown;
    Sentence reason; ///< one sentence for the state; empty when there is none
    CheckpointState listedState = CheckpointState::Unknown; ///< as determined by the listing only
    bool best = false;                                      ///< see ScannedRun::bestIs
    bool latest = false; ///< the last one of its run in training order that may be complete

    std::vector<Evidence> because;       ///< for step and epoch, the strongest first
    std::vector<Evidence> against;       ///< what else their sources state
    NamedPosition named;                 ///< what its name states
    std::optional<std::int64_t> updates; ///< the optimizer's own count: another quantity than steps
    std::optional<std::int64_t> batches; ///< what the trainer's loggers count, if recorded
    /// Name of the checkpoint in the same run to which this one is a link, or of which it is a
    /// second name. A link takes no space, is not a separate step, and is never best or latest: its
    /// target is.
    std::string linkTo;
    std::vector<std::string>
        pointedBy; ///< pointer files that name it ("latest"), deltas based on it
    bool pointedAsLatest =
        false; ///< pointedBy.front() names the checkpoint from which training resumes
    /// An output that is not a training checkpoint (`exportOf`, or by its name), or the final model
    /// beside the run's checkpoints: never best or latest if there is another candidate.
    bool isExport = false;
    /// Name of the checkpoint of this run from which a job made this output without the complete
    /// training state; "" if that checkpoint is not known. No value: no manifest records that
    /// (scan/export_decision.h).
    Decided<std::string> exportOf = {};
    std::vector<ExportedTo> exports;
    std::optional<BestRecord> record; ///< recorded by examineCheckpoint()
    std::optional<double> score;      ///< ScannedRun::headline at its step; see settleRun()
    std::optional<Place> scoreFrom;   ///< where it was read
    std::vector<std::pair<std::string, double>> metrics; ///< see CheckpointFacts
    bool examined = false;                               ///< applyFacts() was called
    bool opened = false;                                 ///< its index could be read
    bool noModel =
        false; ///< it contains no model tensors: never latest or best if there is another candidate
    bool resumable = false; ///< it contains an optimizer's state: training can be resumed from it
    RoleBytes roles = {};   ///< zeros unless `opened`

    [[nodiscard]] bool isLink() const { return !linkTo.empty(); }
    /// Saved by the training itself: what it is called and contains is evidence about the run.
    [[nodiscard]] bool isOwnSave() const { return !isLink() && !exportOf; }
    /// Its score is a value that it contains itself, which a log would have to confirm: a trainer
    /// may save before it evaluates.
    [[nodiscard]] bool hasHeldScore() const {
        return score && scoreFrom && scoreFrom->file == path;
    }
    /// Step or epoch are recorded in its values, not only in its name.
    [[nodiscard]] bool hasRecordedPosition() const {
        return !because.empty() && because.front().strength >= Strength::Recorded;
    }
    /// For the order of a run's checkpoints only: its step, else the number of the save.
    [[nodiscard]] std::optional<Number> orderNumber() const {
        const auto number = step || !named.mayCountSaves ? step : named.step;
        return number ? std::optional(Number(*number)) : std::nullopt;
    }
    /// Nothing is known to be missing.
    [[nodiscard]] bool mayBeComplete() const {
        return state == CheckpointState::Complete || state == CheckpointState::Unknown;
    }
};

/// A folder beside a run's in which its training was resumed.
struct ResumedIn {
    std::filesystem::path path;
    std::vector<Evidence> because;
};

/// A folder that contains checkpoints. "checkpoints" folders belong to the folder above them.
struct ScannedRun {
    std::string id;   ///< path below the experiment, "." for the experiment itself; unique
    std::string name; ///< display name: the id, or the folder's name if the id is "."
    std::filesystem::path path;
    /// Training order: by step if all checkpoints with a position have one, else by epoch; then
    /// those without a position by time.
    std::vector<ScannedCheckpoint> checkpoints;
    Decided<std::string> bestIs = {};     ///< name of the best checkpoint (rank/best_decision.h)
    std::string bestMetric = {};          ///< empty: not recorded
    std::optional<double> bestValue = {}; ///< of the best checkpoint
    /// The source: the checkpoint with the record, the file of the curve, or the file or link with
    /// the name; empty if the checkpoints' values decide.
    std::filesystem::path bestSource = {};
    /// The metric of the checkpoints' `score`, and which of its values are better; see
    /// rank/metric_decision.h.
    Decided<std::string> headline = {};
    Decided<names::Direction> direction = {};
    std::filesystem::path scoreSource = {}; ///< file of its curve; empty: the checkpoints' values
    /// What the rows of `headline` count, see rank/row_decision.h; if that is undecided, no
    /// checkpoint has a score of the curve, and `rowsAgainst` contains both sides.
    std::vector<Evidence> rowsBecause = {};
    std::vector<Evidence> rowsAgainst = {};
    std::string undecidedMetric = {}; ///< a metric of the curves with which nothing was matched
    /// A log beside the checkpoints whose writer numbers them by saves; empty: none.
    std::filesystem::path savesCountedBy = {};
    /// Lightning's further folders of this training, in order (history/resumed_folders.h): their
    /// checkpoints and logs are this run's.
    std::vector<ResumedIn> resumedIn = {};
    /// The name of `headline`; empty: none.
    [[nodiscard]] const std::string& scoreMetric() const {
        static const std::string none;
        return headline.value ? *headline.value : none;
    }
    [[nodiscard]] bool largerIsBetter() const {
        return direction.value == names::Direction::Larger;
    }
    /// "lower is better, assumed"; empty: undecided.
    [[nodiscard]] Sentence directionText() const {
        return direction ? direction.because.front().says : Sentence();
    }
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::size_t links() const; ///< how many of the checkpoints are links
};

struct Experiment {
    std::filesystem::path path;
    std::string name;
    std::vector<ScannedRun> runs; ///< natural order of ids; without checkpoints: only logs
    std::vector<Notice> notices;  ///< unreadable folders, exceeded limits
    /// Folders in which checkpoints may appear: all examined folders that are not checkpoints, from
    /// the top down, at most kMaxFolders. For FolderWatch.
    std::vector<std::filesystem::path> folders;
    static constexpr std::size_t kMaxFolders = 20'000;
    bool isCheckpoint =
        false; ///< `path` itself is one checkpoint (then the only one of the only run)
    [[nodiscard]] std::size_t checkpoints() const; ///< the sum of savesOf() (run_counts.h)
    /// The newest checkpoint that is not known to be incomplete, damaged or being written; null if
    /// there is none.
    [[nodiscard]] const ScannedCheckpoint* newestComplete() const;
};

/// "values", "name", or "time" if neither contains a position.
std::string_view stepFromName(const ScannedCheckpoint& checkpoint);

} // namespace cairn
