// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/common/file_runs.h"
#include "core/runs/history/history.h"
#include "core/runs/history/sqlite/database.h"
#include "core/runs/history/sqlite/read_only_vfs.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Databases of runs: what the readers of MLflow's, Optuna's and trackio's share.
namespace cairn::history::sqlite {

/// The runs that were read of a database. Not thread-safe.
struct StoreRuns {
    StoreRuns(std::string_view run, std::string file)
        : only(run), name(std::move(file)), runs(run) {}
    std::string only; ///< the id of the run to read; empty: all
    std::string name; ///< of the file
    FileRuns runs;
    HistoryPart part; ///< warnings and goals

    void note(Severity severity, Error error);
    /// Damage becomes a warning if something was read before it.
    Result<void> orWarn(Result<void> done);
    /// select(), which stops with a warning after more rows than any table has.
    Result<void> eachRow(Database& database, const char* sql,
                         const std::function<void(const Row&)>& row);
    /// eachRow() of a table that may be missing, for settings: id, key, value, and further columns.
    /// Stops with a warning after more settings than can be shown.
    Result<void> eachSetting(Database& database, const char* table, const char* sql,
                             const std::function<void(FileRuns::Run&, const Row&)>& row);
};

/// A kind of database: its tables and how they are read.
struct Store {
    std::string_view title;                      ///< of its writer: "MLflow"
    std::span<const std::string_view> tables;    ///< that may be read
    std::span<const std::string_view> required;  ///< those that it always has
    Result<void> (*list)(Database&, StoreRuns&); ///< adds the runs
    Result<void> (*read)(Database&, StoreRuns&); ///< adds points and settings
    void (*finish)(HistoryPart&) = nullptr;      ///< changes what was read
};

/// With `run`, only the run of that id, without prefixes. Fails as Database if nothing could be
/// read; damage after that becomes a warning.
Result<HistoryPart> readStore(const Store& store, DatabaseFiles files, const CancelToken& cancel,
                              std::string_view run);
/// The runs, with unique names. Fails as readStore().
Result<std::vector<HeldRun>> listStore(const Store& store, DatabaseFiles files,
                                       const CancelToken& cancel);

/// The same for a file that may be written meanwhile (readDatabase()).
Result<HistoryPart> readStore(const Store& store, const HistoryCandidate& candidate,
                              const CancelToken& cancel);
Result<std::vector<HeldRun>> listStore(const Store& store, const HistoryCandidate& candidate,
                                       const CancelToken& cancel);

} // namespace cairn::history::sqlite
