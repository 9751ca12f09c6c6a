// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history_search.h"

#include "core/formats/format.h"
#include "core/model/names/file_names.h"
#include "core/runs/history/log_places.h"
#include "core/runs/history/unread_trackers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 5'000; ///< files whose first bytes are read
constexpr std::size_t kMaxNotices = 50;

bool isCheckpoint(const FolderPtr& folder, std::span<const FolderEntry> entries) {
    return bestMatch(candidateOf(folder, entries)) != nullptr;
}

/// Orbax and others name steps by number only: the content of such a folder decides.
bool hasNumberedCheckpoints(const Folder& folder, std::span<const FolderEntry> entries) {
    constexpr int kMostTried = 4;
    int tried = 0;
    for (const FolderEntry& entry : entries) {
        const bool number = entry.kind == EntryKind::Folder &&
                            entry.name.find_first_not_of("0123456789") == std::string::npos;
        if (!number || ++tried > kMostTried) {
            continue;
        }
        const auto inner = folder.openFolder(entry.name);
        const auto inside = entriesOf(inner);
        if (inside && isCheckpoint(*inner, *inside)) {
            return true;
        }
    }
    return false;
}

bool covers(const HistoryReader& reader, std::string_view name) {
    return std::ranges::find(reader.covers, name) != reader.covers.end();
}

} // namespace

bool isSkipped(std::string_view folder) {
    constexpr auto kSkipped = std::to_array<std::string_view>(
        {"__pycache__", "node_modules", "site-packages", "venv", "artifacts"});
    return std::ranges::find(kSkipped, folder) != kSkipped.end();
}

FoundHistories HistorySearch::finish() {
    std::erase_if(m_result.found, [&](const FoundHistory& each) { return isCovered(each); });
    std::ranges::stable_sort(m_result.found, [](const FoundHistory& a, const FoundHistory& b) {
        return naturalLess(a.candidate.path.string(), b.candidate.path.string());
    });
    return std::move(m_result);
}

/// The folder in which names may be covered by a source.
fs::path HistorySearch::holderOf(const FoundHistory& source) {
    return source.candidate.isFolder ? source.candidate.path : source.candidate.path.parent_path();
}

/// A source beside it, or its folder, is read with it or contains the same rows.
bool HistorySearch::isCovered(const FoundHistory& file) const {
    return std::ranges::any_of(m_result.found, [&](const FoundHistory& other) {
        return other.candidate.path != file.candidate.path &&
               covers(*other.reader, file.candidate.name) &&
               file.candidate.path.parent_path() == holderOf(other);
    });
}

void HistorySearch::note(Severity severity, Error error) {
    if (m_result.notices.size() < kMaxNotices) {
        m_result.notices.push_back({severity, std::move(error)});
    }
}

bool HistorySearch::within(std::size_t more, const fs::path& path) {
    m_seen += more;
    if (m_seen > kMaxEntries && !m_reported) {
        m_reported = true;
        note(Severity::Warning,
             fail(ErrorCode::LimitExceeded, "Too many files beside the run; some were not examined")
                 .inFile(path.string()));
    }
    return m_seen <= kMaxEntries;
}

/// One folder: the folder itself is offered first, then its files, then its sub-folders.
Result<void> HistorySearch::searchFolder(const FolderPtr& parent, const std::string& name,
                                         const FolderPtr& self, const fs::path& path,
                                         std::vector<FolderEntry> entries, std::size_t depth) {
    CAIRN_CHECK(m_cancel.check());
    if (!within(entries.size(), path)) {
        return {};
    }
    std::vector<const HistoryReader*> takers;
    for (const HistoryReader* reader : historyReaders()) {
        FoundHistory found;
        found.candidate = {.folder = parent,
                           .name = name,
                           .path = path,
                           .isFolder = true,
                           .head = {},
                           .entries = entries};
        if (!reader->recognises(found.candidate)) {
            continue;
        }
        found.reader = reader;
        found.entries = entries;
        found.candidate.entries = found.entries;
        m_result.found.push_back(std::move(found));
        takers.push_back(reader);
        if (reader->ownsFolder) {
            return {};
        }
    }
    for (const FolderEntry& entry : entries) {
        if (auto unread = unreadTracker(entry, path)) {
            note(Severity::Info, *std::move(unread));
        }
        if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
            CAIRN_CHECK(offerFile(self, path, entry, takers));
        }
    }
    for (const FolderEntry& entry : entries) {
        const bool isRead = std::ranges::any_of(m_result.found, [&](const FoundHistory& each) {
            return covers(*each.reader, entry.name) && holderOf(each) == path;
        });
        if (entry.kind == EntryKind::Folder && depth < kMaxDepth && !isRead) {
            CAIRN_CHECK(below(self, path, entry, depth + 1));
        }
    }
    return {};
}

Result<void> HistorySearch::below(const FolderPtr& parent, const fs::path& parentPath,
                                  const FolderEntry& entry, std::size_t depth) {
    const bool hidden = isHidden(entry.name) && entry.name != ".hydra";
    const bool others = depth == 1 && m_bareFiles && !isLogFolder(entry.name);
    if (hidden || others || isSkipped(entry.name) || namesCheckpoint(entry.name)) {
        return {};
    }
    const fs::path path = parentPath / entry.name;
    const auto self = parent->openFolder(entry.name);
    auto entries = entriesOf(self, kMaxEntries);
    if (!entries) {
        note(Severity::Warning, std::move(entries).error());
        return {};
    }
    const bool own = isCheckpointFolder(entry.name) && depth == 1;
    if (!own && (isCheckpoint(*self, *entries) || hasCheckpoints(*entries) ||
                 hasNumberedCheckpoints(**self, *entries))) {
        if (entry.name.starts_with("version_")) {
            m_versions.push_back({parent, entry.name, path});
        } else {
            m_holdsOthers = true;
        }
        return {};
    }
    return searchFolder(parent, entry.name, *self, path, std::move(*entries), depth);
}

Result<void> HistorySearch::offerFile(const FolderPtr& folder, const fs::path& parent,
                                      const FolderEntry& entry,
                                      const std::vector<const HistoryReader*>& takers) {
    if (isNeverLog(entry.name) || m_files >= kMaxFiles) {
        return {};
    }
    CAIRN_CHECK(m_cancel.check());
    ++m_files;
    auto found = recogniseFile(folder, parent, entry, takers);
    if (!found) {
        if (entry.kind == EntryKind::File) {
            note(Severity::Warning, std::move(found).error());
        }
    } else if (*found && choosesRun(**found)) {
        m_result.found.push_back(*std::move(*found));
    }
    return {};
}

/// Of a file with several runs: those of this run, if its path contains the id; all if this is
/// a folder of logs only; else none.
bool HistorySearch::choosesRun(FoundHistory& file) {
    if (!m_heldRun.empty()) {
        file.candidate.run = m_heldRun;
        return true;
    }
    const std::vector<HeldRun> runs = m_listings.runsIn(file, m_cancel);
    for (const HeldRun& run : runs) {
        if (m_folders.contains(run.id)) {
            file.candidate.run = run.id;
            return true;
        }
    }
    if (m_onlyHeld) {
        return false;
    }
    if (runs.size() > 1 && m_isRun) {
        note(Severity::Info, fail(ErrorCode::HistoryShared,
                                  "A file of several runs was not assigned to any of them")
                                 .inFile(file.candidate.path.string())
                                 .withHint("Open this file itself to see its curves"));
        return false;
    }
    return true;
}

} // namespace cairn
