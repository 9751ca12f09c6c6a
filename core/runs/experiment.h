// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/model/names/metric_words.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a folder of runs holds: experiment (the folder that was opened) > run (a folder that holds
/// checkpoints) > checkpoint. Plain values. experiment_scan.h lists them, checkpoint_facts.h looks
/// into one checkpoint, ranking.h puts a run in order.
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

/// Where a number was read.
struct NumberFrom {
    std::filesystem::path file;
    std::optional<double> step;        ///< that the number was measured at, where that is recorded
    std::optional<std::uint64_t> row; ///< of a log, from 0
    std::string field; ///< dotted place among the values: "trainer_state.log_history.7.loss"
    friend bool operator==(const NumberFrom&, const NumberFrom&) = default;
};

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
    bool pointedAsLatest = false; ///< pointedBy.front() names the one that training resumes from
    /// An output of Cairn, or the final model that lies where the run's checkpoints do: never best
    /// or latest where another can be.
    bool isExport = false;
    std::vector<ExportedTo> exports;
    std::optional<BestRecord> record; ///< told by examineCheckpoint()
    std::optional<double> score;      ///< ScannedRun::scoreMetric at its step; see settleRun()
    std::optional<NumberFrom> scoreFrom; ///< where that was read
    std::vector<std::pair<std::string, double>> metrics; ///< see CheckpointFacts
    bool examined = false;                               ///< applyFacts() was here
    bool opened = false;                                 ///< its index could be read
    bool noModel = false; ///< no tensor of a model is in it: never latest or best where another can be
    bool resumable = false; ///< an optimizer's state is in it: training can continue from it

    [[nodiscard]] bool isLink() const { return !linkTo.empty(); }
    /// Nothing is known to be missing.
    [[nodiscard]] bool mayBeWhole() const {
        return state == CheckpointState::Complete || state == CheckpointState::Unknown;
    }
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
    std::vector<ScannedRun> runs; ///< natural order of ids; without checkpoints: only logs
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

} // namespace cairn
