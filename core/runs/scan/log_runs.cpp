// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/log_runs.h"

#include "core/model/names/file_names.h"
#include "core/model/names/metric_words.h"
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
    Owners(const Experiment& experiment, FolderListings& listings, const CancelToken& cancel)
        : m_experiment(experiment), m_cancel(cancel), m_listings(listings) {
        for (const ScannedRun& run : experiment.runs) {
            m_runs.insert(withoutSlash(run.path));
            for (const ResumedIn& each : run.resumedIn) {
                m_runs.insert(each.path);
            }
            const fs::path parent = run.path.parent_path();
            if (isCheckpointFolder(parent.filename().string())) {
                m_namesakes.insert(parent.parent_path() / run.path.filename());
            }
            for (const ScannedCheckpoint& each : run.checkpoints) {
                m_saves.insert(each.path);
            }
        }
    }

    [[nodiscard]] bool isSave(const fs::path& log) const { return m_saves.contains(log); }

    Result<bool> has(const FoundLog& log) {
        if (isSave(log.path) || isReadFromAbove(log.path)) {
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
    FolderListings& m_listings;
    std::set<fs::path> m_runs;
    std::set<fs::path> m_namesakes; ///< "a" beside "checkpoints/a"
    std::set<fs::path> m_saves;
    std::map<fs::path, bool> m_bare;
    std::map<fs::path, std::set<fs::path>> m_read;
};

/// Whether a reader may recognise a file of that name as a log.
bool mayBeLog(std::string_view name) {
    return !isNeverLog(name) &&
           std::ranges::any_of(historyReaders(), [&](const HistoryReader* reader) {
               return !reader->settingsOnly && reader->mayBe(name);
           });
}

constexpr std::size_t kMostProbed = 200; ///< files whose first bytes are read, of a folder

/// The logs that are directly in a folder.
struct LogsIn {
    const HistoryReader* reader = nullptr; ///< of one of them
    std::string runFile = {};              ///< the file of that reader, if it is named by its run
    std::vector<FoundHistory> ofSeveral;   ///< files with several runs
};

LogsIn logsIn(const FoundLog& log, FolderListings& listings, const CancelToken& cancel) {
    LogsIn result;
    const auto folder = Folder::open(log.path);
    const auto entries = entriesOf(folder);
    if (!entries) {
        return result;
    }
    const HistoryCandidate self{.folder = *folder,
                                .name = ".",
                                .path = log.path,
                                .isFolder = true,
                                .head = {},
                                .entries = *entries};
    for (const HistoryReader* reader : historyReaders()) {
        if (!reader->settingsOnly && reader->recognises(self)) {
            result.reader = reader;
            return result;
        }
    }
    std::size_t probed = 0;
    for (const FolderEntry& entry : *entries) {
        if (entry.kind != EntryKind::File || !mayBeLog(entry.name)) {
            continue;
        }
        if (++probed > kMostProbed) {
            break;
        }
        auto found = recogniseFile(*folder, log.path, entry);
        if (!found || !*found || (*found)->reader->settingsOnly) {
            continue;
        }
        const HistoryReader* reader = (*found)->reader;
        if (reader->runsIn != nullptr && !listings.runsIn(**found, cancel).empty()) {
            result.ofSeveral.push_back(*std::move(*found));
        } else if (result.reader == nullptr) {
            result.reader = reader;
            result.runFile = reader->namesRun ? entry.name : std::string();
        }
    }
    return result;
}

/// Runs in a file that are not of a run with checkpoints. Those that are give it their name.
void addHeldRuns(const FoundLog& log, const FoundHistory& file, const std::vector<HeldRun>& held,
                 Experiment& experiment, std::vector<ScannedRun>& added) {
    std::map<std::string, ScannedRun*> owners;
    for (ScannedRun& run : experiment.runs) {
        for (const fs::path& each : fs::path(run.id)) {
            owners.emplace(each.string(), &run);
        }
    }
    const std::string id = log.id == "." ? file.candidate.name : log.id + "/" + file.candidate.name;
    for (const HeldRun& run : held) {
        const auto owner = owners.find(run.id);
        if (owner != owners.end()) {
            owner->second->name = run.name;
        } else {
            const std::string name = heldRunName(run.id);
            added.push_back({id + "/" + name, run.name, file.candidate.path / name, {}});
        }
    }
}

/// A folder that a reader recognises as logs.
struct FoundRun {
    FoundLog log;
    const HistoryReader* reader;
    std::string runFile; ///< as LogsIn
};

/// Folders side by side with files of one run are one run: the first.
void joinSegments(std::vector<FoundRun>& found) {
    std::set<std::pair<fs::path, std::string>> known;
    std::erase_if(found, [&](const FoundRun& run) {
        return !run.runFile.empty() &&
               !known.emplace(run.log.path.parent_path(), run.runFile).second;
    });
}

/// The folders of one training's data sets ("train" and "validation" of Keras' callback) are one
/// run: the folder that contains them.
void joinSplits(std::vector<FoundRun>& found) {
    struct Splits {
        std::string id; ///< of the folder
        bool training = false;
        bool heldOut = false;
    };
    std::map<fs::path, Splits> splits;
    const auto splitOf = [](const FoundRun& run) {
        const std::string name = run.log.path.filename().string();
        return run.log.id == "." || !names::isSplitWord(name) ? names::Split::None
                                                              : names::splitOf(name);
    };
    for (const FoundRun& run : found) {
        const std::string above = fs::path(run.log.id).parent_path().string();
        Splits& splitsAbove = splits[run.log.path.parent_path()];
        splitsAbove.id = above.empty() ? "." : above;
        splitsAbove.training = splitsAbove.training || splitOf(run) == names::Split::Training;
        splitsAbove.heldOut = splitsAbove.heldOut || splitOf(run) == names::Split::HeldOut;
    }
    for (FoundRun& run : found) {
        const Splits& above = splits[run.log.path.parent_path()];
        if (above.training && above.heldOut && splitOf(run) != names::Split::None) {
            run.log = {above.id, run.log.path.parent_path()};
        }
    }
    std::ranges::stable_sort(found, {}, [](const FoundRun& run) { return run.log.path; });
    const auto repeated =
        std::unique(found.begin(), found.end(),
                    [](const FoundRun& a, const FoundRun& b) { return a.log.path == b.log.path; });
    found.erase(repeated, found.end());
}

/// A text log above the folders of several runs is of none of them, and not a run that they are
/// parts of. Event files are read with those below them, as in TensorBoard.
void eraseAboveRuns(std::vector<FoundRun>& found) {
    std::vector<FoundRun> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const fs::path& path = found[i].log.path;
        std::set<fs::path> below;
        for (std::size_t j = i + 1; j < found.size() && below.size() < 2; ++j) {
            const fs::path inner = found[j].log.path.lexically_relative(path);
            if (inner.empty() || *inner.begin() == "..") {
                break; // paths are sorted by components
            }
            if (!isLogFolder(inner.begin()->string())) {
                below.insert(*inner.begin());
            }
        }
        if (below.size() < 2 || found[i].reader->id == "tensorboard") {
            kept.push_back(std::move(found[i]));
        }
    }
    found = std::move(kept);
}

} // namespace

void collectLogs(std::vector<FoundLog>& logs, const fs::path& path, const std::string& id,
                 const std::vector<FolderEntry>& entries) {
    const bool maybe = std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::File ? mayBeLog(entry.name) || entry.name == "meta.yaml"
                                             : false;
    });
    if (maybe && logs.size() < kMaxLogs) {
        logs.push_back({id, path});
    }
}

void findSaveCounts(std::vector<ScannedRun>& runs) {
    for (ScannedRun& run : runs) {
        const bool mayCount =
            std::ranges::any_of(run.checkpoints, [](const ScannedCheckpoint& each) {
                return each.named.mayCountSaves;
            });
        const auto folder = mayCount ? Folder::open(run.path) : Result<FolderPtr>(Error());
        for (const HistoryReader* reader : historyReaders()) {
            for (const std::string_view name : reader->countsSaves) {
                const FolderEntry entry{std::string(name), EntryKind::File, {}};
                const auto found = folder && run.savesCountedBy.empty()
                                       ? recogniseFile(*folder, run.path, entry)
                                       : Result<std::optional<FoundHistory>>(Error());
                if (found && *found && (*found)->reader == reader) {
                    run.savesCountedBy = (*found)->candidate.path;
                }
            }
        }
    }
}

Result<void> addLogRuns(Experiment& experiment, std::vector<FoundLog> logs,
                        FolderListings& listings, const CancelToken& cancel) {
    std::ranges::sort(logs, {}, &FoundLog::path);
    Owners owners(experiment, listings, cancel);
    std::vector<FoundRun> found;
    std::vector<ScannedRun> held;
    for (FoundLog& log : logs) {
        CAIRN_CHECK(cancel.check());
        if (owners.isSave(log.path)) {
            continue;
        }
        const LogsIn in = logsIn(log, listings, cancel);
        for (const FoundHistory& file : in.ofSeveral) {
            const std::vector<HeldRun> runs = listings.runsIn(file, cancel);
            // A file of one run beside checkpoints is that run's history.
            CAIRN_TRY(const bool owned, runs.size() == 1 ? owners.has(log) : Result<bool>(false));
            if (!owned) {
                addHeldRuns(log, file, runs, experiment, held);
            }
        }
        if (in.reader != nullptr) {
            found.push_back({std::move(log), in.reader, in.runFile});
        }
    }
    joinSegments(found);
    joinSplits(found);
    eraseAboveRuns(found);
    std::vector<ScannedRun> added;
    for (const FoundRun& run : found) {
        // A folder of event files below another one is read with it.
        if (!added.empty() && isBelow(run.log.path, added.back().path)) {
            continue;
        }
        CAIRN_TRY(const bool owned, owners.has(run.log));
        if (!owned) {
            added.push_back({run.log.id, nameOf(run.log), run.log.path, {}});
        }
    }
    std::ranges::move(added, std::back_inserter(experiment.runs));
    std::ranges::move(held, std::back_inserter(experiment.runs));
    return {};
}

} // namespace cairn
