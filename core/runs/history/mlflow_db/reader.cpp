// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/runs/history/mlflow_db/store.h"
#include "core/runs/history/sqlite/read_database.h"

namespace cairn::history::mlflow_db {
namespace {

/// "mlflow.db" by name; other databases if their first pages contain MLflow's tables.
bool recognises(const HistoryCandidate& candidate) {
    if (candidate.isFolder || !sqlite::isDatabaseHead(candidate.head)) {
        return false;
    }
    const std::string_view head = asText(candidate.head);
    return candidate.name == "mlflow.db" ||
           (head.find("latest_metrics") != std::string_view::npos &&
            head.find("run_uuid") != std::string_view::npos);
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    HistoryPart part;
    std::vector<Notice> notices;
    CAIRN_CHECK(sqlite::readDatabase(
        candidate, cancel, notices, [&](sqlite::DatabaseFiles files) -> Result<void> {
            CAIRN_TRY(part, readStore(std::move(files), cancel, candidate.run));
            return {};
        }));
    std::ranges::move(notices, std::back_inserter(part.warnings));
    return part;
}

Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    std::vector<HeldRun> runs;
    std::vector<Notice> notices;
    CAIRN_CHECK(sqlite::readDatabase(candidate, cancel, notices,
                                     [&](sqlite::DatabaseFiles files) -> Result<void> {
                                         CAIRN_TRY(runs, listStore(std::move(files), cancel));
                                         return {};
                                     }));
    return runs;
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "mlflow_db",
                            .title = "MLflow database",
                            .mayBe = sqlite::namesDatabase,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn};

} // namespace cairn::history::mlflow_db
