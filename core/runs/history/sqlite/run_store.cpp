// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/sqlite/run_store.h"

#include "core/runs/history/sqlite/read_database.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::history::sqlite {
namespace {

constexpr std::size_t kMaxSettings = 1'000'000;
constexpr std::size_t kMaxSettingBytes = std::size_t{64} << 20U; ///< total size of all settings
constexpr std::size_t kMaxRows = SeriesTable::kMaxPoints; ///< a crafted page tree may repeat rows

/// Opens the database and calls use(database, runs) after its runs were listed.
template <class Use>
Result<void> withRuns(const Store& store, DatabaseFiles files, const CancelToken& cancel,
                      StoreRuns& runs, Use&& use) {
    ReadOnlyVfs vfs(std::move(files));
    CAIRN_TRY(Database database, Database::open(vfs, runs.name, cancel, store.tables));
    for (const std::string_view table : store.required) {
        CAIRN_TRY(const bool there, database.hasTable(std::string(table)));
        if (!there) {
            return fail(ErrorCode::NotACheckpoint,
                        sentence("Not a database of %1", verbatim(std::string(store.title))))
                .inFile(runs.name)
                .expecting(sentence("a table named %1", verbatim(std::string(table))));
        }
    }
    CAIRN_CHECK(store.list(database, runs));
    return use(database);
}

} // namespace

void StoreRuns::note(Severity severity, Error error) {
    error.where.file = name;
    part.warnings.push_back({severity, std::move(error)});
}

Result<void> StoreRuns::orWarn(Result<void> done) {
    if (done || done.error().code == ErrorCode::Cancelled ||
        done.error().code == ErrorCode::ChangedOnDisk || runs.isEmpty()) {
        return done;
    }
    part.warnings.push_back({Severity::Warning, std::move(done).error()});
    return {};
}

Result<void> StoreRuns::eachRow(Database& database, const char* sql,
                                const std::function<void(const Row&)>& row) {
    std::size_t rows = 0;
    return database.select(sql, [&](const Row& each) {
        if (++rows > kMaxRows || runs.full()) {
            note(Severity::Warning, fail(ErrorCode::LimitExceeded, "More points than can be shown")
                                        .expecting(sentence("at most %1", kMaxRows)));
            return false;
        }
        row(each);
        return !runs.tooMany();
    });
}

Result<void> StoreRuns::eachSetting(Database& database, const char* table, const char* sql,
                                    const std::function<void(FileRuns::Run&, const Row&)>& row) {
    CAIRN_TRY(const bool there, database.hasTable(table));
    if (!there) {
        return {};
    }
    std::size_t rows = 0;
    std::size_t bytes = 0;
    return database.select(sql, [&](const Row& each) {
        bytes += each.text(1).size() + each.text(2).size();
        if (++rows > kMaxSettings || bytes > kMaxSettingBytes) {
            note(Severity::Warning,
                 fail(ErrorCode::LimitExceeded, "More settings than can be shown")
                     .inField("settings"));
            return false;
        }
        FileRuns::Run* run = runs.find(each.text(0));
        if (run != nullptr && each.text(1).size() <= FileRuns::kMaxName) {
            row(*run, each);
        }
        return true;
    });
}

Result<HistoryPart> readStore(const Store& store, DatabaseFiles files, const CancelToken& cancel,
                              std::string_view run) {
    const ByteSourcePtr database = files.database;
    StoreRuns runs(run, database->name());
    CAIRN_CHECK(withRuns(store, std::move(files), cancel, runs, [&](Database& opened) {
        if (runs.runs.size() > 1) {
            runs.note(Severity::Info,
                      fail(ErrorCode::Unsupported, "The database contains several runs; metric "
                                                   "names are prefixed with the run's name")
                          .butFound(sentence("%1 runs", runs.runs.size())));
        }
        return store.read(opened, runs);
    }));
    HistoryPart part = std::move(runs.part);
    runs.runs.finish(part);
    if (store.finish != nullptr) {
        store.finish(part);
    }
    part.bytes = database->size();
    return part;
}

Result<std::vector<HeldRun>> listStore(const Store& store, DatabaseFiles files,
                                       const CancelToken& cancel) {
    StoreRuns runs({}, files.database->name());
    CAIRN_CHECK(withRuns(store, std::move(files), cancel, runs,
                         [](Database& /*opened*/) { return Result<void>(); }));
    return runs.runs.list();
}

Result<HistoryPart> readStore(const Store& store, const HistoryCandidate& candidate,
                              const CancelToken& cancel) {
    HistoryPart part;
    std::vector<Notice> notices;
    CAIRN_CHECK(readDatabase(candidate, cancel, notices, [&](DatabaseFiles files) -> Result<void> {
        CAIRN_TRY(part, readStore(store, std::move(files), cancel, candidate.run));
        return {};
    }));
    std::ranges::move(notices, std::back_inserter(part.warnings));
    return part;
}

Result<std::vector<HeldRun>> listStore(const Store& store, const HistoryCandidate& candidate,
                                       const CancelToken& cancel) {
    std::vector<HeldRun> runs;
    std::vector<Notice> notices;
    CAIRN_CHECK(readDatabase(candidate, cancel, notices, [&](DatabaseFiles files) -> Result<void> {
        CAIRN_TRY(runs, listStore(store, std::move(files), cancel));
        return {};
    }));
    return runs;
}

} // namespace cairn::history::sqlite
