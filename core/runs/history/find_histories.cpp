// SPDX-License-Identifier: Apache-2.0
//
// Which files describe a run. The walk goes down from the run's folder, and up from it to the root
// that the caller opened. Down: everything, but for checkpoints, for folders that are runs of their
// own, and for what no log is ever called. Up: the folders that are known to be places of logs.
// What several runs might own is given to none of them: a curve under the wrong run is worse than
// one that has to be opened by hand, and the notice states where it is.
#include "core/formats/format.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/history/history.h"
#include "core/runs/history/history_search.h"
#include "core/runs/history/log_places.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxDepth = 8;
constexpr std::size_t kMaxSearchedFolders = 64; ///< examined sub-folders of a log folder

/// "a.csv" of "a".
bool isStemOf(std::string_view file, std::string_view stem) {
    return file.starts_with(stem) && file.size() > stem.size() && file[stem.size()] == '.' &&
           file.find('.', stem.size() + 1) == std::string_view::npos;
}

bool mayHoldRuns(std::string_view name) {
    return !isNeverLog(name) &&
           std::ranges::any_of(historyReaders(), [&](const HistoryReader* reader) {
               return reader->runsIn != nullptr && reader->mayBe(name);
           });
}

class Finder : private HistorySearch {
public:
    using HistorySearch::finish;
    Finder(FolderListings& listings, const CancelToken& cancel) : HistorySearch(listings, cancel) {}

    /// `file`: `named` after opening.
    Result<void> oneFile(const Location& named, const Location::Opened& file) {
        CAIRN_TRY(const ByteSourcePtr source, file.folder->openFile(file.name));
        CAIRN_TRY(const FolderPtr folder, named.openParent());
        FolderEntry entry{named.path().filename().string(), EntryKind::File, {}};
        entry.identity.size = source->size();
        return offerFile(folder, folder->path(), entry, {});
    }

    /// One of the runs in a file.
    Result<void> heldRun(const Location& named, const Location::Opened& file, std::string id) {
        m_heldRun = std::move(id);
        return oneFile(named, file);
    }

    Result<void> run(const FolderPtr& folder, const fs::path& root) {
        const fs::path& path = folder->path();
        CAIRN_TRY(std::vector<FolderEntry> entries, folder->list(kMaxEntries));
        m_bareFiles = hasBareFilesOnly(entries);
        const bool isRun = hasCheckpoints(entries);
        m_isRun = isRun;
        for (const fs::path& each : path.lexically_relative(root.parent_path())) {
            m_folders.insert(each.string());
        }
        CAIRN_CHECK(searchFolder(folder, ".", folder, path, std::move(entries), 0));
        CAIRN_CHECK(otherSegments(root));
        CAIRN_CHECK(resumedFolders(path, root));
        // A folder with logs that is not a run has no logs elsewhere.
        const bool onlyLogs =
            !isRun && std::ranges::any_of(m_result.found, [&](const FoundHistory& each) {
                return !each.reader->settingsOnly &&
                       (each.candidate.path == path || each.candidate.path.parent_path() == path);
            });
        if (!isRun && !m_holdsOthers && m_result.found.empty()) {
            CAIRN_CHECK(versions());
        }
        return onlyLogs ? Result<void>() : above(path, root);
    }

private:
    /// Lightning's numbered folders, each with its checkpoints, are runs. For their parent folder
    /// they form one history: those that continue each other are joined, the others stay separate.
    /// Models or runs beside them are not part of it.
    Result<void> versions() {
        for (auto& [parent, name, path] : std::exchange(m_versions, {})) {
            CAIRN_TRY(const FolderPtr self, parent->openFolder(name));
            CAIRN_TRY(std::vector<FolderEntry> entries, self->list(kMaxEntries));
            CAIRN_CHECK(searchFolder(parent, name, self, path, std::move(entries), 1));
        }
        return {};
    }

    /// Files of the same training in the folders beside those of the found ones.
    Result<void> otherSegments(const fs::path& root) {
        std::set<fs::path> found; // grows below
        for (const FoundHistory& each : m_result.found) {
            if (each.reader->namesRun && !each.candidate.isFolder) {
                found.insert(each.candidate.path);
            }
        }
        for (const fs::path& file : std::set<fs::path>(found)) {
            const fs::path holder = file.parent_path();
            const fs::path below = holder.lexically_relative(root);
            if (below.empty() || below == "." || *below.begin() == "..") {
                continue;
            }
            const auto beside = m_listings.list(holder.parent_path());
            for (std::size_t i = 0; beside && i < (*beside)->entries.size(); ++i) {
                const FolderEntry& entry = (*beside)->entries[i];
                const fs::path path = holder.parent_path() / entry.name;
                if (entry.kind == EntryKind::Folder && within(1, path) &&
                    !found.contains(path / file.filename())) {
                    CAIRN_CHECK(
                        offerNamed(*(*beside)->folder, path, entry.name, file.filename().string()));
                    found.insert(path / file.filename());
                }
            }
        }
        return {};
    }

    /// The folders of Lightning in which this training was resumed.
    Result<void> resumedFolders(const fs::path& path, const fs::path& root) {
        const fs::path below = path.lexically_relative(root);
        if (!versionNumber(path.filename().string()) || below.empty() || below == "." ||
            *below.begin() == "..") {
            return {};
        }
        fs::path last = path;
        for (const ResumedFolder& each : m_listings.resumedIn(path.parent_path(), m_cancel)) {
            const auto parent = m_listings.list(path.parent_path());
            const std::string name = each.in.path.filename().string();
            const auto self = each.of == last && parent ? (*parent)->folder->openFolder(name)
                                                        : Result<FolderPtr>(Error());
            auto entries = entriesOf(self, kMaxEntries);
            if (entries) {
                last = each.in.path;
                m_result.base = path.parent_path();
                CAIRN_CHECK(
                    searchFolder((*parent)->folder, name, *self, last, std::move(*entries), 1));
            }
        }
        return {};
    }

    /// The file of that name in a folder, if there is one.
    Result<void> offerNamed(const Folder& parent, const fs::path& path, const std::string& folder,
                            const std::string& file) {
        const auto self = parent.openFolder(folder);
        const auto source = self ? (*self)->openFile(file) : Result<ByteSourcePtr>(Error());
        if (!source) {
            return {};
        }
        FolderEntry entry{file, EntryKind::File, {}};
        entry.identity.size = (*source)->size();
        return offerFile(*self, path, entry, {});
    }

    /// The folders above the run, nearest first.
    Result<void> above(const fs::path& run, const fs::path& root) {
        if (run == root) {
            return {};
        }
        std::error_code error;
        const fs::path top = fs::weakly_canonical(root, error);
        fs::path child = error ? fs::path() : fs::weakly_canonical(run, error);
        const std::string runName = child.filename().string();
        bool alone = true;
        for (std::size_t depth = 0; !error && depth < kMaxDepth && child != top; ++depth) {
            const fs::path parent = child.parent_path();
            if (parent == child) {
                return {}; // the run is not below the root
            }
            const fs::path below = parent.lexically_relative(top); // shown as the caller named it
            CAIRN_CHECK(ancestor(below == "." ? root : root / below, child.filename().string(),
                                 runName, alone));
            child = parent;
        }
        return {};
    }

    Result<void> ancestor(const fs::path& path, const std::string& childName,
                          const std::string& runName, bool& alone) {
        CAIRN_CHECK(m_cancel.check());
        const auto listed = m_listings.list(path);
        if (!listed) {
            note(Severity::Info, listed.error());
            return {};
        }
        const auto& [folder, entries] = **listed;
        alone = alone && std::none_of(entries.begin(), entries.end(), [&](const FolderEntry& e) {
                    return e.kind == EntryKind::Folder && e.name != childName &&
                           !e.name.starts_with('.') && !isLogFolder(e.name) && !isSkipped(e.name);
                });
        for (const FolderEntry& entry : entries) {
            const bool isFolder = entry.kind == EntryKind::Folder && entry.name != childName;
            const bool isNamesake = entry.name == runName && isCheckpointFolder(childName);
            if (isFolder && isNamesake) { // checkpoints/a with a/metrics.csv beside it
                CAIRN_CHECK(below(folder, path, entry, 2));
            } else if (isFolder && isLogFolder(entry.name)) {
                CAIRN_CHECK(logsAbove(folder, path, entry, {childName, runName}, alone));
            } else if (entry.kind == EntryKind::File && (alone || mayHoldRuns(entry.name)) &&
                       within(1, path)) {
                m_onlyHeld = !alone;
                CAIRN_CHECK(offerFile(folder, path, entry, {}));
                m_onlyHeld = false;
            }
        }
        return {};
    }

    /// Sub-folders of a log folder that are runs own the logs in it: "lightning_logs".
    static bool hasRuns(const FolderPtr& logs, const std::vector<FolderEntry>& entries) {
        std::size_t looked = 0;
        for (const FolderEntry& entry : entries) {
            if (entry.kind != EntryKind::Folder || ++looked > kMaxSearchedFolders) {
                continue;
            }
            const auto folder = logs->openFolder(entry.name);
            const auto inside = entriesOf(folder, kMaxEntries);
            if (inside && hasCheckpoints(*inside)) {
                return true;
            }
        }
        return false;
    }

    /// A folder with a file that is named by its run, whose id is that name: checkpoints/abc123
    /// with wandb/run-20260101_000000-abc123/run-abc123.wandb.
    static bool isOfId(const FolderPtr& logs, const FolderEntry& entry, std::string_view id) {
        const std::string_view name = entry.name;
        if (entry.kind != EntryKind::Folder || id.empty() || name.size() <= id.size() ||
            !name.ends_with(id) || name[name.size() - id.size() - 1] != '-') {
            return false;
        }
        const auto folder = logs->openFolder(entry.name);
        const auto inside = entriesOf(folder, kMaxEntries);
        const std::string stem = "run-" + std::string(id);
        return inside && std::ranges::any_of(*inside, [&](const FolderEntry& file) {
                   return isStemOf(file.name, stem) &&
                          std::ranges::any_of(historyReaders(), [&](const HistoryReader* reader) {
                              return reader->namesRun && reader->mayBe(file.name);
                          });
               });
    }

    Result<void> logsAbove(const FolderPtr& parent, const fs::path& parentPath,
                           const FolderEntry& logs, const std::array<std::string, 2>& names,
                           bool alone) {
        const auto folder = parent->openFolder(logs.name);
        const auto entries = entriesOf(folder, kMaxEntries);
        if (!entries) {
            note(Severity::Info, entries.error());
            return {};
        }
        bool named = false;
        for (const FolderEntry& entry : *entries) {
            const bool mine = entry.name == names[0] || entry.name == names[1] ||
                              isOfId(*folder, entry, names[0]) || isOfId(*folder, entry, names[1]);
            const bool isFile = entry.kind == EntryKind::File && isStemOf(entry.name, names[1]);
            if (isFile) { // logs/a.csv
                named = true;
                CAIRN_CHECK(offerFile(*folder, parentPath / logs.name, entry, {}));
            }
            if (entry.kind == EntryKind::Folder && mine) {
                named = true;
                CAIRN_CHECK(below(*folder, parentPath / logs.name, entry, 2));
            }
        }
        if (!named && alone) {
            return below(parent, parentPath, logs, 1);
        }
        if (!named && !hasRuns(*folder, *entries)) {
            note(Severity::Info,
                 fail(ErrorCode::HistoryShared,
                      "Logs beside several folders were not assigned to any of them")
                     .inFile((parentPath / logs.name).string())
                     .withHint("Open this folder itself to see its curves"));
        }
        return {};
    }
};

} // namespace

Result<FoundHistories> findHistories(const Location& run, const fs::path& root,
                                     const CancelToken& cancel, FolderListings* above) {
    FolderListings own;
    Finder finder(above != nullptr ? *above : own, cancel);
    auto located = run.open();
    if (!located) {
        const Location file(run.path().parent_path());
        const auto holder = file.open();
        if (!holder || holder->isFolder()) {
            return std::move(located).error();
        }
        CAIRN_CHECK(finder.heldRun(file, *holder, heldRunId(run.path().filename().string())));
        return finder.finish();
    }
    const Location::Opened& opened = *located;
    CAIRN_CHECK(opened.isFolder() ? finder.run(opened.folder, root) : finder.oneFile(run, opened));
    return finder.finish();
}

} // namespace cairn
