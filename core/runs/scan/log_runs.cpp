// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/log_runs.h"

#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/history/history.h"
#include "core/runs/history/log_places.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool isBelow(const fs::path& path, const fs::path& folder) {
    const fs::path below = path.lexically_relative(folder);
    return !below.empty() && *below.begin() != "..";
}

/// The parent folder of the outermost log folder that contains it; empty: it is in none.
std::optional<fs::path> sharedAbove(const FoundLog& log, const fs::path& root) {
    fs::path above = root;
    for (const fs::path& part : fs::path(log.id)) {
        if (isLogFolder(part.string())) {
            return above;
        }
        above /= part;
    }
    return std::nullopt;
}

/// The writer's name for it, because the folder's name is a number or a time.
std::string nameOf(const FoundLog& log) {
    const auto folder = Folder::open(log.path);
    const auto entries = entriesOf(folder);
    for (const HistoryReader* reader : historyReaders()) {
        const std::string name = entries && reader->runName != nullptr
                                     ? reader->runName(**folder, *entries)
                                     : std::string();
        if (!name.empty()) {
            return name;
        }
    }
    return log.id == "." ? log.path.filename().string() : log.id;
}

/// Finds the logs that belong to a run with checkpoints.
class Owners {
public:
    Owners(const Experiment& experiment, const CancelToken& cancel)
        : m_experiment(experiment), m_cancel(cancel) {
        for (const ScannedRun& run : experiment.runs) {
            m_runs.insert(withoutSlash(run.path));
            const fs::path parent = run.path.parent_path();
            if (isCheckpointFolder(parent.filename().string())) {
                m_namesakes.insert(parent.parent_path() / run.path.filename());
            }
            for (const ScannedCheckpoint& each : run.checkpoints) {
                m_saves.insert(each.path);
            }
        }
    }

    Result<bool> has(const FoundLog& log) {
        if (m_saves.contains(log.path) || isReadFromAbove(log.path)) {
            return true;
        }
        const auto shared = sharedAbove(log, m_experiment.path);
        if (!shared) {
            return false;
        }
        CAIRN_TRY(const std::set<fs::path>* read, readBelow(*shared));
        const auto at = read->lower_bound(log.path);
        return at != read->end() && isBelow(*at, log.path);
    }

private:
    static fs::path withoutSlash(const fs::path& path) {
        return path.has_filename() ? path : path.parent_path();
    }

    /// Whether the history of a run above includes the log: it includes sub-folders, but not those
    /// of another checkpoint; for a folder of bare files only log folders.
    bool isReadFromAbove(const fs::path& log) {
        const fs::path root = withoutSlash(m_experiment.path);
        fs::path first; // the first folder between them
        for (fs::path above = log;; above = above.parent_path()) {
            if (m_namesakes.contains(above)) {
                return true;
            }
            if (m_saves.contains(above) && above != root) {
                return isPositionFolder(above.filename().string());
            }
            if (m_runs.contains(above)) {
                return first.empty() || isLogFolder(first.string()) || !isBare(above);
            }
            if (above == root || !above.has_relative_path()) {
                return false;
            }
            first = above.filename();
        }
    }

    bool isBare(const fs::path& run) {
        const auto known = m_bare.find(run);
        if (known != m_bare.end()) {
            return known->second;
        }
        const auto folder = Folder::open(run);
        const auto entries = entriesOf(folder);
        return m_bare.emplace(run, entries && hasBareFilesOnly(*entries)).first->second;
    }

    /// The sources of the histories of the runs below a folder.
    Result<const std::set<fs::path>*> readBelow(const fs::path& folder) {
        const auto [at, isNew] = m_read.try_emplace(folder);
        for (auto run = m_runs.upper_bound(folder);
             isNew && run != m_runs.end() && isBelow(*run, folder); ++run) {
            const auto found = findHistories(*run, m_experiment.path, m_cancel, &m_listings);
            CAIRN_CHECK(m_cancel.check());
            for (std::size_t i = 0; found && i < found->found.size(); ++i) {
                at->second.insert(found->found[i].candidate.path);
            }
        }
        return &at->second;
    }

    const Experiment& m_experiment;
    const CancelToken& m_cancel;
    FolderListings m_listings;
    std::set<fs::path> m_runs;
    std::set<fs::path> m_namesakes; ///< "a" beside "checkpoints/a"
    std::set<fs::path> m_saves;
    std::map<fs::path, bool> m_bare;
    std::map<fs::path, std::set<fs::path>> m_read;
};

} // namespace

void collectLogs(std::vector<FoundLog>& logs, const fs::path& path, const std::string& id,
                 const std::vector<FolderEntry>& entries) {
    if (hasLogs(entries) && logs.size() < kMaxLogs) {
        logs.push_back({id, path});
    }
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::File && isLogDatabase(entry.name)) {
            logs.push_back({id == "." ? entry.name : id + "/" + entry.name, path / entry.name});
        }
    }
}

Result<void> addLogRuns(Experiment& experiment, std::vector<FoundLog> logs,
                        const CancelToken& cancel) {
    std::ranges::sort(logs, {}, &FoundLog::path);
    Owners owners(experiment, cancel);
    std::vector<ScannedRun> added;
    for (const FoundLog& log : logs) {
        // A folder of event files below another one is read with it.
        if (!added.empty() && isBelow(log.path, added.back().path)) {
            continue;
        }
        CAIRN_TRY(const bool owned, owners.has(log));
        if (!owned) {
            added.push_back({log.id, nameOf(log), log.path, {}});
        }
    }
    std::ranges::move(added, std::back_inserter(experiment.runs));
    return {};
}

} // namespace cairn
