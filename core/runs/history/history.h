// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What trainers write down while they train: curves and settings, read from the files as they were
/// left. Every curve knows the file that it comes from; nothing is merged, no point is dropped,
/// damage is told and the rest is read.
namespace cairn {

/// One metric as one source tells it, in the order in which it was written: a restart shows as a
/// step that goes back. Columns are parallel; those that the source does not tell are empty, single
/// gaps are NaN.
struct MetricSeries {
    std::string name;         ///< as written: "loss", "eval/loss"
    std::uint32_t source = 0; ///< index into RunHistory::sources
    std::vector<double> steps;
    std::vector<double> values; ///< NaN and infinities as written
    std::vector<double> epochs; ///< as written, never interpolated
    std::vector<double> wall;   ///< seconds since 1970
    [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// Points at which a series starts again: its step is not above the one before. Ascending.
std::vector<std::size_t> restartsOf(const MetricSeries& series);

/// A file, or a set of files of one writer, that curves or settings came from.
struct HistorySource {
    std::string kind;           ///< id of the reader: "trainer_state", "csv", "tensorboard", …
    std::filesystem::path path; ///< the file, or the folder of a store
    std::uint64_t bytes = 0;    ///< read from it
    std::vector<Notice>
        warnings; ///< damage, restarts, several writers, changed columns, limits met
};

/// Everything that is written down about one run.
struct RunHistory {
    std::vector<HistorySource> sources;
    std::vector<MetricSeries> series; ///< natural order of names; several sources may tell one name
    /// Settings of the run (hparams, config, args), one dict per source that has any:
    /// {"hparams.yaml": {...}}.
    Value settings;
    std::vector<Notice> warnings; ///< about the run as a whole: files that could not be read at all

    /// The series to draw for a name: the one with the most points; null if there is none. The
    /// others stay listed.
    [[nodiscard]] const MetricSeries* primary(std::string_view name) const;
    /// Distinct names, natural order, loss-like first.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// "loss", "train/loss", "eval_loss", "lm loss value" …: what people look at first. Lower: comes
/// earlier.
int metricRank(std::string_view name);
/// True where larger is better ("accuracy", "f1", "bleu", "reward" …), for the best checkpoint and
/// for summaries.
bool largerIsBetter(std::string_view name);

/// What a reader fills; the index of the source is set by the caller.
struct HistoryPart {
    std::vector<MetricSeries> series;
    Value settings; ///< null: none
    std::vector<Notice> warnings;
    std::uint64_t bytes = 0;
};

/// A file beside a run that may be a history, offered to every reader.
struct HistoryCandidate {
    FolderPtr folder; ///< the folder that it lies in
    std::string name; ///< its name there; for a store, of the folder ("mlruns")
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t size = 0;
    std::span<const std::byte> head; ///< first bytes of a file, up to 64 KiB
};

/// A source is data: one constant `cairn::history::<name>::kReader` in each folder, listed by
/// core/runs/history/CMakeLists.txt.
struct HistoryReader {
    std::string_view id;
    std::string_view title; ///< "TensorBoard event file"
    /// Name and first bytes decide. Cheap; reads nothing.
    bool (*recognises)(const HistoryCandidate&);
    /// Reads all of it. Damage is a warning and what could be read is given; fails only when
    /// nothing can be (PermissionDenied, ChangedOnDisk, not of this kind after all) and with
    /// Cancelled.
    Result<HistoryPart> (*read)(const HistoryCandidate&, const CancelToken&);
};

std::span<const HistoryReader* const> historyReaders();
const HistoryReader* findHistoryReader(std::string_view id);

/// A candidate with the reader that knows it.
struct FoundHistory {
    HistoryCandidate candidate;
    const HistoryReader* reader = nullptr;
    std::vector<std::byte> head; ///< keeps candidate.head
};

/// Files of a run that some reader knows: in the run's folder, in those above it up to `root` (for
/// "logs" beside "checkpoints"), and in those below it that are not checkpoints. Natural order of
/// paths. Reads first bytes only.
Result<std::vector<FoundHistory>> findHistories(const std::filesystem::path& run,
                                                const std::filesystem::path& root,
                                                const CancelToken& cancel = {});

/// Reads all histories of a run. Any thread; blocks. Fails: NotFound, PermissionDenied for the run
/// itself, Cancelled; a source that cannot be read is a warning.
Result<RunHistory> readHistory(const std::filesystem::path& run, const std::filesystem::path& root,
                               const CancelToken& cancel = {});

} // namespace cairn
