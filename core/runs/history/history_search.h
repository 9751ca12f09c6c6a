// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The search for histories in one folder and those below it, for find_histories.cpp.
namespace cairn {

/// "venv", "artifacts": a folder in which no log of the run is.
bool isSkipped(std::string_view folder);

/// Collects the sources in the folders that it is given. Not thread-safe.
class HistorySearch {
protected:
    static constexpr std::size_t kMaxEntries = 200'000; ///< examined entries per run

    HistorySearch(FolderListings& listings, const CancelToken& cancel)
        : m_listings(listings), m_cancel(cancel) {}

    /// One folder: the folder itself is offered first, then its files, then its sub-folders.
    Result<void> searchFolder(const FolderPtr& parent, const std::string& name,
                              const FolderPtr& self, const std::filesystem::path& path,
                              std::vector<FolderEntry> entries, std::size_t depth);
    /// A sub-folder of `parent`, unless it is hidden, skipped, a checkpoint or another run.
    Result<void> below(const FolderPtr& parent, const std::filesystem::path& parentPath,
                       const FolderEntry& entry, std::size_t depth);
    Result<void> offerFile(const FolderPtr& folder, const std::filesystem::path& parent,
                           const FolderEntry& entry,
                           const std::vector<const HistoryReader*>& takers);
    void note(Severity severity, Error error);
    /// Counts examined entries; false beyond the limit, which is reported once.
    bool within(std::size_t more, const std::filesystem::path& path);
    FoundHistories finish();

    FolderListings& m_listings;
    const CancelToken& m_cancel;
    FoundHistories m_result;
    struct Version {
        FolderPtr parent;
        std::string name;
        std::filesystem::path path;
    };
    std::vector<Version> m_versions; ///< skipped, because they are separate runs
    std::string m_heldRun;           ///< the id, if the run is one of several in a file
    std::set<std::string> m_folders; ///< components of the run's path, from the root's name on
    bool m_isRun = false;            ///< has checkpoints
    bool m_onlyHeld = false;         ///< only a run in a file counts; the file may be of other runs
    bool m_bareFiles = false;        ///< in the run's folder; sub-folders may belong to others
    bool m_holdsOthers =
        false; ///< has checkpoints or runs below that are not versions of Lightning

private:
    /// The folder in which names may be covered by a source.
    static std::filesystem::path holderOf(const FoundHistory& source);
    /// A source beside it, or its folder, is read with it or contains the same rows.
    [[nodiscard]] bool isCovered(const FoundHistory& file) const;
    /// Of a file with several runs: those of this run, if its path contains the id; all if this is
    /// a folder of logs only; else none.
    bool choosesRun(FoundHistory& file);

    std::size_t m_seen = 0;
    std::size_t m_files = 0;
    bool m_reported = false;
};

} // namespace cairn
