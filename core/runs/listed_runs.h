// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/runs/experiment.h"
#include "core/runs/scan_relations.h"
#include "core/runs/scan_size.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The checkpoints that a scan has found so far, by run, with what their names record. Used by the
/// experiment scan.
namespace cairn {

/// One thread.
class ListedRuns {
public:
    /// `unfinishedNs`: see ScanLimits.
    ListedRuns(std::filesystem::path experiment, std::int64_t unfinishedNs);

    /// `id`: path below the experiment of the folder in which `path` is. Null format: unknown.
    ScannedCheckpoint& add(const std::string& id, const std::filesystem::path& path,
                           const FormatInfo* format, const ScannedSize& size);

    /// For a format whose writer publishes `lastFile` last: a checkpoint whose folder has none is
    /// being written or incomplete.
    void assessIndex(ScannedCheckpoint& checkpoint, std::string_view lastFile,
                     const std::vector<FolderEntry>& entries) const;

    /// "final/model.pth" beside "step-100/model.pth" is a checkpoint of that run, not a run of its
    /// own: moves it there, with the links and pointers of `relations`.
    void joinFinalModels(FoundRelations& relations);

    /// Exactly one checkpoint was found so far.
    [[nodiscard]] bool isSingle() const;

    /// Ends the listing: its runs, by id.
    std::vector<ScannedRun> take();

private:
    void assessName(ScannedCheckpoint& checkpoint) const;

    std::filesystem::path m_experiment;
    std::int64_t m_unfinishedNs;
    std::int64_t m_now; ///< since 1970, when the scan began
    std::map<std::string, ScannedRun> m_runs;
};

/// Marks the exports of a run; a Trainer's output folder is a checkpoint of its own beside those in
/// it, because save_model() was called when the training had ended.
void markFinalModels(ScannedRun& run);

} // namespace cairn
