// SPDX-License-Identifier: Apache-2.0
//
// Tables of mlflow/store/tracking/dbmodels/models.py, unchanged in what is read here since
// MLflow 1.0:
//   runs    run_uuid, name, lifecycle_stage, start_time
//   metrics run_uuid, key, value, is_nan, timestamp (ms), step; NaN is 0 with is_nan, an infinity
//   is
//           the largest double (sqlalchemy_store.py: _get_metric_value_details)
//   params  run_uuid, key, value; tags alike
#include "core/runs/history/mlflow_db/store.h"

#include "core/runs/history/common/number_unplaced.h"

#include <array>
#include <cmath>
#include <map>

namespace cairn::history::mlflow_db {
namespace {

using sqlite::Database;
using sqlite::Row;
using sqlite::StoreRuns;

constexpr auto kTables = std::to_array<std::string_view>({"runs", "metrics", "params", "tags"});
constexpr auto kRequired = std::to_array<std::string_view>({"runs", "metrics"});

double valueOf(double stored, bool isNan) {
    if (isNan) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const bool isInfinity = std::abs(stored) == std::numeric_limits<double>::max();
    return isInfinity ? std::copysign(std::numeric_limits<double>::infinity(), stored) : stored;
}

Result<void> listRuns(Database& database, StoreRuns& store) {
    std::uint64_t deleted = 0;
    CAIRN_CHECK(store.eachRow(
        database, "SELECT run_uuid, name, lifecycle_stage, start_time FROM runs NOT INDEXED",
        [&](const Row& row) {
            const std::string_view id = row.text(0);
            const std::string_view name = row.text(1);
            if (row.text(2) == "deleted") {
                deleted += store.only.empty() ? 1U : 0U;
            } else if (!id.empty()) {
                store.runs.add(id, name.empty() ? id.substr(0, 8) : name,
                               static_cast<double>(row.integer(3)));
            }
        }));
    store.runs.arrange(true);
    if (deleted > 0) {
        store.note(Severity::Info,
                   fail(ErrorCode::Unsupported, "Runs that are marked as deleted were skipped")
                       .butFound(sentence("%1 runs", deleted)));
    }
    return {};
}

/// In the order of writing, which row numbers preserve and a plain scan follows; ORDER BY would let
/// a crafted schema make SQLite sort.
Result<void> readMetrics(Database& database, StoreRuns& store) {
    return store.eachRow(
        database, "SELECT run_uuid, key, step, value, timestamp, is_nan FROM metrics NOT INDEXED",
        [&](const Row& row) {
            if (FileRuns::Run* run = store.runs.find(row.text(0))) {
                RowPlace place{kNothing, kNothing, static_cast<double>(row.integer(4)) / 1000};
                place.step = row.integer(2);
                const double value = valueOf(row.real(3), row.integer(5) != 0);
                store.runs.addPoint(*run, row.text(1), place, value);
            }
        });
}

Result<void> readParams(Database& database, StoreRuns& store) {
    return store.eachSetting(database, "params",
                             "SELECT run_uuid, key, value FROM params NOT INDEXED",
                             [](FileRuns::Run& run, const Row& row) {
                                 run.settings.push_back({Value(row.text(1)), Value(row.text(2))});
                             });
}

/// MLflow's own tags ("mlflow.user") describe the place of the run, not the training.
Result<void> readTags(Database& database, StoreRuns& store) {
    std::map<FileRuns::Run*, std::vector<ValueItem>> tags;
    const auto read =
        store.eachSetting(database, "tags", "SELECT run_uuid, key, value FROM tags NOT INDEXED",
                          [&](FileRuns::Run& run, const Row& row) {
                              if (!row.text(1).starts_with("mlflow.")) {
                                  tags[&run].push_back({Value(row.text(1)), Value(row.text(2))});
                              }
                          });
    for (auto& [run, items] : tags) {
        run->settings.push_back({Value("tags"), Value::dict(std::move(items))});
    }
    return read;
}

Result<void> readRuns(Database& database, StoreRuns& store) {
    CAIRN_CHECK(store.orWarn(readMetrics(database, store)));
    CAIRN_CHECK(store.orWarn(readParams(database, store)));
    return store.orWarn(readTags(database, store));
}

} // namespace

const sqlite::Store kStore{.title = "MLflow",
                           .tables = kTables,
                           .required = kRequired,
                           .list = listRuns,
                           .read = readRuns,
                           .finish = numberUnplaced};

} // namespace cairn::history::mlflow_db
