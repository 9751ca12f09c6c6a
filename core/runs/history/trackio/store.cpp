// SPDX-License-Identifier: Apache-2.0
//
// Tables of trackio/sqlite_storage.py:
//   metrics run_id (not in older versions), run_name, timestamp (ISO 8601), step, metrics (JSON)
//   configs run_id, run_name, config (JSON)
// NaN and infinities are the texts "NaN", "Infinity", "-Infinity" (trackio/utils.py:
// serialize_values).
#include "core/runs/history/trackio/store.h"

#include "core/codec/json/json_value.h"
#include "core/runs/history/common/call_steps.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/time_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace cairn::history::trackio {
namespace {

using sqlite::Database;
using sqlite::Row;
using sqlite::StoreRuns;

constexpr auto kTables = std::to_array<std::string_view>({"metrics", "configs"});
constexpr auto kRequired = std::to_array<std::string_view>({"metrics"});

/// The column that identifies a run: names may repeat if there are ids.
Result<std::string> idColumn(Database& database, const std::string& table) {
    CAIRN_TRY(const std::vector<std::string> columns, database.columnsOf(table));
    return std::string(std::ranges::find(columns, "run_id") != columns.end() ? "run_id"
                                                                             : "run_name");
}

Result<void> listRuns(Database& database, StoreRuns& store) {
    CAIRN_TRY(const std::string id, idColumn(database, "metrics"));
    const std::string sql = "SELECT " + id + ", run_name FROM metrics NOT INDEXED";
    CAIRN_CHECK(store.eachRow(database, sql.c_str(), [&](const Row& row) {
        if (!row.text(0).empty()) {
            store.runs.add(row.text(0), row.text(1));
        }
    }));
    store.runs.arrange(false);
    return {};
}

class Metrics {
public:
    Metrics(Database& database, StoreRuns& store) : m_database(database), m_store(store) {}

    Result<void> read() {
        CAIRN_TRY(const std::string id, idColumn(m_database, "metrics"));
        const std::string sql =
            "SELECT " + id + ", step, timestamp, metrics FROM metrics NOT INDEXED";
        const Result<void> read = m_store.eachRow(m_database, sql.c_str(), [&](const Row& row) {
            if (FileRuns::Run* run = m_store.runs.find(row.text(0))) {
                add(*run, row);
            }
        });
        m_broken.report(m_store.part.warnings, ErrorCode::HistoryBadRow,
                        "Rows that are not JSON objects were skipped", m_store.name, "rows");
        return read;
    }

private:
    /// trackio numbers calls of its log function, unless the caller passes steps or logs a column
    /// of them. A run has one or the other.
    void add(FileRuns::Run& run, const Row& row) {
        const Number step = row.isNull(1) ? Number{kNothing} : Number(row.integer(1));
        m_text.assign(row.text(3));
        const std::size_t size = m_text.size();
        m_text.append(JsonRow::kPadding, ' ');
        if (!m_json.parse(std::string_view(m_text).substr(0, size))) {
            m_broken.add(0);
            return;
        }
        m_cells.clear();
        const bool hasColumn = std::ranges::any_of(m_json.numbers(), [](const JsonNumber& number) {
            return roleOfName(number.name).role == ColumnRole::Step;
        });
        if (hasColumn) {
            m_withColumn.insert(&run);
        } else if (!m_withColumn.contains(&run)) {
            m_cells.push_back({"_step", step.nearest, step.rest});
            run.calls.note(step);
        }
        const auto time = timeIn(row.text(2));
        if (time) {
            m_cells.push_back({"_timestamp", *time});
        }
        for (const JsonNumber& number : m_json.numbers()) {
            m_cells.push_back({number.name, number.value, number.rest});
        }
        run.rows.add(m_cells);
    }

    Database& m_database;
    StoreRuns& m_store;
    JsonRow m_json{"/"};
    std::string m_text;
    std::vector<RowCell> m_cells;
    std::set<const FileRuns::Run*> m_withColumn; ///< runs with a column that counts steps
    Damage m_broken;
};

/// Members that begin with "_" ("_Username", "_Created") are trackio's own.
Result<void> readConfigs(Database& database, StoreRuns& store) {
    CAIRN_TRY(const std::string id, idColumn(database, "configs"));
    const std::string sql = "SELECT " + id + ", run_name, config FROM configs NOT INDEXED";
    Damage broken;
    const Result<void> read = store.eachSetting(
        database, "configs", sql.c_str(), [&](FileRuns::Run& run, const Row& row) {
            const auto json = parseJson(row.text(2), "config");
            if (!json) {
                broken.add(0);
                return;
            }
            for (const JsonMember& member : json->members()) {
                if (!member.key.starts_with('_')) {
                    run.settings.push_back({Value(member.key), valueOf(member.value)});
                }
            }
        });
    broken.report(store.part.warnings, ErrorCode::HistoryBadRow,
                  "Configurations that are not JSON were skipped", store.name, "rows");
    return read;
}

Result<void> readRuns(Database& database, StoreRuns& store) {
    CAIRN_CHECK(Metrics(database, store).read());
    return store.orWarn(readConfigs(database, store));
}

} // namespace

const sqlite::Store kStore{.title = "trackio",
                           .tables = kTables,
                           .required = kRequired,
                           .list = listRuns,
                           .read = readRuns};

} // namespace cairn::history::trackio
