// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/io/location.h"
#include "core/model/names/metric_words.h"
#include "core/model/value.h"

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

/// What trainers write down while they train: curves and settings, read from the files as they were
/// left. Every point knows the file that it comes from; the files of one training are joined into
/// one curve (join_series.h), no point is dropped, damage is reported and the rest is read.
namespace cairn {

/// What the steps of a series are.
enum class StepsFrom : std::uint8_t {
    Source, ///< steps, as written
    Epoch,  ///< the source records epochs only: they stand for steps
    Count,  ///< the source records neither: the number of the row, from 0
};
std::string_view stepsFromName(StepsFrom from); ///< "step", "epoch", "count"

/// Points whose step was written again later, in the order of their steps and, of one step, of
/// writing. Columns are parallel.
struct ReplacedPoints {
    std::vector<double> steps;
    std::vector<double> values;
    std::vector<std::uint32_t> sources; ///< index into RunHistory::sources
    [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// One metric. A reader gives the points in the order in which they were written, so that a restart
/// is a step that goes back; joinSeries() makes curves of them: rising steps, one value each.
/// Columns are parallel; those that the source does not record are empty, single gaps are NaN.
struct MetricSeries {
    std::string name;         ///< as written: "loss", "eval/loss"
    std::uint32_t source = 0; ///< index into RunHistory::sources; of a joined one the last written
    std::vector<double> steps;
    std::vector<double> values;              ///< NaN and infinities as written
    std::vector<double> epochs;              ///< as written, never interpolated
    std::vector<double> wall;                ///< seconds since 1970
    StepsFrom stepsFrom = StepsFrom::Source; ///< of mixed ones what is not a step
    std::vector<std::uint32_t> from = {}; ///< source of each point; empty where all are of `source`
    /// Points at which training continued from an earlier step than it had reached. Ascending.
    std::vector<std::size_t> restarts = {};
    ReplacedPoints replaced = {};
    [[nodiscard]] std::size_t size() const { return values.size(); }
    [[nodiscard]] std::uint32_t sourceOf(std::size_t point) const {
        return from.empty() ? source : from[point];
    }
};

/// The sources of a curve, in the order of writing as far as the points show it. Each once.
std::vector<std::uint32_t> sourcesOf(const MetricSeries& series);

/// Points of a series as it was written at which its step is below the one before. Several points
/// of one step (a row of training and one of validation) are not a restart. Ascending.
std::vector<std::size_t> restartsOf(const MetricSeries& series);

/// A file, or a set of files of one writer, that curves or settings came from.
struct HistorySource {
    std::string kind;           ///< id of the reader: "trainer_state", "csv", "tensorboard", …
    std::filesystem::path path; ///< the file, or the folder of a store
    std::uint64_t bytes = 0;    ///< read from it
    std::vector<Notice>
        warnings;                ///< damage, restarts, several writers, changed columns, limits met
    std::int64_t modifiedNs = 0; ///< since 1970; 0: not known
    std::optional<double> purgesFrom = {}; ///< see HistoryPart
};

/// Natural order of names, and of those that differ only by leading zeros a fixed one.
bool metricNameLess(std::string_view left, std::string_view right);

/// Which direction of a metric is better, as a file states it and no name: `define_metric` of W&B.
struct MetricGoal {
    std::string name; ///< as the file names it; with "*" at its end of all that begin so
    names::Direction better = names::Direction::Unknown;
    bool isTarget = false; ///< the run is judged by it: a goal was set, not only a summary chosen
    std::filesystem::path source = {};
    [[nodiscard]] bool isOf(std::string_view metric) const;
};

/// Everything that is written down about one run.
struct RunHistory {
    std::vector<HistorySource> sources;
    /// In the order of metricNameLess(). One name may have several: logs of different trainings, or
    /// of the same one in different units of their steps, are not joined.
    std::vector<MetricSeries> series;
    /// Settings of the run (hparams, config, args), one dict per source that has any:
    /// {"hparams.yaml": {...}}.
    Value settings;
    std::vector<Notice> warnings; ///< about the run as a whole: files that could not be read at all
    std::vector<MetricGoal> goals; ///< in the order of their sources

    /// What a file states about that metric; null: none does.
    [[nodiscard]] const MetricGoal* goalOf(std::string_view metric) const;
    /// What a file states, else what its name does (core/model/names/metric_words.h).
    [[nodiscard]] names::Direction directionOf(std::string_view metric) const;

    /// All series of that name, in the order of their sources. O(log n): `series` must be sorted.
    [[nodiscard]] std::span<const MetricSeries> named(std::string_view name) const;
    /// The series to draw for a name: the one with the most points; null if there is none. The
    /// others stay listed.
    [[nodiscard]] const MetricSeries* primary(std::string_view name) const;
    /// Distinct names, natural order, loss-like first.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// "loss", "train/loss", "eval_loss", "lm loss value" …: what people examine first. Lower: comes
/// earlier.
int metricRank(std::string_view name);
/// "Eval/Loss", "eval_loss" and "evalLoss" -> "eval loss": names that are the same metric's.
std::string plainMetricName(std::string_view name);

/// What a reader fills; the index of the source is set by the caller.
struct HistoryPart {
    std::vector<MetricSeries> series;
    Value settings; ///< null: none
    std::vector<Notice> warnings;
    std::uint64_t bytes = 0;
    std::filesystem::path path; ///< the file that it all comes from, where a folder was the
                                ///< candidate; empty: the candidate's
    /// The writer declares that what earlier files hold from this step on does not count
    /// (TensorBoard's purge_step).
    std::optional<double> purgesFrom = {};
    std::vector<MetricGoal> goals;
};

/// A file beside a run, or a folder in or beside it, that may be a history; offered to every
/// reader. The run's own folder is offered too, so that one reader may take a set of files in it as
/// one source.
struct HistoryCandidate {
    FolderPtr folder; ///< the folder that it is in; for the run's own folder, that folder
    std::string name; ///< its name there; of a folder: "mlruns", and "." for the run's own
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t size = 0;
    std::span<const std::byte> head;      ///< first bytes of a file, up to 64 KiB
    std::span<const FolderEntry> entries; ///< of a folder: what is in it, natural order
    std::int64_t modifiedNs = 0;          ///< of a file, since 1970; 0: not known

    /// The folder that a folder candidate is.
    [[nodiscard]] Result<FolderPtr> openSelf() const { return folder->openFolder(name); }
    [[nodiscard]] bool hasEntry(std::string_view entry) const;
};

/// A source is data: one constant `cairn::history::<name>::kReader` in each folder, listed by
/// core/runs/history/CMakeLists.txt.
struct HistoryReader {
    std::string_view id;
    std::string_view title; ///< "TensorBoard event file"
    /// Name and first bytes, or for a folder its entries, decide. Cheap; reads nothing. A reader
    /// that takes a folder is not asked for the files right in it.
    bool (*recognises)(const HistoryCandidate&);
    /// Reads all of it. Damage is a warning and what could be read is given; fails only when
    /// nothing can be (PermissionDenied, ChangedOnDisk, not of this kind after all) and with
    /// Cancelled.
    Result<HistoryPart> (*read)(const HistoryCandidate&, const CancelToken&);
    /// A folder that this reader takes is a store (mlruns, wandb/run-…): nothing else is searched
    /// for in it, by no reader.
    bool ownsFolder = false;
    /// What the writer calls the run whose files are in this folder; empty: nothing. Reads a few
    /// KiB.
    std::string (*runName)(const Folder&, std::span<const FolderEntry>) = nullptr;
};

std::span<const HistoryReader* const> historyReaders();
const HistoryReader* findHistoryReader(std::string_view id);

/// A candidate with the reader that knows it. Moved, never copied: the candidate examines it.
struct FoundHistory {
    HistoryCandidate candidate;
    const HistoryReader* reader = nullptr;
    std::vector<std::byte> head;      ///< keeps candidate.head
    std::vector<FolderEntry> entries; ///< keeps candidate.entries
    FoundHistory() = default;
    FoundHistory(const FoundHistory&) = delete;
    FoundHistory& operator=(const FoundHistory&) = delete;
    FoundHistory(FoundHistory&&) = default;
    FoundHistory& operator=(FoundHistory&&) = default;
    ~FoundHistory() = default;
};

/// What is in the folders above the runs: with thousands of runs in one folder it is to be listed
/// once, not once for every run. Kept as long as the object; safe from any thread.
class FolderListings {
public:
    struct Listed {
        FolderPtr folder;
        std::vector<FolderEntry> entries; ///< natural order
    };
    /// Fails with the errors of Folder::open() and Folder::list().
    Result<std::shared_ptr<const Listed>> list(const std::filesystem::path& path);

private:
    std::mutex m_mutex; ///< guards m_listed
    std::map<std::filesystem::path, Result<std::shared_ptr<const Listed>>> m_listed;
};

/// What is beside a run. Searched are
///   - the run's folder and those below it, without checkpoints and without other runs;
///   - in the folders above it up to `root`, the folders for logs ("logs", "runs", "wandb",
///     "mlruns", …): what is called like the run in them, or all of it where the run has no
///     neighbours that could own it. Files right in a folder above count only where the run has no
///     neighbours.
/// Natural order of paths. Reads names and first bytes only. `run` may also be one file: then it
/// alone is examined. Fails: NotFound, PermissionDenied for the run itself; Cancelled.
struct FoundHistories {
    std::vector<FoundHistory> found;
    std::vector<Notice> notices; ///< folders that could not be read or were left out, limits met
};
Result<FoundHistories> findHistories(const Location& run, const std::filesystem::path& root,
                                     const CancelToken& cancel = {},
                                     FolderListings* above = nullptr);

/// Reads all histories of a run. Any thread; blocks. Fails: NotFound, PermissionDenied for the run
/// itself, Cancelled; a source that cannot be read is a warning. `above`: shared by calls for
/// several runs below one root.
Result<RunHistory> readHistory(const Location& run, const std::filesystem::path& root,
                               const CancelToken& cancel = {}, FolderListings* above = nullptr);

} // namespace cairn
