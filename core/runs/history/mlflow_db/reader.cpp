// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/runs/history/mlflow_db/store.h"

#include <chrono>
#include <thread>

namespace cairn::history::mlflow_db {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr int kTries = 4;
constexpr std::chrono::milliseconds kPause{50};

/// "mlflow.db" by name; other databases if their first pages contain MLflow's tables.
bool recognises(const HistoryCandidate& candidate) {
    const std::string_view head = asText(candidate.head);
    if (candidate.isFolder || !head.starts_with(kMagic)) {
        return false;
    }
    return candidate.name == "mlflow.db" ||
           (head.find("latest_metrics") != std::string_view::npos &&
            head.find("run_uuid") != std::string_view::npos);
}

/// Null if it is missing or empty.
Result<ByteSourcePtr> openBeside(const Folder& folder, const std::string& name) {
    auto source = folder.openFile(name);
    if (!source && source.error().code != ErrorCode::NotFound) {
        return std::move(source).error();
    }
    return source && (*source)->size() > 0 ? *source : ByteSourcePtr();
}

Result<DatabaseFiles> openFiles(const HistoryCandidate& candidate) {
    const Folder& folder = *candidate.folder;
    CAIRN_TRY(ByteSourcePtr database, folder.openFile(candidate.name));
    CAIRN_TRY(ByteSourcePtr wal, openBeside(folder, candidate.name + "-wal"));
    CAIRN_TRY(ByteSourcePtr journal, openBeside(folder, candidate.name + "-journal"));
    return DatabaseFiles{std::move(database), std::move(wal), std::move(journal)};
}

bool unchanged(const HistoryCandidate& candidate, const DatabaseFiles& files) {
    const auto now = openFiles(candidate);
    const auto same = [](const ByteSourcePtr& a, const ByteSourcePtr& b) {
        return (a == nullptr) == (b == nullptr) && (a == nullptr || a->identity() == b->identity());
    };
    return now && same(now->database, files.database) && same(now->wal, files.wal) &&
           same(now->journal, files.journal);
}

Notice notQuite(ErrorCode code, Sentence message, const HistoryCandidate& candidate) {
    return {Severity::Warning,
            fail(code, message)
                .inFile(candidate.path.string())
                .withHint("The newest values may be missing or incomplete; refresh later")};
}

/// Reads a database with an unfinished transaction without its journal, because partial data is
/// better than none.
Result<HistoryPart> readWithoutJournal(const HistoryCandidate& candidate, DatabaseFiles files,
                                       const CancelToken& cancel) {
    files.journal = nullptr;
    CAIRN_TRY(HistoryPart part, readStore(std::move(files), cancel));
    part.warnings.push_back(notQuite(ErrorCode::BeingWritten,
                                     "A transaction of the database is not finished", candidate));
    return part;
}

/// Takes no locks, so that a running training is not disturbed; if the files changed while reading,
/// they are read again.
Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    for (int attempt = 1;; ++attempt) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(const DatabaseFiles files, openFiles(candidate));
        auto part = readStore(files, cancel);
        if (!part && part.error().code == ErrorCode::Cancelled) {
            return part;
        }
        const bool steady = unchanged(candidate, files);
        const bool unfinished = !part && part.error().code == ErrorCode::BeingWritten;
        if (steady && !unfinished) {
            return part;
        }
        if (attempt < kTries) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        if (unfinished) {
            return readWithoutJournal(candidate, files, cancel);
        }
        if (part) {
            part->warnings.push_back(notQuite(ErrorCode::BeingWritten,
                                              "The database changed while it was being read",
                                              candidate));
        }
        return part;
    }
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"mlflow_db", "MLflow database", recognises, read};

} // namespace cairn::history::mlflow_db
