// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/decided.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/io/location.h"
#include "core/model/names/metric_words.h"
#include "core/model/value.h"
#include "core/runs/history/column.h"
#include "core/runs/history/resumed_folders.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The records of trainers: curves and settings, read from the original files. Every point has its
/// source file; the files of one training are joined to one curve (join_series.h), no point is
/// dropped, damage is reported and the rest is read.
namespace cairn {

/// The unit of a series' steps.
enum class StepsFrom : std::uint8_t {
    Source, ///< steps as recorded
    Epoch,  ///< only epochs are recorded and used as steps
    Count,  ///< neither is recorded: row numbers from 0
};
std::string_view stepsFromName(StepsFrom from); ///< "step", "epoch", "count"

/// Points whose step was logged again later, ordered by step, and for equal steps by order of
/// writing. Columns are parallel.
struct ReplacedPoints {
    Column<double> steps;
    Column<double> values;
    Column<std::uint32_t> sources;       ///< index into RunHistory::sources
    Column<std::int16_t> stepRests = {}; ///< as those of MetricSeries
    Column<std::int16_t> valueRests = {};
    Column<std::uint32_t> attempts = {}; ///< as those of MetricSeries
    [[nodiscard]] Number stepAt(std::size_t point) const {
        return {steps[point], stepRests.empty() ? std::int16_t{0} : stepRests[point]};
    }
    [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// One metric. Readers give the points in the order of writing, so that a restart is a step that
/// decreases; joinSeries() converts them to curves with ascending steps and one value each. Columns
/// are parallel; columns that the source does not record are empty, single gaps are NaN.
struct MetricSeries {
    std::string name;         ///< as recorded: "loss", "eval/loss"
    std::uint32_t source = 0; ///< index into RunHistory::sources; for a joined series the last one
    Column<double> steps;
    Column<double> values;                   ///< as recorded, including NaN and infinities
    Column<double> epochs;                   ///< as recorded, never interpolated
    Column<double> wall;                     ///< seconds since 1970
    StepsFrom stepsFrom = StepsFrom::Source; ///< if mixed, the unit other than steps
    /// How well it is founded that the steps are those of training. Named: calls of a log function
    /// (W&B's "_step"), a column without a name, tokens; never matched with checkpoints.
    Strength stepsStrength = Strength::Recorded;
    /// The step column's name, a literal ("global_step"); empty: another one, or several.
    std::string_view stepsKey = {};
    Column<std::uint32_t> from = {}; ///< source of each point; empty if all are from `source`
    /// Points at which training was resumed from an earlier step than it had reached. Ascending.
    Column<std::size_t> restarts = {};
    /// The attempt that wrote each point, from 0 in the order of writing: a restart begins the next
    /// one, and so may a step that is repeated with another value. Empty: one attempt wrote all.
    Column<std::uint32_t> attempts = {};
    ReplacedPoints replaced = {};
    /// What rounding to doubles took from integers beyond 2^53 (Number); empty if all are zero.
    Column<std::int16_t> stepRests = {};
    Column<std::int16_t> valueRests = {};
    /// Exact; `point` is below size(), and there are steps.
    [[nodiscard]] Number stepAt(std::size_t point) const {
        return {steps[point], stepRests.empty() ? std::int16_t{0} : stepRests[point]};
    }
    [[nodiscard]] Number valueAt(std::size_t point) const {
        return {values[point], valueRests.empty() ? std::int16_t{0} : valueRests[point]};
    }
    /// From now on copies share the points.
    void share();
    [[nodiscard]] std::size_t size() const { return values.size(); }
    [[nodiscard]] std::uint32_t sourceOf(std::size_t point) const {
        return from.empty() ? source : from[point];
    }
};

/// The sources of a curve, in the order of writing as far as known. Each once.
std::vector<std::uint32_t> sourcesOf(const MetricSeries& series);

/// Points, in the order of writing, whose step is below the previous one. Several points with the
/// same step (a training row and a validation row) are not a restart. Ascending.
std::vector<std::size_t> restartsOf(const MetricSeries& series);

/// A file, or a set of files of one writer, with curves or settings.
struct HistorySource {
    std::string kind;           ///< id of the reader: "trainer_state", "csv", "tensorboard", …
    std::filesystem::path path; ///< the file, or the folder of a store
    std::uint64_t bytes = 0;    ///< bytes read
    std::vector<Notice>
        warnings; ///< damage, restarts, several writers, changed columns, exceeded limits
    std::int64_t modifiedNs = 0;           ///< since 1970; 0: unknown
    std::optional<Number> purgesFrom = {}; ///< see HistoryPart
};

/// Natural order of names; names that differ only in leading zeros have a fixed order.
bool metricNameLess(std::string_view left, std::string_view right);

/// The direction of a metric that is better, as recorded in a file rather than derived from a name:
/// `define_metric` of W&B.
struct MetricGoal {
    std::string name; ///< as recorded; a trailing "*" matches all names that begin so
    names::Direction better = names::Direction::Unknown;
    bool isTarget = false; ///< the run is judged by it: it has a goal, not only a chosen summary
    std::filesystem::path source = {};
    [[nodiscard]] bool isOf(std::string_view metric) const;
};

/// A row of a log that records which checkpoint was saved with it.
struct RecordedSave {
    std::string name; ///< of the file or folder, beside the log
    Number step;      ///< of the row
    std::filesystem::path source = {};
};

/// All records of one run.
struct RunHistory {
    std::vector<HistorySource> sources;
    /// In the order of metricNameLess(). A name may occur several times: logs of different
    /// trainings, or with different units of steps, are not joined.
    std::vector<MetricSeries> series;
    /// Settings of the run (hparams, config, args), one dict per source that has any:
    /// {"hparams.yaml": {...}}.
    Value settings;
    std::vector<Notice> warnings; ///< about the run in general: files that could not be read at all
    std::vector<MetricGoal> goals;   ///< in the order of their sources
    std::vector<RecordedSave> saves; ///< in the order of writing

    /// The recorded goal for that metric; null if there is none.
    [[nodiscard]] const MetricGoal* goalOf(std::string_view metric) const;
    /// Which values of the metric are better: the recorded goal, and what its name implies
    /// (core/model/names/metric_words.h).
    [[nodiscard]] std::vector<Claim<names::Direction>>
    directionClaims(std::string_view metric) const;
    [[nodiscard]] Decided<names::Direction> direction(std::string_view metric) const;

    /// All series of that name, in the order of their sources. O(log n): `series` must be sorted.
    [[nodiscard]] std::span<const MetricSeries> named(std::string_view name) const;
    /// The series to draw for a name: the one with the most points; null if there is none. The
    /// others remain listed.
    [[nodiscard]] const MetricSeries* primary(std::string_view name) const;
    /// Distinct names in natural order, losses first.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Display rank: "loss", "train/loss", "eval_loss", "lm loss value" … come first. Lower means
/// earlier.
int metricRank(std::string_view name);
/// "Eval/Loss", "eval_loss" and "evalLoss" -> "eval loss": normalizes names of the same metric.
std::string plainMetricName(std::string_view name);

/// The output of a reader; the caller sets the index of the source.
struct HistoryPart {
    std::vector<MetricSeries> series;
    Value settings; ///< null: none
    std::vector<Notice> warnings;
    std::uint64_t bytes = 0;
    std::filesystem::path
        path; ///< the source file if the candidate was a folder; empty: the candidate
    /// The writer declares earlier files' points from this step on as invalid (TensorBoard's
    /// purge_step).
    std::optional<Number> purgesFrom = {};
    std::vector<MetricGoal> goals;
    std::vector<RecordedSave> saves;
};

/// A file or folder in or beside a run that may contain a history; offered to every reader. The
/// run's folder is offered, too, so that a reader can use a set of its files as one source.
struct HistoryCandidate {
    FolderPtr folder; ///< the folder that contains it; for the run's folder, that folder
    std::string name; ///< its name in `folder`; for a folder: "mlruns", or "." for the run's folder
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t size = 0;
    std::span<const std::byte> head;      ///< a file's first bytes, up to 64 KiB
    std::span<const FolderEntry> entries; ///< a folder's entries in natural order
    std::int64_t modifiedNs = 0;          ///< of a file, since 1970; 0: unknown
    std::string run = {}; ///< of a file with several runs, the id of the one to read; empty: all

    /// Opens the candidate if it is a folder.
    [[nodiscard]] Result<FolderPtr> openSelf() const { return folder->openFolder(name); }
    [[nodiscard]] bool hasEntry(std::string_view entry) const;
};

/// What a reader keeps of a file that is still being written, so that the next reading costs what
/// was appended. One for each file.
class GrowingHistory {
public:
    GrowingHistory() = default;
    GrowingHistory(const GrowingHistory&) = delete;
    GrowingHistory& operator=(const GrowingHistory&) = delete;
    virtual ~GrowingHistory() = default;
    /// The same as HistoryReader::read() at this moment. Reads everything again if the file is
    /// another one, is shorter, or does not contain what was read. Fails like it.
    virtual Result<HistoryPart> read(const HistoryCandidate& candidate,
                                     const CancelToken& cancel) = 0;
};

/// One of several runs in a file.
struct HeldRun {
    std::string id;   ///< unique in the file
    std::string name; ///< unique in the file
};

/// A run in a file that contains several is named by a path below the file, which does not exist:
/// "mlflow.db/0af3". These two convert between the id and that last component.
std::string heldRunName(std::string_view id);
std::string heldRunId(std::string_view name);

/// A source is data: each folder defines one constant `cairn::history::<name>::kReader`, listed by
/// core/runs/history/CMakeLists.txt.
struct HistoryReader {
    std::string_view id;
    std::string_view title; ///< "TensorBoard event file"
    /// Whether a file of that name may be a log of this kind, so that its first bytes are read.
    bool (*mayBe)(std::string_view name);
    /// Decides by name and first bytes, or for a folder by its entries. Cheap; reads nothing. A
    /// reader that accepts a folder is not asked about the files directly in it.
    bool (*recognises)(const HistoryCandidate&);
    /// Reads everything. Damage becomes a warning, and the readable part is returned; fails only if
    /// nothing can be read (PermissionDenied, ChangedOnDisk, a different kind of file) and with
    /// Cancelled.
    Result<HistoryPart> (*read)(const HistoryCandidate&, const CancelToken&);
    /// A folder that this reader accepts is a store (mlruns, wandb/run-…): no reader searches
    /// inside it.
    bool ownsFolder = false;
    /// Settings alone do not make a folder a run.
    bool settingsOnly = false;
    /// The writer's name for the run whose files are in this folder; empty: none. Reads a few KiB.
    std::string (*runName)(const Folder&, std::span<const FolderEntry>) = nullptr;
    /// Null: a file that grew is read again from its start.
    std::unique_ptr<GrowingHistory> (*follow)() = nullptr;
    /// The runs in a recognised file, if files of this kind may contain several, in the order of
    /// their start; empty: this file is of one run. Fails as read().
    Result<std::vector<HeldRun>> (*runsIn)(const HistoryCandidate&, const CancelToken&) = nullptr;
    /// Names beside a recognised file, or in a recognised folder, that it is read with or that
    /// repeat its rows: not sources of their own.
    std::span<const std::string_view> covers = {};
    /// False: each file is a training of its own, whatever its steps are, or names its run itself.
    bool continuesOthers = true;
    /// A file is named by its run ("run-<id>.wandb"): files of that name in folders side by side
    /// are of one training.
    bool namesRun = false;
    /// The names of files whose writer numbers the checkpoints beside them by saves, not steps
    /// ("result.json" of Ray). Such a file counts if this reader recognises it.
    std::span<const std::string_view> countsSaves = {};
};

std::span<const HistoryReader* const> historyReaders();
const HistoryReader* findHistoryReader(std::string_view id);

/// A candidate with the reader that recognised it. Movable, not copyable: the candidate refers to
/// its members.
struct FoundHistory {
    HistoryCandidate candidate;
    const HistoryReader* reader = nullptr;
    std::vector<std::byte> head;      ///< owns candidate.head
    std::vector<FolderEntry> entries; ///< owns candidate.entries
    FoundHistory() = default;
    FoundHistory(const FoundHistory&) = delete;
    FoundHistory& operator=(const FoundHistory&) = delete;
    FoundHistory(FoundHistory&&) = default;
    FoundHistory& operator=(FoundHistory&&) = default;
    ~FoundHistory() = default;
};

/// A file or folder in `folder` as a source of a history, if a reader recognises it. Reads a file's
/// first bytes if its name allows a log. Fails with the errors of reading them.
Result<std::optional<FoundHistory>>
recogniseFile(const FolderPtr& folder, const std::filesystem::path& parent,
              const FolderEntry& entry, std::span<const HistoryReader* const> except = {});

/// Caches listings of the folders above runs: with thousands of runs in one folder it is listed
/// once, not once for every run. Any thread.
class FolderListings {
public:
    struct Listed {
        FolderPtr folder;
        std::vector<FolderEntry> entries; ///< natural order
    };
    /// Fails with the errors of Folder::open() and Folder::list().
    Result<std::shared_ptr<const Listed>> list(const std::filesystem::path& path);
    /// The runs in a file, in the order of HistoryReader::runsIn(); empty if it is of one run, or
    /// cannot be read.
    std::vector<HeldRun> runsIn(const FoundHistory& file, const CancelToken& cancel);
    /// findResumedFolders(); none if cancelled.
    std::vector<ResumedFolder> resumedIn(const std::filesystem::path& parent,
                                         const CancelToken& cancel);

private:
    std::mutex m_resumedMutex; ///< guards m_resumed, and its making; locked before m_mutex
    std::map<std::filesystem::path, std::vector<ResumedFolder>> m_resumed;
    std::mutex m_mutex; ///< guards the following members
    std::map<std::filesystem::path, std::vector<HeldRun>> m_runs;
    std::map<std::filesystem::path, Result<std::shared_ptr<const Listed>>> m_listed;
};

/// The histories of a run. These folders are searched:
///   - the run's folder and those below it, without checkpoints and without other runs;
///   - Lightning's folders beside it in which its training was resumed, if they are below `root`;
///   - in the folders above it up to `root`, the log folders ("logs", "runs", "wandb",
///     "mlruns", …): entries named like the run, or all entries if the run has no neighbours to
///     which they could belong. Files directly in a folder above are used only if the run has no
///     neighbours.
/// Of a file with several runs, the one whose id is a folder in the run's path is used: artifacts
/// of MLflow's run 0af3 are in a folder "0af3". Results are in natural order of paths. Reads names
/// and first bytes only. If `run` is a file, or a run in one (heldRunName()), only that file is
/// examined. Fails: NotFound, PermissionDenied for the run itself; Cancelled.
struct FoundHistories {
    std::vector<FoundHistory> found;
    /// The folder that contains those of a resumed training; empty: the run's folder contains all.
    std::filesystem::path base;
    std::vector<Notice> notices; ///< unreadable or skipped folders, exceeded limits
};
Result<FoundHistories> findHistories(const Location& run, const std::filesystem::path& root,
                                     const CancelToken& cancel = {},
                                     FolderListings* above = nullptr);

/// The files of a run's history between two readings. Any thread.
class GrowingHistories {
public:
    /// Reads the file with what is known of it.
    Result<HistoryPart> read(const FoundHistory& found, const CancelToken& cancel);

private:
    std::mutex m_mutex; ///< guards m_files, and the reading of each
    std::map<std::filesystem::path, std::unique_ptr<GrowingHistory>> m_files;
};

/// Reads the histories that findHistories() found for the run. Their points are shared by copies.
/// Fails: Cancelled.
Result<RunHistory> readHistories(FoundHistories histories, const std::filesystem::path& run,
                                 const CancelToken& cancel = {},
                                 GrowingHistories* growing = nullptr);

/// Reads all histories of a run. `growing`: what it keeps from earlier readings of the same run.
/// Any thread; blocks. Fails: NotFound, PermissionDenied for the run
/// itself, Cancelled; an unreadable source becomes a warning. `above`: shared by calls for several
/// runs below one root.
Result<RunHistory> readHistory(const Location& run, const std::filesystem::path& root,
                               const CancelToken& cancel = {}, FolderListings* above = nullptr,
                               GrowingHistories* growing = nullptr);

} // namespace cairn
