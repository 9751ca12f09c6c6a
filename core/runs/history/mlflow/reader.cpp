// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/runs/history/common/number_unplaced.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/common/whole_file.h"
#include "core/runs/history/mlflow/metric_file.h"
#include "core/runs/history/mlflow/run_info.h"

namespace cairn::history::mlflow {
namespace {

constexpr std::uint64_t kMaxName = 4096;
constexpr std::uint64_t kMaxMeta = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxParam = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxParams = std::uint64_t{64} << 20U; ///< total size
constexpr std::size_t kMaxFiles = 100'000;                     ///< metrics or parameters
constexpr std::size_t kMaxDepth = 64;                          ///< components of a name with "/"

/// A run is a folder.
bool mayBe(std::string_view /*name*/) {
    return false;
}

bool recognises(const HistoryCandidate& candidate) {
    return candidate.isFolder && candidate.hasEntry("meta.yaml") && candidate.hasEntry("metrics");
}

bool isCancel(const Error& error) {
    return error.code == ErrorCode::Cancelled;
}

class RunReader {
public:
    RunReader(const HistoryCandidate& candidate, FolderPtr folder, const CancelToken& cancel)
        : m_shown(candidate.path), m_folder(std::move(folder)), m_cancel(cancel) {}

    Result<HistoryPart> read() {
        CAIRN_CHECK(readMeta());
        CAIRN_CHECK(
            eachFile("metrics",
                     [this](const Folder& folder, const std::string& file,
                            const std::string& key) -> Result<void> {
                         CAIRN_TRY(const ByteSourcePtr source, folder.openFile(file));
                         CAIRN_TRY(const std::uint64_t bytes,
                                   readMetricFile(source, key, m_table, m_part.warnings, m_cancel));
                         m_part.bytes += bytes;
                         return {};
                     }));
        CAIRN_CHECK(eachFile(
            "params",
            [this](const Folder& folder, const std::string& file,
                   const std::string& key) -> Result<void> {
                CAIRN_TRY(std::string text, readCompleteFile(folder, file, kMaxParam, m_cancel));
                m_part.bytes += text.size();
                m_paramBytes += text.size();
                if (m_paramBytes > kMaxParams) {
                    return fail(ErrorCode::LimitExceeded, "More settings than can be shown")
                        .inField("settings");
                }
                m_settings.push_back({Value(key), Value(std::move(text))});
                return {};
            }));
        const std::vector<Notice> limits = m_table.notices();
        m_part.warnings.insert(m_part.warnings.end(), limits.begin(), limits.end());
        if (m_table.full()) {
            note(fail(ErrorCode::LimitExceeded,
                      "The run exceeds the limit of points; the rest was not read"));
        }
        m_part.series = m_table.take();
        numberUnplaced(m_part);
        if (!m_settings.empty()) {
            m_part.settings = Value::dict(std::move(m_settings));
        }
        return std::move(m_part);
    }

private:
    void note(Error error, Severity severity = Severity::Warning) {
        if (error.where.file.empty()) {
            error.where.file = m_shown.string();
        }
        m_part.warnings.push_back({severity, std::move(error)});
    }

    /// A run with a damaged description still has its curves.
    Result<void> readMeta() {
        auto yaml = readCompleteFile(*m_folder, "meta.yaml", kMaxMeta, m_cancel);
        if (!yaml) {
            if (isCancel(yaml.error())) {
                return std::move(yaml).error();
            }
            note(std::move(yaml).error());
            return {};
        }
        m_part.bytes += yaml->size();
        const auto info = parseRunInfo(*yaml, (m_shown / "meta.yaml").string());
        if (!info && info.error().code == ErrorCode::NotACheckpoint) {
            return info.error();
        }
        if (!info) {
            note(info.error());
            return {};
        }
        if (info->lifecycleStage == "deleted") {
            note(fail(ErrorCode::Unsupported, "This run is marked as deleted in MLflow"),
                 Severity::Info);
        }
        if (info->status == "FAILED" || info->status == "KILLED" || info->status == "RUNNING") {
            note(fail(ErrorCode::BeingWritten, "The run did not finish, according to MLflow")
                     .butFound(verbatim(info->status)),
                 Severity::Info);
        }
        return {};
    }

    struct Pending {
        std::string path;   ///< relative to the run's folder
        std::string prefix; ///< prefix for the names in it
        std::size_t depth = 0;
    };

    /// Calls read(folder, file, key) for every file below; a name with "/" is stored in nested
    /// folders. Unreadable files become warnings.
    template <class Read> Result<void> eachFile(const char* name, Read&& read) {
        std::vector<Pending> open{{name, "", 0}};
        for (std::size_t files = 0; !open.empty();) {
            const Pending current = std::move(open.back());
            open.pop_back();
            CAIRN_CHECK(m_cancel.check());
            const auto folder = m_folder->openFolder(current.path);
            auto entries = entriesOf(folder, kMaxFiles);
            if (!entries) {
                if (current.depth > 0 || entries.error().code != ErrorCode::NotFound) {
                    note(std::move(entries).error());
                }
                continue;
            }
            for (const FolderEntry& entry : *entries) {
                if (++files > kMaxFiles) {
                    note(fail(ErrorCode::LimitExceeded,
                              "The run has too many files; some were not read")
                             .inField(name));
                    return {};
                }
                if (entry.kind != EntryKind::Folder) {
                    CAIRN_CHECK(
                        noteFailure(read(**folder, entry.name, current.prefix + entry.name)));
                } else if (current.depth < kMaxDepth) {
                    open.push_back({current.path + "/" + entry.name,
                                    current.prefix + entry.name + "/", current.depth + 1});
                } else {
                    note(fail(ErrorCode::LimitExceeded, "Folders are nested too deeply")
                             .inFile((m_shown / current.path).string()));
                }
            }
        }
        return {};
    }

    /// Passes Cancelled on; any other failure becomes a warning.
    Result<void> noteFailure(Result<void> done) {
        if (done || isCancel(done.error())) {
            return done;
        }
        note(std::move(done).error());
        return {};
    }

    std::filesystem::path m_shown;
    FolderPtr m_folder;
    const CancelToken& m_cancel;
    SeriesTable m_table;
    std::vector<ValueItem> m_settings;
    std::uint64_t m_paramBytes = 0;
    HistoryPart m_part;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(FolderPtr folder, candidate.openSelf());
    return RunReader(candidate, std::move(folder), cancel).read();
}

std::string runName(const Folder& folder, std::span<const FolderEntry> /*entries*/) {
    const auto source = folder.openFile("tags/mlflow.runName");
    const auto bytes = source && (*source)->size() <= kMaxName
                           ? readRange(**source, {0, (*source)->size()})
                           : Result<std::vector<std::byte>>(Error());
    const std::string text = bytes ? std::string(asText(*bytes)) : std::string();
    return text.substr(0, text.find('\n'));
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "mlflow",
                            .title = "MLflow run folder",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .ownsFolder = true,
                            .runName = runName,
                            .continuesOthers = false};

} // namespace cairn::history::mlflow
