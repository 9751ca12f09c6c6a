// SPDX-License-Identifier: Apache-2.0
//
// One walk, folder by folder, each held by descriptor so that nothing is followed out of the
// experiment. In each folder:
//   1. is the folder itself a checkpoint? Its own probe decides (DCP, Hugging Face, Trainer, …). If
//   so, it is listed and
//      only sub-folders whose names tell a position are walked (a Trainer's output folder holds the
//      final model and its checkpoint-N folders), and none of those that are such a folder
//      themselves;
//   2. otherwise its files whose names match a format's globs, or have no ending, are offered to
//   the probes one by one.
// Runs are the folders in which checkpoints lie; a folder called "checkpoints" counts for the one
// above it.
#include "core/runs/experiment_scan.h"

#include "core/base/glob.h"
#include "core/formats/format.h"
#include "core/io/folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <tuple>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr auto kSkippedFolders = std::to_array<std::string_view>({
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
    "wandb",
    "mlruns",
});
constexpr auto kCheckpointFolders = std::to_array<std::string_view>(
    {"checkpoints", "checkpoint", "ckpts", "ckpt", "models", "weights"});
constexpr std::int64_t kRecentNs =
    120'000'000'000; // an unfinished folder that changed this lately is being written
constexpr std::size_t kMaxNotices = 100;
constexpr std::size_t kMaxFolderFiles = 200'000; // of one checkpoint, for its size

bool isOneOf(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

bool looksTemporary(std::string_view name) {
    return name.ends_with(".tmp") || name.ends_with(".incomplete") || name.starts_with("tmp-") ||
           name.find(".tmp-") != std::string_view::npos ||
           name.find(".tmp_") != std::string_view::npos ||
           name.find("-tmp-") != std::string_view::npos || name.ends_with(".part");
}

bool saysBest(std::string_view name) {
    return name.find("best") != std::string_view::npos;
}

/// Globs of all formats, parsed once a scan.
class CandidateNames {
public:
    CandidateNames() {
        for (const FormatInfo* format : builtinFormats()) {
            for (const std::string_view pattern : format->globs) {
                if (auto glob = Glob::parse(pattern)) {
                    m_globs.push_back(std::move(*glob));
                }
            }
        }
    }
    [[nodiscard]] bool match(std::string_view name) const {
        const bool bare = name.find('.') == std::string_view::npos;
        return bare ||
               std::ranges::any_of(m_globs, [&](const Glob& glob) { return glob.matches(name); });
    }

private:
    std::vector<Glob> m_globs;
};

struct Size {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
    std::int64_t modifiedNs = 0;
};

void addFolderSize(const Folder& folder, int depth, Size& size) {
    const auto entries = folder.list();
    if (!entries || depth > 8) {
        return;
    }
    for (const FolderEntry& entry : *entries) {
        if (size.files >= kMaxFolderFiles) {
            return;
        }
        size.modifiedNs = std::max(size.modifiedNs, entry.identity.mtimeNs);
        if (entry.kind == EntryKind::Folder) {
            if (const auto inner = folder.openFolder(entry.name)) {
                addFolderSize(**inner, depth + 1, size);
            }
        } else if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
            size.bytes += entry.identity.size;
            ++size.files;
        }
    }
}

class Scanner {
public:
    Scanner(const CancelToken& cancel, const ScanLimits& limits)
        : m_cancel(cancel), m_limits(limits) {}

    Result<Experiment> scan(const fs::path& path) {
        m_experiment.path = path;
        m_experiment.name = nameOf(path);
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            CAIRN_TRY(const FormatInfo* format, detectFormat(path));
            Size size{static_cast<std::uint64_t>(status.st_size), 1,
                      std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
            add(path.parent_path(), ".", path, format, size, nullptr);
            m_experiment.isCheckpoint = true;
            return finish();
        }
        CAIRN_TRY(const FolderPtr folder, Folder::open(path));
        CAIRN_CHECK(walk(folder, path, ".", 0, false));
        m_experiment.isCheckpoint = m_rootIsCheckpoint && m_experiment.checkpoints() == 0 &&
                                    m_runs.size() == 1 &&
                                    m_runs.begin()->second.checkpoints.size() == 1;
        return finish();
    }

private:
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

    /// `id`: where the folder lies below the experiment; `inside`: a checkpoint whose name told its
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
            note(Severity::Warning, fail(ErrorCode::LimitExceeded,
                                         "The folder is too large or too deep to be listed whole")
                                        .inFile(path.string()));
            return {};
        }
        const bool isCheckpoint = addFolder(folder, path, id, depth, *entries);
        if (!isCheckpoint && !inside) {
            CAIRN_CHECK(addFiles(path, id, *entries));
        }
        for (const FolderEntry& entry : *entries) {
            if (entry.kind != EntryKind::Folder || entry.name.starts_with('.') ||
                isOneOf(kSkippedFolders, entry.name)) {
                continue;
            }
            const NamedPosition position = positionFromName(entry.name);
            const bool named = position.step || position.epoch;
            if (isCheckpoint && (!named || inside)) {
                continue;
            }
            if (auto inner = folder->openFolder(entry.name)) {
                const std::string below = id == "." ? entry.name : id + "/" + entry.name;
                CAIRN_CHECK(walk(*inner, path / entry.name, below, depth + 1, isCheckpoint));
            } else {
                note(Severity::Warning, std::move(inner).error());
            }
        }
        return {};
    }

    bool addFolder(const FolderPtr& folder, const fs::path& path, const std::string& id,
                   std::size_t depth, const std::vector<FolderEntry>& entries) {
        const Candidate candidate{path, true, 0, {}, {}, entries};
        const FormatInfo* format = nullptr;
        for (const FormatInfo* each : builtinFormats()) {
            const Match match = each->probe(candidate);
            if (match == Match::Yes || (match == Match::Maybe && format == nullptr)) {
                format = each;
            }
            if (match == Match::Yes) {
                break;
            }
        }
        if (format == nullptr) {
            return false;
        }
        m_rootIsCheckpoint = m_rootIsCheckpoint || depth == 0;
        Size size;
        addFolderSize(*folder, 0, size);
        const std::size_t slash = id.rfind('/');
        const std::string runId = slash == std::string::npos ? "." : id.substr(0, slash);
        add(depth == 0 ? path : path.parent_path(), runId, path, format, size, &entries);
        return true;
    }

    Result<void> addFiles(const fs::path& path, const std::string& id,
                          const std::vector<FolderEntry>& entries) {
        for (const FolderEntry& entry : entries) {
            CAIRN_CHECK(m_cancel.check());
            const bool candidate = entry.kind == EntryKind::File && !entry.name.starts_with('.') &&
                                   (m_names.match(entry.name) || looksTemporary(entry.name));
            if (!candidate) {
                continue;
            }
            const Size size{entry.identity.size, 1, entry.identity.mtimeNs};
            const auto format = detectFormat(path / entry.name);
            if (format) {
                add(path, id, path / entry.name, *format, size, nullptr);
            } else if (seemsDamaged(entry.name, format.error())) {
                ScannedCheckpoint& broken =
                    add(path, id, path / entry.name, nullptr, size, nullptr);
                const bool temporary = looksTemporary(entry.name);
                broken.state = temporary ? CheckpointState::BeingWritten : CheckpointState::Damaged;
                broken.reason = temporary ? "The name says that it is still being written"
                                          : format.error().message;
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

    ScannedCheckpoint& add(const fs::path& runPath, std::string runId, const fs::path& path,
                           const FormatInfo* format, const Size& size,
                           const std::vector<FolderEntry>* entries) {
        fs::path folder = runPath;
        const std::size_t slash = runId.rfind('/');
        if (runId != "." &&
            isOneOf(kCheckpointFolders, runId.substr(slash == std::string::npos ? 0 : slash + 1))) {
            runId = slash == std::string::npos ? "." : runId.substr(0, slash);
            folder = folder.parent_path();
        }
        ScannedRun& run = m_runs[runId];
        if (run.checkpoints.empty()) {
            run.id = runId;
            run.name = runId == "." ? nameOf(folder.empty() ? fs::path(".") : folder) : runId;
            run.path = folder;
        }
        ScannedCheckpoint checkpoint;
        checkpoint.path = path;
        checkpoint.name = nameOf(path);
        checkpoint.format = format != nullptr ? std::string(format->id) : std::string();
        checkpoint.bytes = size.bytes;
        checkpoint.files = size.files;
        checkpoint.modifiedNs = size.modifiedNs;
        const NamedPosition position = positionFromName(checkpoint.name);
        checkpoint.step = position.step;
        checkpoint.epoch = position.epoch;
        checkpoint.best = saysBest(checkpoint.name);
        judge(checkpoint, entries);
        run.checkpoints.push_back(std::move(checkpoint));
        return run.checkpoints.back();
    }

    /// What names alone tell of the state.
    static void judge(ScannedCheckpoint& checkpoint, const std::vector<FolderEntry>* entries) {
        if (looksTemporary(checkpoint.name)) {
            checkpoint.state = CheckpointState::BeingWritten;
            checkpoint.reason = "The name says that it is still being written";
            return;
        }
        const auto has = [&](std::string_view name) {
            return std::ranges::any_of(
                *entries, [&](const FolderEntry& entry) { return entry.name == name; });
        };
        if (checkpoint.format == "dcp" && entries != nullptr && !has(".metadata")) {
            const bool perRank = std::ranges::any_of(*entries, [](const FolderEntry& entry) {
                return entry.name.ends_with(".metadata");
            });
            if (!perRank) {
                const bool recent = nowNs() - checkpoint.modifiedNs < kRecentNs;
                checkpoint.state =
                    recent ? CheckpointState::BeingWritten : CheckpointState::Incomplete;
                checkpoint.reason = "There is no .metadata file";
            }
        }
    }

    Result<Experiment> finish() {
        for (auto& [id, run] : m_runs) {
            sortCheckpoints(run);
            m_experiment.runs.push_back(std::move(run));
        }
        std::ranges::sort(m_experiment.runs, [](const ScannedRun& a, const ScannedRun& b) {
            return naturalLess(a.id, b.id);
        });
        return std::move(m_experiment);
    }

    const CancelToken& m_cancel;
    const ScanLimits& m_limits;
    CandidateNames m_names;
    Experiment m_experiment;
    std::map<std::string, ScannedRun> m_runs;
    std::size_t m_seen = 0;
    bool m_rootIsCheckpoint = false;
};

} // namespace

Result<Experiment> scanExperiment(const fs::path& path, const CancelToken& cancel,
                                  const ScanLimits& limits) {
    return Scanner(cancel, limits).scan(path);
}

} // namespace cairn
