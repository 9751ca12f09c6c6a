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
#include "core/runs/experiment_scan.h"

#include "core/formats/checkpoint_names.h"
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/io/location.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/history/log_places.h"
#include "core/runs/log_runs.h"
#include "core/runs/ranking.h"
#include "core/runs/scan_names.h"
#include "core/runs/scan_relations.h"
#include "core/runs/scan_size.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNotices = 100;
constexpr std::size_t kMaxRelations = 100'000; // links, pointers and manifests each
/// A temporary name that is older than this is an abandoned save.
constexpr std::int64_t kAbandonedNs = 3'600'000'000'000;

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Files without an ending may be checkpoints, too.
bool mayBeCheckpoint(std::string_view name) {
    return name.find('.') == std::string_view::npos || namesACheckpoint(name);
}

/// A "*.zip" can contain anything: only the formats that use this extension are accepted.
bool isPlausible(std::string_view name, const Result<const FormatInfo*>& format) {
    constexpr std::string_view kAny = "*.zip";
    return !name.ends_with(kAny.substr(1)) ||
           (format && std::ranges::find((*format)->globs, kAny) != (*format)->globs.end());
}

/// "ckpt_100.pt": one position of a run by its complete name.
bool isPositionFile(const FolderEntry& entry) {
    return entry.kind == EntryKind::File && namesACheckpoint(entry.name) &&
           isPositionFolder(entry.name.substr(0, entry.name.find('.')));
}

/// The same, or a folder "checkpoint-100" that is one.
bool isPosition(const FolderEntry& entry) {
    return isPositionFile(entry) ||
           (entry.kind == EntryKind::Folder && isPositionFolder(entry.name));
}

class Scanner {
public:
    Scanner(const CancelToken& cancel, const ScanLimits& limits)
        : m_cancel(cancel), m_limits(limits) {}

    Result<Experiment> scan(const Location& named) {
        const fs::path& path = named.path();
        m_experiment.path = path;
        m_experiment.name = nameOf(path);
        const std::vector<fs::path> files = filesOfSave(named);
        CAIRN_TRY(const Location::Opened opened,
                  (files.empty() ? named : Location(files.front())).open());
        if (!opened.isFolder()) {
            CAIRN_TRY(const FormatInfo* format, detectFormat(named));
            CAIRN_TRY(const ByteSourcePtr first, opened.folder->openFile(opened.name));
            ScannedSize size{first->size(), std::max<std::uint64_t>(files.size(), 1),
                             first->identity().mtimeNs};
            for (std::size_t i = 1; i < files.size(); ++i) {
                std::error_code error;
                const auto bytes = fs::file_size(files[i], error);
                size.bytes += error ? 0 : bytes;
            }
            ScannedCheckpoint& only = add(".", path, format, size);
            only.name = nameOf(path);
            m_runs.begin()->second.path = path.parent_path();
            m_experiment.isCheckpoint = true;
            return finish();
        }
        CAIRN_CHECK(walk(opened.folder, path, ".", 0, false));
        m_experiment.isCheckpoint = m_rootIsCheckpoint && m_runs.size() == 1 &&
                                    m_runs.begin()->second.checkpoints.size() == 1;
        return finish();
    }

private:
    /// What of a folder is still to be examined.
    enum class Remaining : std::uint8_t {
        Everything, ///< it is not a checkpoint itself
        Folders,    ///< its files are one save; what is in its folders has no part in it
        Positions,  ///< folders whose names record a position
        Saves,      ///< the same, and files whose names do
    };

    static std::string nameOf(const fs::path& path) {
        const fs::path plain = path.lexically_normal();
        const std::string name = plain.has_filename() ? plain.filename().string()
                                                      : plain.parent_path().filename().string();
        if (!name.empty() && name != "." && name != "..") {
            return name;
        }
        std::error_code error;
        const fs::path real = fs::canonical(path, error);
        return error ? path.string() : real.filename().string();
    }

    void note(Severity severity, Error error) {
        if (m_experiment.notices.size() < kMaxNotices) {
            m_experiment.notices.push_back({severity, std::move(error)});
        }
    }

    /// `id`: where the folder is below the experiment; `inside`: a checkpoint whose name stated its
    /// position holds it.
    Result<void> walk(const FolderPtr& folder, const fs::path& path, const std::string& id,
                      std::size_t depth, bool inside) {
        CAIRN_CHECK(m_cancel.check());
        auto entries = folder->list();
        if (!entries) {
            if (depth == 0) {
                return std::move(entries).error();
            }
            note(Severity::Warning, std::move(entries).error());
            return {};
        }
        m_seen += entries->size();
        if (m_seen > m_limits.maxEntries || depth > m_limits.maxDepth) {
            note(Severity::Warning,
                 fail(ErrorCode::LimitExceeded,
                      "The folder is too large or too deep to be listed completely")
                     .inFile(path.string()));
            return {};
        }
        collectManifests(path, *entries);
        collectLogs(path, id, *entries);
        m_listed.clear();
        const Remaining remaining = addFolder(folder, path, id, depth, *entries);
        if (((remaining != Remaining::Positions && remaining != Remaining::Saves) || depth == 0) &&
            m_experiment.folders.size() < Experiment::kMaxFolders) {
            m_experiment.folders.push_back(path);
        }
        const bool isCheckpoint =
            remaining == Remaining::Positions || remaining == Remaining::Saves;
        if ((remaining == Remaining::Everything || remaining == Remaining::Saves) && !inside) {
            collectRelations(path, id, *entries);
            CAIRN_CHECK(addFiles(folder, path, id, *entries, remaining == Remaining::Saves));
        }
        return walkInner(*folder, path, id, depth, isCheckpoint, inside, *entries);
    }

    Result<void> walkInner(const Folder& folder, const fs::path& path, const std::string& id,
                           std::size_t depth, bool isCheckpoint, bool inside,
                           const std::vector<FolderEntry>& entries) {
        const bool isStep =
            isPositionFolder(nameOf(path)); // checkpoint-500 with DeepSpeed's global_step500
        for (const FolderEntry& entry : entries) {
            if (entry.kind != EntryKind::Folder || entry.name.starts_with('.') ||
                isSkippedFolder(entry.name)) {
                continue;
            }
            const NamedPosition position = positionFromName(entry.name);
            const bool named = position.step || position.epoch || isBestOrLastName(entry.name);
            if (isCheckpoint && (!named || inside || isStep)) {
                continue;
            }
            if (auto inner = folder.openFolder(entry.name)) {
                const std::string below = id == "." ? entry.name : id + "/" + entry.name;
                CAIRN_CHECK(walk(*inner, path / entry.name, below, depth + 1, isCheckpoint));
            } else {
                note(Severity::Warning, std::move(inner).error());
            }
        }
        return {};
    }

    /// Also null for a folder that is a series of checkpoints, each of which gets its own row.
    static const FormatInfo* formatOf(const FolderPtr& folder,
                                      const std::vector<FolderEntry>& entries) {
        const Candidate candidate = candidateOf(folder, entries);
        const FormatInfo* format = bestMatch(candidate);
        const bool series =
            format != nullptr && format->isSeries != nullptr && format->isSeries(candidate);
        return series ? nullptr : format;
    }

    static bool isOfFormat(const FolderPtr& folder, std::string_view file,
                           const FormatInfo* format) {
        const auto detected = detectFormat(folder, file);
        return detected && *detected == format;
    }

    /// Several checkpoints in one folder, each of several files: a row for each. False: there are
    /// none. What only its name makes one stays among the files.
    bool addSaves(const FormatInfo* format, const FolderPtr& folder, const fs::path& path,
                  const std::string& id, const std::vector<FolderEntry>& entries) {
        std::map<std::string_view, const FolderEntry*> byName;
        for (const FolderEntry& entry : entries) {
            byName.emplace(entry.name, &entry);
        }
        bool any = false;
        for (const NamedSave& save : format->savesIn(entries)) {
            std::vector<const FolderEntry*> files;
            for (const std::string& name : save.files) {
                files.push_back(byName.at(name));
            }
            if (std::ranges::all_of(
                    files, [](const FolderEntry* file) { return file->kind == EntryKind::Link; })) {
                continue; // another name of what is listed where it is
            }
            any = true;
            if (save.hasIndex && !isOfFormat(folder, save.files.front(), format)) {
                continue;
            }
            ScannedSize size;
            for (const FolderEntry* file : files) {
                size.bytes += file->identity.size;
                size.modifiedNs = std::max(size.modifiedNs, file->identity.mtimeNs);
                ++size.files;
                m_listed.insert(file->name);
            }
            add(id, path / save.name, format, size);
            m_relations.files.emplace(path / save.name, FileKey{files.front()->identity.device,
                                                                files.front()->identity.inode});
        }
        return any;
    }

    /// As addSaves, of the folder's format, or of whichever knows some in a folder of nothing.
    bool addSavesOf(const FormatInfo* format, const FolderPtr& folder, const fs::path& path,
                    const std::string& id, const std::vector<FolderEntry>& entries) {
        bool any = false;
        for (const FormatInfo* each : builtinFormats()) {
            if (each->savesIn != nullptr && (format == nullptr || each == format)) {
                any = addSaves(each, folder, path, id, entries) || any;
            }
        }
        return any;
    }

    Remaining addFolder(const FolderPtr& folder, const fs::path& path, const std::string& id,
                        std::size_t depth, const std::vector<FolderEntry>& entries) {
        const FormatInfo* format = formatOf(folder, entries);
        // The folder of a save that continues is that save, whatever is in it.
        if (!looksTemporary(nameOf(path)) && addSavesOf(format, folder, path, id, entries)) {
            return Remaining::Everything;
        }
        // An unfinished save may not be recognisable yet.
        const bool begun =
            format == nullptr && depth > 0 && !entries.empty() && looksTemporary(nameOf(path));
        if (format == nullptr && !begun) {
            return Remaining::Everything;
        }
        m_rootIsCheckpoint = m_rootIsCheckpoint || depth == 0;
        const std::size_t slash = id.rfind('/');
        const std::string parent = slash == std::string::npos ? "." : id.substr(0, slash);
        // Files that are together without a trainer's index: the folder is a run with one save,
        // unless its name states which one of a run.
        const bool isRun = format != nullptr && format->folderIsRun &&
                           !isPositionFolder(nameOf(path)) && !isBestOrLastName(nameOf(path)) &&
                           !nameOf(path).starts_with("CKPT+"); // SpeechBrain's, by its time
        // "model.safetensors" beside "ckpt_100.pt" or "checkpoint-100": the final model of the run
        // that this folder is, which has no part in the saves.
        const bool hasSaves = format != nullptr && !isRun && !isPositionFolder(nameOf(path)) &&
                              std::ranges::any_of(entries, isPosition);
        const ScannedSize size = sizeOfFolder(*folder, isRun ? 0 : kSizedLevels);
        ScannedCheckpoint& checkpoint = add(isRun || hasSaves ? id : parent, path, format, size);
        if (format != nullptr && !format->lastFile.empty()) {
            assessIndex(checkpoint, format->lastFile, entries);
        }
        return isRun ? Remaining::Folders : hasSaves ? Remaining::Saves : Remaining::Positions;
    }

    Result<void> addFiles(const FolderPtr& folder, const fs::path& path, const std::string& id,
                          const std::vector<FolderEntry>& entries, bool onlyPositions) {
        for (const FolderEntry& entry : entries) {
            CAIRN_CHECK(m_cancel.check());
            const bool candidate = (!onlyPositions || isPositionFile(entry)) &&
                                   entry.kind == EntryKind::File && !entry.name.starts_with('.') &&
                                   !m_listed.contains(entry.name) && !isArrayOfData(entry.name) &&
                                   !isStateFile(entry.name) &&
                                   (mayBeCheckpoint(entry.name) || looksTemporary(entry.name));
            if (!candidate) {
                continue;
            }
            const fs::path file = path / entry.name;
            const ScannedSize size{entry.identity.size, 1, entry.identity.mtimeNs};
            const auto format = detectFormat(folder, entry.name);
            if (!isPlausible(entry.name, format)) {
                continue;
            }
            if (format) {
                add(id, file, *format, size);
                m_relations.files.emplace(file,
                                          FileKey{entry.identity.device, entry.identity.inode});
            } else if (seemsDamaged(entry.name, format.error())) {
                ScannedCheckpoint& broken = add(id, file, nullptr, size);
                if (broken.state == CheckpointState::Unknown) {
                    broken.state = CheckpointState::Damaged;
                    broken.reason = format.error().message;
                }
            }
        }
        return {};
    }

    /// A file with a checkpoint's ending that is one of the known impostors is worth a row;
    /// anything else is not.
    static bool seemsDamaged(std::string_view name, const Error& error) {
        if (name.find('.') == std::string_view::npos) {
            return false;
        }
        return error.code == ErrorCode::EmptyFile || error.code == ErrorCode::ZeroFilled ||
               error.code == ErrorCode::LfsPointer || error.code == ErrorCode::HtmlPage;
    }

    void collectManifests(const fs::path& path, const std::vector<FolderEntry>& entries) {
        for (const FolderEntry& entry : entries) {
            const bool named = entry.name == "MANIFEST.json" || entry.name.ends_with(".cairn.json");
            if (named && entry.kind == EntryKind::File &&
                m_relations.manifests.size() < kMaxRelations) {
                m_relations.manifests.push_back(path / entry.name);
            }
        }
    }

    void collectLogs(const fs::path& path, const std::string& id,
                     const std::vector<FolderEntry>& entries) {
        if (hasLogs(entries) && m_logs.size() < kMaxRelations) {
            m_logs.push_back({id, path});
        }
        for (const FolderEntry& entry : entries) {
            if (entry.kind == EntryKind::File && isLogDatabase(entry.name)) {
                m_logs.push_back(
                    {id == "." ? entry.name : id + "/" + entry.name, path / entry.name});
            }
        }
    }

    void collectRelations(const fs::path& path, const std::string& id,
                          const std::vector<FolderEntry>& entries) {
        const RunPlace place = runPlaceOf(id);
        for (const FolderEntry& entry : entries) {
            if (entry.kind == EntryKind::Link && m_relations.links.size() < kMaxRelations) {
                const NamedPosition position = positionFromName(entry.name);
                const bool ending = entry.name.find('.') != std::string::npos;
                const bool inspected =
                    (ending && mayBeCheckpoint(entry.name)) ||
                    (!ending && (position.step || position.epoch || isBestOrLastName(entry.name)));
                m_relations.links.push_back({place.runId, place.prefix + entry.name,
                                             path / entry.name, entry.identity.mtimeNs, inspected});
            } else if (entry.kind == EntryKind::File && isPointerName(entry.name) &&
                       entry.identity.size <= kMaxPointer &&
                       m_relations.pointers.size() < kMaxRelations) {
                m_relations.pointers.push_back({place.runId, path / entry.name});
            }
        }
    }

    /// `id`: of the folder in which it is.
    ScannedCheckpoint& add(const std::string& id, const fs::path& path, const FormatInfo* format,
                           const ScannedSize& size) {
        const RunPlace place = runPlaceOf(id);
        ScannedRun& run = m_runs[place.runId];
        if (run.checkpoints.empty()) {
            run.id = place.runId;
            run.path = place.runId == "." ? m_experiment.path : m_experiment.path / place.runId;
            run.name = place.runId == "." ? nameOf(run.path) : place.runId;
        }
        ScannedCheckpoint checkpoint;
        checkpoint.path = path;
        checkpoint.name = place.prefix + nameOf(path);
        checkpoint.format = format != nullptr ? std::string(format->id) : std::string();
        checkpoint.bytes = size.bytes;
        checkpoint.files = size.files;
        checkpoint.modifiedNs = size.modifiedNs;
        checkpoint.noModel = isOptimizerName(nameOf(path)); // until someone has looked
        checkpoint.isExport = isExportName(nameOf(path));
        const NamedPosition own = positionFromName(nameOf(path));
        const NamedPosition outer = positionFromName(place.prefix);
        checkpoint.step = outer.step ? outer.step : own.step;
        checkpoint.epoch = outer.epoch ? outer.epoch : own.epoch;
        if (checkpoint.step || checkpoint.epoch) {
            checkpoint.stepFrom = StepFrom::Name;
        }
        assessName(checkpoint);
        run.checkpoints.push_back(std::move(checkpoint));
        return run.checkpoints.back();
    }

    void assessName(ScannedCheckpoint& checkpoint) const {
        if (!looksTemporary(checkpoint.name)) {
            return;
        }
        const bool abandoned = m_now - checkpoint.modifiedNs > kAbandonedNs;
        checkpoint.state = abandoned ? CheckpointState::Incomplete : CheckpointState::BeingWritten;
        checkpoint.reason = abandoned ? "The name is temporary; the save did not finish"
                                      : "According to its name, it is still being written";
    }

    /// A folder whose writer publishes its index last.
    void assessIndex(ScannedCheckpoint& checkpoint, std::string_view lastFile,
                     const std::vector<FolderEntry>& entries) const {
        const auto isIndex = [lastFile](const FolderEntry& entry) {
            return entry.name.ends_with(lastFile);
        };
        if (checkpoint.state != CheckpointState::Unknown || std::ranges::any_of(entries, isIndex)) {
            return;
        }
        const bool recent = m_now - checkpoint.modifiedNs < m_limits.unfinishedNs;
        checkpoint.state = recent ? CheckpointState::BeingWritten : CheckpointState::Incomplete;
        checkpoint.reason = "No " + std::string(lastFile) + (recent ? " file yet" : " file");
    }

    /// Whether this file is in a step's folder of the run, too: "step-100/model.pth".
    static bool hasInStep(const ScannedRun& run, const std::string& file) {
        return std::ranges::any_of(run.checkpoints, [&](const ScannedCheckpoint& each) {
            const std::size_t slash = each.name.find('/');
            return slash != std::string::npos && each.name.substr(slash + 1) == file &&
                   isPositionFolder(each.name.substr(0, slash));
        });
    }

    /// "final/model.pth" beside "step-100/model.pth" is a checkpoint of that run, none of its own.
    void joinLast() {
        for (auto last = m_runs.begin(); last != m_runs.end();) {
            const std::string& id = last->first;
            const std::size_t slash = id.rfind('/');
            const std::string name = slash == std::string::npos ? id : id.substr(slash + 1);
            const auto outer = m_runs.find(
                runPlaceOf(slash == std::string::npos ? "." : id.substr(0, slash)).runId);
            const auto inStep = [&](const ScannedCheckpoint& each) {
                return hasInStep(outer->second, each.name);
            };
            const auto hasPosition = [](const ScannedCheckpoint& each) {
                return each.step || each.epoch;
            };
            auto& list = last->second.checkpoints;
            const bool isExport = isExportName(name) && std::ranges::none_of(list, hasPosition);
            const bool joins =
                outer != m_runs.end() && outer != last &&
                (isExport || (isBestOrLastName(name) && std::ranges::any_of(list, inStep)));
            if (!joins) {
                ++last;
                continue;
            }
            for (ScannedCheckpoint& each : last->second.checkpoints) {
                each.name = name + "/" + each.name;
                each.isExport = each.isExport || isExport;
                outer->second.checkpoints.push_back(std::move(each));
            }
            for (FoundLink& link : m_relations.links) {
                if (link.runId == id) {
                    link.runId = outer->first;
                    link.name = name + "/" + link.name;
                }
            }
            for (FoundPointer& pointer : m_relations.pointers) {
                pointer.runId = pointer.runId == id ? outer->first : pointer.runId;
            }
            last = m_runs.erase(last);
        }
    }

    /// A Trainer's output folder is a checkpoint of its own beside those in it: save_model() was
    /// called when the training had ended.
    void markFinalModels() {
        for (ScannedRun& run : m_experiment.runs) {
            const bool several = run.checkpoints.size() > 1 + run.links();
            for (ScannedCheckpoint& each : run.checkpoints) {
                const bool aside = each.path == run.path && !each.step && !each.epoch;
                each.isExport = several && (each.isExport || aside);
            }
        }
    }

    Result<Experiment> finish() {
        joinLast();
        for (auto& [id, run] : m_runs) {
            m_experiment.runs.push_back(std::move(run));
        }
        CAIRN_CHECK(addLogRuns(m_experiment, std::move(m_logs), m_cancel));
        std::ranges::sort(m_experiment.runs, [](const ScannedRun& a, const ScannedRun& b) {
            return naturalLess(a.id, b.id);
        });
        relate(m_experiment, m_relations);
        markFinalModels();
        for (ScannedRun& run : m_experiment.runs) {
            for (ScannedCheckpoint& each : run.checkpoints) {
                each.listedState = each.state;
            }
            settleRun(run);
        }
        return std::move(m_experiment);
    }

    const CancelToken& m_cancel;
    const ScanLimits& m_limits;
    Experiment m_experiment;
    std::map<std::string, ScannedRun> m_runs;
    FoundRelations m_relations;
    std::vector<FoundLog> m_logs;
    std::set<std::string> m_listed; ///< files of the folder that is walked, as parts of saves
    std::int64_t m_now = nowNs();
    std::size_t m_seen = 0;
    bool m_rootIsCheckpoint = false;
};

} // namespace

Result<Experiment> scanExperiment(const Location& named, const CancelToken& cancel,
                                  const ScanLimits& limits) {
    return Scanner(cancel, limits).scan(named);
}

} // namespace cairn
