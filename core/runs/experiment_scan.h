// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/names/metric_words.h"

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

/// What a checkpoint's place in its run was taken from.
enum class StepFrom : std::uint8_t {
    Time,   ///< when it was written: neither its values nor its name tell a position
    Name,   ///< its name
    Values, ///< what it holds itself
};
std::string_view stepFromName(StepFrom from); ///< "time", "name", "values"

/// Who says which checkpoint of a run is the best, the most telling last.
enum class BestFrom : std::uint8_t {
    Nobody,
    Name,    ///< "best.pt", a link called "best"
    History, ///< the run's curves at the steps of its checkpoints, or values that these hold
    Record,  ///< the trainer's own record: trainer_state.json, Lightning's ModelCheckpoint
};
std::string_view bestFromName(BestFrom from); ///< "", "name", "history", "record"

/// What a trainer's record inside a checkpoint says about the best one so far.
struct BestRecord {
    std::string name;            ///< last part of the path that it names
    std::string metric;          ///< "eval_loss"; empty when the record does not tell
    std::optional<double> value; ///< may be NaN
    names::Direction better = names::Direction::Unknown; ///< of the metric, as the trainer was told
    friend bool operator==(const BestRecord&, const BestRecord&) = default;
};

/// An output of Cairn whose manifest names a checkpoint as its source.
struct ExportedTo {
    std::filesystem::path path; ///< of the output
    bool verified = false;      ///< as its manifest says
};

/// One checkpoint: a file, or a folder that is one.
struct ScannedCheckpoint {
    std::filesystem::path path; ///< may be given to openCheckpoint()
    /// The last part of the path: "step-300", "epoch=3-step=128.ckpt"; with the folder in front
    /// where that tells the position: "step_100/model.pt".
    std::string name;
    std::string format;      ///< id of the format; empty when nothing recognised it (see `state`)
    std::uint64_t bytes = 0; ///< of all its files
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0;      ///< newest modification in it, since 1970
    std::optional<std::int64_t> step; ///< told by the name; see also CheckpointFacts
    std::optional<double> epoch;
    CheckpointState state = CheckpointState::Unknown;
    std::string reason; ///< one sentence for the state; empty when there is none
    CheckpointState listedState = CheckpointState::Unknown; ///< what the listing alone told
    bool best = false;                                      ///< see ScannedRun::bestFrom
    bool latest = false; ///< the last one of its run in training order that may be whole

    StepFrom stepFrom = StepFrom::Time;
    /// A link to, or another name of, the checkpoint of that name in the same run. It has no bytes
    /// of its own, is no step of its own and never best or latest: its target is.
    std::string linkTo;
    std::vector<std::string> pointedBy; ///< pointer files that name it ("latest"), deltas that rest on it
    std::vector<ExportedTo> exports;
    std::optional<BestRecord> record; ///< told by examineCheckpoint()
    std::optional<double> score;      ///< ScannedRun::scoreMetric at its step; see applyHistory()
    std::vector<std::pair<std::string, double>> metrics; ///< see CheckpointFacts
    bool examined = false;                               ///< applyFacts() was here
    bool opened = false;                                 ///< its index could be read
    bool noModel = false; ///< no tensor of a model is in it: never latest or best where another can be
    bool resumable = false; ///< an optimizer's state is in it: training can continue from it

    [[nodiscard]] bool isLink() const { return !linkTo.empty(); }
};

/// A folder that holds checkpoints. "checkpoints" folders count for the folder above them.
struct ScannedRun {
    std::string id;   ///< path below the experiment, "." for the experiment itself; unique
    std::string name; ///< for people: the id, or the folder's name when the id is "."
    std::filesystem::path path;
    /// Training order: by step where all that have a position have one, else by epoch; then those
    /// without a position by time.
    std::vector<ScannedCheckpoint> checkpoints;
    BestFrom bestFrom = BestFrom::Nobody;
    std::string bestMetric = {};          ///< empty when nobody tells it
    std::optional<double> bestValue = {}; ///< of the best checkpoint
    /// Who says so: the checkpoint with the record, the file of the curve, the file or link with
    /// the name; empty where values that the checkpoints hold do.
    std::filesystem::path bestSource = {};
    std::string scoreMetric = {};           ///< what `score` of its checkpoints is
    std::filesystem::path scoreSource = {}; ///< file of its curve; empty: the checkpoints hold it
    bool largerScoreIsBetter = false;
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::size_t links() const; ///< how many of the checkpoints are links
};

struct Experiment {
    std::filesystem::path path;
    std::string name;
    std::vector<ScannedRun> runs; ///< natural order of ids; none without checkpoints
    std::vector<Notice> notices;  ///< folders that could not be read, limits that were met
    /// Where checkpoints may appear: all folders that were looked into, without checkpoints
    /// themselves; from the top down, at most kMaxFolders. For FolderWatch.
    std::vector<std::filesystem::path> folders;
    static constexpr std::size_t kMaxFolders = 20'000;
    bool isCheckpoint =
        false; ///< `path` itself is one checkpoint (then the only one of the only run)
    [[nodiscard]] std::size_t checkpoints() const; ///< without links
    /// The newest checkpoint that is not known to be incomplete, damaged or being written; null if
    /// there is none.
    [[nodiscard]] const ScannedCheckpoint* newestWhole() const;
};

struct ScanLimits {
    std::size_t maxDepth = 16;          ///< folders below the experiment
    std::size_t maxEntries = 2'000'000; ///< files and folders looked at
    /// A DCP folder without .metadata that changed this lately is being written, an older one is
    /// incomplete: all ranks must have finished before .metadata appears.
    std::int64_t unfinishedNs = 120'000'000'000;
};

/// A file or folder that cannot be read whole and changed this lately is being written.
inline constexpr std::int64_t kStillWritingNs = 20'000'000'000;

/// Lists a folder, or a single checkpoint. Links are not followed: one to a checkpoint of the same
/// experiment is listed as such, others are left out. Hidden folders, package caches and virtual
/// environments are left out. Reads no index and no tensor. 1,000
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

/// For a second listing: what is known of checkpoints whose files are the same goes over; new ones
/// and those whose files are not are being written until they have been examined. Sorts the runs.
void keepKnown(Experiment& now, const Experiment& before);
/// The same checkpoints with the same files in the same order: nothing new to be found out.
bool sameListing(const Experiment& a, const Experiment& b);

/// Puts a run's checkpoints in training order and marks the latest and the best; after
/// applyFacts() and applyHistory(). The best is what the record of the newest checkpoint that has
/// one names; else the one with the best score; else the one whose name, or a link to which, says
/// so. Linear in memory, n log n in time.
void sortCheckpoints(ScannedRun& run);

struct RunHistory; // core/runs/history/history.h

/// Gives every checkpoint its value of one metric: the one that the trainer's record names, where
/// a curve of it is there; else the one with the lowest metricRank(), held-out ones ("eval", "val",
/// "test") before others. The value is the one
/// logged at its step, else the last one within an interval between checkpoints before it; where
/// only epochs were logged, the one of the epoch that it was saved after (epoch_rows.h), and none
/// where that cannot be told. Where no curve tells one, the values that the checkpoints hold do
/// ("val_loss", "accuracy"). Call sortCheckpoints() after.
void applyHistory(ScannedRun& run, const RunHistory& history);

} // namespace cairn
