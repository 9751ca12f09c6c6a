// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"
#include "core/runs/scan/scan_relations.h"
#include "core/runs/scan/scan_size.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The checkpoints that a scan has found so far, by run, with the facts from their names. Used by
/// the experiment scan. Not thread-safe.
namespace cairn {

class ListedRuns {
public:
    /// `unfinishedNs`: see ScanLimits.
    ListedRuns(std::filesystem::path experiment, std::int64_t unfinishedNs);

    /// `id`: path, below the experiment, of the folder that contains `path`. Null format: unknown.
    ScannedCheckpoint& add(const std::string& id, const std::filesystem::path& path,
                           const FormatInfo* format, const ScannedSize& size);

    /// For a format whose writer publishes `lastFile` last: a checkpoint without it is being
    /// written or incomplete.
    void assessIndex(ScannedCheckpoint& checkpoint, std::string_view lastFile,
                     const std::vector<FolderEntry>& entries) const;

    /// The checkpoint just added is a folder that PEFT's save_pretrained() wrote.
    void noteAdapter(const ScannedCheckpoint& checkpoint) { m_adapters.insert(checkpoint.path); }

    /// "final/model.pth" next to "step-100/model.pth" is a checkpoint of that run, not a separate
    /// run: moves it there, with the links and pointers of `relations`.
    void joinFinalModels(FoundRelations& relations);

    /// Lightning's "version_1" that continues "version_0" is one run with it: moves its checkpoints
    /// there, with the links and pointers of `relations`. Reads logs (resumed_folders.h).
    void joinResumed(FoundRelations& relations, FolderListings& listings,
                     const CancelToken& cancel);

    /// True if exactly one checkpoint was found so far.
    [[nodiscard]] bool isSingle() const;

    /// Finishes the listing; returns its runs, by id. An adapter whose name has no step, beside
    /// checkpoints with one, was saved when training had ended: it is an export.
    std::vector<ScannedRun> take();

private:
    void assessName(ScannedCheckpoint& checkpoint) const;
    /// Moves the checkpoints of a run into another one, under the names that they have there.
    static void moveInto(ScannedRun& to, ScannedRun& from, const std::string& folder,
                         FoundRelations& relations);

    std::filesystem::path m_experiment;
    std::int64_t m_unfinishedNs;
    std::int64_t m_now; ///< time since 1970 when the scan began
    std::map<std::string, ScannedRun> m_runs;
    std::set<std::filesystem::path> m_adapters;
};

/// Marks the exports of a run. A Trainer's output folder is a separate checkpoint in addition to
/// those in it, because save_model() was called after training.
void markFinalModels(ScannedRun& run);

} // namespace cairn
