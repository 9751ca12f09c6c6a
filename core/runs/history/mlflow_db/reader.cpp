// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/runs/history/mlflow_db/store.h"
#include "core/runs/history/sqlite/read_database.h"

#include <array>

namespace cairn::history::mlflow_db {
namespace {

constexpr auto kRun = std::to_array<std::string_view>({"run_uuid", "lifecycle_stage"});
constexpr auto kMetric =
    std::to_array<std::string_view>({"run_uuid", "key", "value", "step", "is_nan"});
constexpr auto kShapes = std::to_array<sqlite::TableShape>({{"runs", kRun}, {"metrics", kMetric}});

/// "mlflow.db" by name; other databases by MLflow's tables.
bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && sqlite::isDatabaseHead(candidate.head) &&
           (candidate.name == "mlflow.db" || sqlite::hasTables(candidate, kShapes));
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return sqlite::readStore(kStore, candidate, cancel);
}

Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return sqlite::listStore(kStore, candidate, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "mlflow_db",
                            .title = "MLflow database",
                            .mayBe = sqlite::namesDatabase,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn,
                            .continuesOthers = false};

} // namespace cairn::history::mlflow_db
