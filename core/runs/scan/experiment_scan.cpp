// SPDX-License-Identifier: Apache-2.0
//
// One walk, folder by folder, each held by descriptor so that nothing is followed out of the
// experiment. In each folder:
//   1. is the folder itself a checkpoint? Its own probe decides (DCP, Hugging Face, Trainer, …). If
//   so, it is listed and
//      only sub-folders whose names record a position, or the best, are walked (a Trainer's output
//      folder holds the final model and its checkpoint-N folders), and none of those that are such
//      a folder themselves; files that are one save by their names alone (torch_folder) leave its
//      folders to others;
//   2. otherwise its files whose names match a format's globs, or have no ending, are offered to
//   the probes one by one.
// Runs are the folders in which checkpoints are; a folder called "checkpoints", or by a position
// ("step_100") without being a checkpoint itself, counts for the one above it.
// Folders of logs that belong to none of them are runs without checkpoints.
// Links, pointer files and manifests are collected on the way and resolved at the end.
#include "core/runs/scan/experiment_scan.h"

#include "core/formats/checkpoint_names.h"
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/io/location.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/history/log_places.h"
#include "core/runs/history/unread_trackers.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/listed_runs.h"
#include "core/runs/scan/log_runs.h"
#include "core/runs/scan/scan_names.h"
#include "core/runs/scan/scan_relations.h"
#include "core/runs/scan/scan_size.h"

#include <algorithm>
#include <map>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNotices = 100;

/// A "*.zip" can contain anything: only the formats that use this extension are accepted.
bool isPlausible(std::string_view name, const Result<const FormatInfo*>& format) {
    constexpr std::string_view kAny = "*.zip";
    return !name.ends_with(kAny.substr(1)) ||
           (format && std::ranges::find((*format)->globs, kAny) != (*format)->globs.end());
}

/// A file with a checkpoint's extension that is known other content gets a row; other invalid files
/// do not.
bool seemsDamaged(std::string_view name, const Error& error) {
    if (name.find('.') == std::string_view::npos) {
        return false;
    }
    return error.code == ErrorCode::EmptyFile || error.code == ErrorCode::ZeroFilled ||
           error.code == ErrorCode::LfsPointer || error.code == ErrorCode::HtmlPage;
}

/// Also null for a folder that is a series of checkpoints, each of which gets its own row.
const FormatInfo* formatOf(const FolderPtr& folder, const std::vector<FolderEntry>& entries) {
    const Candidate candidate = candidateOf(folder, entries);
    const FormatInfo* format = bestMatch(candidate);
    const bool series =
        format != nullptr && format->isSeries != nullptr && format->isSeries(candidate);
    return series ? nullptr : format;
}

bool isOfFormat(const FolderPtr& folder, std::string_view file, const FormatInfo* format) {
    const auto detected = detectFormat(folder, file);
    return detected && *detected == format;
}

/// A folder that the scan visits.
struct WalkedFolder {
    FolderPtr folder;
    fs::path path;
    std::string id; ///< path below the experiment, "." for the experiment itself
    std::size_t depth = 0;
    bool inside = false; ///< inside a checkpoint that was recognised by the position in its name
    std::vector<FolderEntry> entries = {};
};

/// The parts of a folder that are still to be examined.
enum class Remaining : std::uint8_t {
    Everything, ///< it is not a checkpoint itself
    Folders,    ///< its files are one save, its sub-folders are independent
    Positions,  ///< folders whose names record a position
    Saves,      ///< the same, and files whose names record one
};

class Scanner {
public:
    Scanner(const Location& named, const CancelToken& cancel, const ScanLimits& limits)
        : m_named(named), m_cancel(cancel), m_limits(limits),
          m_runs(named.path(), limits.unfinishedNs) {
        m_experiment.path = named.path();
        m_experiment.name = lastName(named.path());
    }

    Result<Experiment> scan(Result<Location::Listed> listed) {
        if (!listed || !listed->place.isFolder()) {
            return scanFile(std::move(listed));
        }
        CAIRN_CHECK(m_cancel.check());
        CAIRN_CHECK(visit({std::move(listed->place.folder), m_named.path(), ".", 0, false,
                           std::move(listed->entries)}));
        m_experiment.isCheckpoint = m_rootIsCheckpoint && m_runs.isSingle();
        return finish();
    }

private:
    /// Scans a checkpoint that is one file, or several with a common name.
    Result<Experiment> scanFile(Result<Location::Listed> listed) {
        const std::vector<fs::path> files = listed ? std::vector<fs::path>() : filesOfSave(m_named);
        Probed probed = probeLocation(m_named, std::move(listed));
        if (probed.problem) {
            return *std::move(probed.problem);
        }
        ByteSourcePtr first = probed.request.source;
        if (first == nullptr) { // known by the names of its files only
            CAIRN_TRY(const Location::Opened opened, Location(files.front()).open());
            CAIRN_TRY(first, opened.folder->openFile(opened.name));
        }
        ScannedSize size{first->size(), std::max<std::uint64_t>(files.size(), 1),
                         first->identity().mtimeNs};
        for (std::size_t i = 1; i < files.size(); ++i) {
            std::error_code error;
            const auto bytes = fs::file_size(files[i], error);
            size.bytes += error ? 0 : bytes;
        }
        m_runs.add(".", m_named.path(), probed.format, size);
        m_experiment.isCheckpoint = true;
        CAIRN_TRY(Experiment experiment, finish());
        experiment.runs.front().path = m_named.path().parent_path();
        return experiment;
    }

    void note(Severity severity, Error error) {
        if (m_experiment.notices.size() < kMaxNotices) {
            m_experiment.notices.push_back({severity, std::move(error)});
        }
    }

    Result<void> walk(WalkedFolder here) {
        CAIRN_CHECK(m_cancel.check());
        auto entries = here.folder->list();
        if (!entries) {
            note(Severity::Warning, std::move(entries).error());
            return {};
        }
        here.entries = std::move(*entries);
        return visit(here);
    }

    Result<void> visit(const WalkedFolder& here) {
        m_seen += here.entries.size();
        if (m_seen > m_limits.maxEntries || here.depth > m_limits.maxDepth) {
            note(Severity::Warning,
                 fail(ErrorCode::LimitExceeded,
                      "The folder is too large or too deep to be listed completely")
                     .inFile(here.path.string()));
            return {};
        }
        collectManifests(m_relations, here.path, here.entries);
        collectLogs(m_logs, here.path, here.id, here.entries);
        for (const FolderEntry& entry : here.entries) {
            if (auto unread = unreadTracker(entry, here.path)) {
                note(Severity::Info, *std::move(unread));
            }
        }
        m_listed.clear();
        const Remaining remaining = addFolder(here);
        const bool isCheckpoint =
            remaining == Remaining::Positions || remaining == Remaining::Saves;
        if ((!isCheckpoint || here.depth == 0) &&
            m_experiment.folders.size() < Experiment::kMaxFolders) {
            m_experiment.folders.push_back(here.path);
        }
        if ((remaining == Remaining::Everything || remaining == Remaining::Saves) && !here.inside) {
            collectRelations(m_relations, here.path, here.id, here.entries);
            CAIRN_CHECK(addFiles(here, remaining));
        }
        return walkInner(here, isCheckpoint);
    }

    Result<void> walkInner(const WalkedFolder& here, bool isCheckpoint) {
        const bool isStep =
            isPositionFolder(lastName(here.path)); // checkpoint-500 with DeepSpeed's global_step500
        for (const FolderEntry& entry : here.entries) {
            if (entry.kind != EntryKind::Folder || isHidden(entry.name) ||
                isSkippedFolder(entry.name) || isBlobFolder(entry.name, here.entries)) {
                continue;
            }
            const NamedPosition position = positionFromName(entry.name);
            const bool named = position.step || position.epoch || isBestOrLastName(entry.name);
            if (isCheckpoint && (!named || here.inside || isStep)) {
                continue;
            }
            if (auto inner = here.folder->openFolder(entry.name)) {
                const std::string below = here.id == "." ? entry.name : here.id + "/" + entry.name;
                CAIRN_CHECK(
                    walk({*inner, here.path / entry.name, below, here.depth + 1, isCheckpoint}));
            } else {
                note(Severity::Warning, std::move(inner).error());
            }
        }
        return {};
    }

    /// Several checkpoints of several files each in one folder: adds a row for each. False: there
    /// are none. Entries that are checkpoints only by name stay among the files.
    bool addSaves(const FormatInfo* format, const WalkedFolder& here) {
        std::map<std::string_view, const FolderEntry*> byName;
        for (const FolderEntry& entry : here.entries) {
            byName.emplace(entry.name, &entry);
        }
        bool any = false;
        for (const NamedSave& save : format->savesIn(here.entries)) {
            std::vector<const FolderEntry*> files;
            for (const std::string& name : save.files) {
                files.push_back(byName.at(name));
            }
            if (std::ranges::all_of(
                    files, [](const FolderEntry* file) { return file->kind == EntryKind::Link; })) {
                continue; // another name of an entry that is listed elsewhere
            }
            any = true;
            if (save.hasIndex && !isOfFormat(here.folder, save.files.front(), format)) {
                continue;
            }
            ScannedSize size;
            for (const FolderEntry* file : files) {
                size.bytes += file->identity.size;
                size.modifiedNs = std::max(size.modifiedNs, file->identity.mtimeNs);
                ++size.files;
                m_listed.insert(file->name);
            }
            m_runs.add(here.id, here.path / save.name, format, size);
            m_relations.files.emplace(
                here.path / save.name,
                FileKey{files.front()->identity.device, files.front()->identity.inode});
        }
        return any;
    }

    /// Like addSaves() with the folder's format, or with any format that recognises saves in a
    /// folder without one.
    bool addSavesOf(const FormatInfo* format, const WalkedFolder& here) {
        bool any = false;
        for (const FormatInfo* each : builtinFormats()) {
            if (each->savesIn != nullptr && (format == nullptr || each == format)) {
                any = addSaves(each, here) || any;
            }
        }
        return any;
    }

    Remaining addFolder(const WalkedFolder& here) {
        const FormatInfo* format = formatOf(here.folder, here.entries);
        const std::string name = lastName(here.path);
        // A folder with the temporary name of an unfinished save is that save, even if it looks
        // like several.
        if (!looksTemporary(name) && addSavesOf(format, here)) {
            return Remaining::Everything;
        }
        // An unfinished save may not be recognisable yet.
        const bool begun =
            format == nullptr && here.depth > 0 && !here.entries.empty() && looksTemporary(name);
        if (format == nullptr && !begun) {
            return Remaining::Everything;
        }
        m_rootIsCheckpoint = m_rootIsCheckpoint || here.depth == 0;
        const std::size_t slash = here.id.rfind('/');
        const std::string parent = slash == std::string::npos ? "." : here.id.substr(0, slash);
        // Files without a trainer's index: the folder is a run with one save, unless its name
        // records a position in a run.
        const bool isRun = format != nullptr && format->folderIsRun && !isPositionFolder(name) &&
                           !isBestOrLastName(name) &&
                           !name.starts_with("CKPT+"); // a save of SpeechBrain, named by its time
        // "model.safetensors" next to "ckpt_100.pt" or "checkpoint-100" is the final model of the
        // run in this folder, and not part of the saves.
        const bool hasSaves = format != nullptr && !isRun && !isPositionFolder(name) &&
                              std::ranges::any_of(here.entries, isPosition);
        const ScannedSize size = sizeOfFolder(*here.folder, here.entries, isRun ? 0 : kSizedLevels);
        ScannedCheckpoint& checkpoint =
            m_runs.add(isRun || hasSaves ? here.id : parent, here.path, format, size);
        if (std::ranges::any_of(here.entries, isAdapterConfig)) {
            m_runs.noteAdapter(checkpoint);
        }
        if (format != nullptr && !format->lastFile.empty()) {
            m_runs.assessIndex(checkpoint, format->lastFile, here.entries);
        }
        return isRun ? Remaining::Folders : hasSaves ? Remaining::Saves : Remaining::Positions;
    }

    /// Ray Tune writes a trial's settings twice beside its results: params.json and params.pkl.
    /// Alone, a file of that name may be a model of JAX.
    static bool isTrialConfig(const WalkedFolder& here, std::string_view name) {
        const auto has = [&](std::string_view wanted) {
            return std::ranges::find(here.entries, wanted, &FolderEntry::name) !=
                   here.entries.end();
        };
        return name == "params.pkl" && has("params.json") && has("result.json");
    }

    Result<void> addFiles(const WalkedFolder& here, Remaining remaining) {
        for (const FolderEntry& entry : here.entries) {
            CAIRN_CHECK(m_cancel.check());
            const bool candidate = (remaining != Remaining::Saves || isPositionFile(entry)) &&
                                   entry.kind == EntryKind::File && !entry.name.starts_with('.') &&
                                   !m_listed.contains(entry.name) && !isArrayOfData(entry.name) &&
                                   !isStateFile(entry.name) && !isTrialConfig(here, entry.name) &&
                                   (mayBeCheckpoint(entry.name) || looksTemporary(entry.name));
            if (candidate) {
                addFile(here, entry);
            }
        }
        return {};
    }

    void addFile(const WalkedFolder& here, const FolderEntry& entry) {
        const fs::path file = here.path / entry.name;
        const ScannedSize size{entry.identity.size, 1, entry.identity.mtimeNs};
        const auto format = detectFormat(here.folder, entry.name);
        if (!isPlausible(entry.name, format)) {
            return;
        }
        if (format) {
            m_runs.add(here.id, file, *format, size);
            m_relations.files.emplace(file, FileKey{entry.identity.device, entry.identity.inode});
        } else if (seemsDamaged(entry.name, format.error())) {
            ScannedCheckpoint& broken = m_runs.add(here.id, file, nullptr, size);
            if (broken.state == CheckpointState::Unknown) {
                broken.state = CheckpointState::Damaged;
                broken.reason = format.error().message;
            }
        }
    }

    Result<Experiment> finish() {
        m_runs.joinFinalModels(m_relations);
        FolderListings listings;
        m_runs.joinResumed(m_relations, listings, m_cancel);
        CAIRN_CHECK(m_cancel.check());
        m_experiment.runs = m_runs.take();
        findSaveCounts(m_experiment.runs);
        CAIRN_CHECK(addLogRuns(m_experiment, std::move(m_logs), listings, m_cancel));
        std::ranges::sort(m_experiment.runs, [](const ScannedRun& a, const ScannedRun& b) {
            return naturalLess(a.id, b.id);
        });
        relate(m_experiment, m_relations);
        for (ScannedRun& run : m_experiment.runs) {
            markFinalModels(run);
            for (ScannedCheckpoint& each : run.checkpoints) {
                each.listedState = each.state;
            }
            settleRun(run);
        }
        return std::move(m_experiment);
    }

    const Location& m_named;
    const CancelToken& m_cancel;
    const ScanLimits& m_limits;
    Experiment m_experiment;
    ListedRuns m_runs;
    FoundRelations m_relations;
    std::vector<FoundLog> m_logs;
    std::set<std::string> m_listed; ///< files of the visited folder that are parts of saves
    std::size_t m_seen = 0;
    bool m_rootIsCheckpoint = false;
};

} // namespace

Result<Experiment> scanExperiment(const Location& named, const CancelToken& cancel,
                                  const ScanLimits& limits) {
    return scanExperiment(named, named.list(), cancel, limits);
}

Result<Experiment> scanExperiment(const Location& named, Result<Location::Listed> listed,
                                  const CancelToken& cancel, const ScanLimits& limits) {
    return Scanner(named, cancel, limits).scan(std::move(listed));
}

} // namespace cairn
