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

#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/number_unplaced.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/sqlite/database.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace cairn::history::mlflow_db {
namespace {

using sqlite::Database;
using sqlite::DatabaseFiles;
using sqlite::ReadOnlyVfs;
using sqlite::Row;

constexpr std::size_t kMaxRuns = 100'000;
constexpr std::size_t kMaxSettings = 1'000'000;
constexpr std::size_t kMaxSettingBytes = std::size_t{64} << 20U; ///< total size of all settings
constexpr std::size_t kMaxName = 4096;
constexpr std::size_t kMaxRows = SeriesTable::kMaxPoints; ///< a crafted page tree may repeat rows

struct Run {
    std::string id;
    std::string name; ///< unique
    std::int64_t startTime = 0;
    std::string prefix = {}; ///< of its metrics' names
    std::vector<ValueItem> settings = {};
    std::vector<ValueItem> tags = {};
    std::unordered_map<std::string, std::size_t> columns = {}; ///< keyed by metric
};

double valueOf(double stored, bool isNan) {
    if (isNan) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const bool isInfinity = std::abs(stored) == std::numeric_limits<double>::max();
    return isInfinity ? std::copysign(std::numeric_limits<double>::infinity(), stored) : stored;
}

class StoreReader {
public:
    /// `only`: the id of the run to read; empty: all.
    StoreReader(DatabaseFiles files, const CancelToken& cancel, std::string_view only)
        : m_database(files.database), m_vfs(std::move(files)), m_cancel(cancel), m_only(only) {}

    Result<std::vector<HeldRun>> list() {
        CAIRN_TRY(Database database, open());
        CAIRN_CHECK(readRuns(database));
        std::vector<HeldRun> runs;
        for (Run& run : m_runs) {
            runs.push_back({std::move(run.id), std::move(run.name)});
        }
        return runs;
    }

    Result<HistoryPart> read() {
        CAIRN_TRY(Database database, open());
        CAIRN_CHECK(readRuns(database));
        CAIRN_CHECK(orWarn(readMetrics(database)));
        CAIRN_CHECK(orWarn(readParams(database)));
        CAIRN_CHECK(orWarn(readTags(database)));
        return finish();
    }

private:
    Result<Database> open() {
        CAIRN_TRY(Database database, Database::open(m_vfs, m_database->name(), m_cancel));
        for (const char* table : {"runs", "metrics"}) {
            CAIRN_TRY(const bool there, database.hasTable(table));
            if (!there) {
                return fail(ErrorCode::NotACheckpoint, "Not an MLflow database")
                    .inFile(m_database->name())
                    .expecting("tables named runs and metrics");
            }
        }
        return database;
    }

    /// Turns damage into a warning if something was read before it.
    Result<void> orWarn(Result<void> done) {
        if (done || done.error().code == ErrorCode::Cancelled ||
            done.error().code == ErrorCode::ChangedOnDisk || m_table.points() == 0) {
            return done;
        }
        m_notices.push_back({Severity::Warning, std::move(done).error()});
        return {};
    }

    Result<void> readRuns(Database& database) {
        std::uint64_t deleted = 0;
        std::size_t rows = 0;
        CAIRN_CHECK(database.select(
            "SELECT run_uuid, name, lifecycle_stage, start_time FROM runs NOT INDEXED",
            [&](const Row& row) {
                const std::string_view id = row.text(0);
                const std::string_view name = row.text(1);
                if (++rows > kMaxRows || m_runs.size() == kMaxRuns) {
                    note(Severity::Warning,
                         fail(ErrorCode::LimitExceeded, "More runs than can be shown")
                             .expecting(sentence("at most %1", kMaxRuns)));
                    return false;
                }
                if (row.text(2) == "deleted") {
                    ++deleted;
                } else if (!id.empty() && id.size() <= kMaxName) {
                    m_runs.push_back(
                        {std::string(id),
                         std::string(name.empty() ? id.substr(0, 8) : name.substr(0, kMaxName)),
                         row.integer(3)});
                }
                return true;
            }));
        nameRuns();
        if (!m_only.empty()) {
            std::erase_if(m_runs, [&](const Run& run) { return run.id != m_only; });
            deleted = 0;
        }
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            m_places.emplace(m_runs[i].id, i);
        }
        if (deleted > 0) {
            note(Severity::Info,
                 fail(ErrorCode::Unsupported, "Runs that are marked as deleted were skipped")
                     .butFound(sentence("%1 runs", deleted)));
        }
        if (m_runs.size() == 1) {
            m_runs.front().prefix.clear();
        } else if (m_runs.size() > 1) {
            note(Severity::Info,
                 fail(ErrorCode::Unsupported, "The database contains several runs; metric names "
                                              "are prefixed with the run's name")
                     .butFound(sentence("%1 runs", m_runs.size())));
        }
        return {};
    }

    /// Oldest first; repeated names are made unique.
    void nameRuns() {
        std::ranges::stable_sort(m_runs, {}, &Run::startTime);
        std::unordered_set<std::string> names;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            Run& run = m_runs[i];
            if (!names.insert(run.name).second) {
                run.name += " (" + run.id + ")";
            }
            run.prefix = run.name + "/";
        }
    }

    Run* find(std::string_view id) {
        if (m_lastRun < m_runs.size() && m_runs[m_lastRun].id == id) {
            return &m_runs[m_lastRun];
        }
        const auto place = m_places.find(std::string(id));
        if (place == m_places.end()) {
            return nullptr;
        }
        m_lastRun = place->second;
        return &m_runs[m_lastRun];
    }

    std::size_t columnOf(Run& run, std::string_view key) {
        if (key.size() > kMaxName) {
            return SeriesTable::kNoColumn;
        }
        m_key.assign(key);
        if (const auto place = run.columns.find(m_key); place != run.columns.end()) {
            return place->second;
        }
        const std::size_t column = m_table.column(run.prefix + m_key);
        if (column !=
            SeriesTable::kNoColumn) { // otherwise the number of remembered names is unlimited
            run.columns.emplace(m_key, column);
        }
        return column;
    }

    /// In the order of writing, which row numbers preserve and a plain scan follows; ORDER BY would
    /// let a crafted schema make SQLite sort.
    Result<void> readMetrics(Database& database) {
        std::size_t rows = 0;
        return database.select(
            "SELECT run_uuid, key, step, value, timestamp, is_nan FROM metrics NOT INDEXED",
            [&](const Row& row) {
                if (++rows > kMaxRows || m_table.full()) {
                    note(Severity::Warning,
                         fail(ErrorCode::LimitExceeded, "More points than can be shown")
                             .expecting(sentence("at most %1", kMaxRows)));
                    return false;
                }
                if (Run* run = find(row.text(0))) {
                    const RowPlace place{static_cast<double>(row.integer(2)), kNothing,
                                         static_cast<double>(row.integer(4)) / 1000};
                    const double value = valueOf(row.real(3), row.integer(5) != 0);
                    m_table.add(columnOf(*run, row.text(1)), place, value);
                }
                return true;
            });
    }

    Result<void> readParams(Database& database) {
        return readTexts(database, "params", "SELECT run_uuid, key, value FROM params NOT INDEXED",
                         [](Run& run, std::string_view key, std::string_view value) {
                             run.settings.push_back({Value(key), Value(value)});
                         });
    }

    /// MLflow's own tags ("mlflow.user") describe the place of the run, not the training.
    Result<void> readTags(Database& database) {
        return readTexts(database, "tags", "SELECT run_uuid, key, value FROM tags NOT INDEXED",
                         [](Run& run, std::string_view key, std::string_view value) {
                             if (!key.starts_with("mlflow.")) {
                                 run.tags.push_back({Value(key), Value(value)});
                             }
                         });
    }

    template <class Take>
    Result<void> readTexts(Database& database, const char* table, const char* sql, Take&& take) {
        CAIRN_TRY(const bool there, database.hasTable(table));
        if (!there) {
            return {};
        }
        std::size_t rows = 0;
        std::size_t bytes = 0;
        return database.select(sql, [&](const Row& row) {
            bytes += row.text(1).size() + row.text(2).size();
            if (++rows > kMaxSettings || bytes > kMaxSettingBytes) {
                note(Severity::Warning,
                     fail(ErrorCode::LimitExceeded, "More settings than can be shown"));
                return false;
            }
            Run* run = find(row.text(0));
            if (run != nullptr && row.text(1).size() <= kMaxName) {
                take(*run, row.text(1), row.text(2));
            }
            return true;
        });
    }

    void note(Severity severity, Error error) {
        error.where.file = m_database->name();
        m_notices.push_back({severity, std::move(error)});
    }

    HistoryPart finish() {
        HistoryPart part;
        const std::vector<Notice> limits = m_table.notices();
        part.warnings = std::move(m_notices);
        part.warnings.insert(part.warnings.end(), limits.begin(), limits.end());
        part.series = m_table.take();
        numberUnplaced(part);
        part.bytes = m_database->size();
        std::vector<ValueItem> settings;
        for (Run& run : m_runs) {
            if (!run.tags.empty()) {
                run.settings.push_back({Value("tags"), Value::dict(std::move(run.tags))});
            }
            if (m_runs.size() == 1) {
                settings = std::move(run.settings);
            } else if (!run.settings.empty()) {
                settings.push_back({Value(run.name), Value::dict(std::move(run.settings))});
            }
        }
        if (!settings.empty()) {
            part.settings = Value::dict(std::move(settings));
        }
        return part;
    }

    ByteSourcePtr m_database;
    ReadOnlyVfs m_vfs;
    const CancelToken& m_cancel;
    std::string_view m_only;
    std::vector<Run> m_runs;
    std::unordered_map<std::string, std::size_t> m_places;
    std::size_t m_lastRun = 0;
    std::string m_key;
    SeriesTable m_table;
    std::vector<Notice> m_notices;
};

} // namespace

Result<HistoryPart> readStore(DatabaseFiles files, const CancelToken& cancel,
                              std::string_view run) {
    return StoreReader(std::move(files), cancel, run).read();
}

Result<std::vector<HeldRun>> listStore(DatabaseFiles files, const CancelToken& cancel) {
    return StoreReader(std::move(files), cancel, {}).list();
}

} // namespace cairn::history::mlflow_db
