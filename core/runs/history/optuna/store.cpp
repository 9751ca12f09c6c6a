// SPDX-License-Identifier: Apache-2.0
//
// Tables of optuna/storages/_rdb/models.py, schema version 12 (Optuna 3 to 5):
//   studies                   study_id, study_name
//   study_directions          study_id, direction, objective
//   trials                    trial_id, number, study_id, state
//   trial_params              trial_id, param_name, param_value, distribution_json
//   trial_values              trial_id, objective, value, value_type
//   trial_intermediate_values trial_id, step, intermediate_value, intermediate_value_type
//   trial_user_attributes     trial_id, key, value_json
// A value whose type is not FINITE is stored as NULL.
#include "core/runs/history/optuna/store.h"

#include "core/codec/json/json_value.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/optuna/trial_values.h"

#include <array>
#include <cmath>
#include <map>

namespace cairn::history::optuna {
namespace {

using sqlite::Database;
using sqlite::Row;
using sqlite::StoreRuns;

constexpr auto kTables = std::to_array<std::string_view>(
    {"studies", "study_directions", "trials", "trial_params", "trial_values",
     "trial_intermediate_values", "trial_user_attributes"});
constexpr auto kRequired = std::to_array<std::string_view>({"studies", "trials", "trial_values"});

/// The number in column `column`, whose type is in the next one.
double storedValue(const Row& row, int column) {
    const std::string_view type = row.text(column + 1);
    if (type == "INF_POS") {
        return std::numeric_limits<double>::infinity();
    }
    if (type == "INF_NEG") {
        return -std::numeric_limits<double>::infinity();
    }
    return row.isNull(column) ? kNothing : row.real(column);
}

/// Trials are named by their study and number, and identified by the key to which the other tables
/// refer, in a form that no folder is called, because a number alone may be.
Result<void> listTrials(Database& database, StoreRuns& store) {
    std::map<std::string, std::string, std::less<>> studies; // name by id
    CAIRN_CHECK(store.eachRow(database, "SELECT study_id, study_name FROM studies NOT INDEXED",
                              [&](const Row& row) {
                                  if (studies.size() < FileRuns::kMaxRuns) {
                                      studies.emplace(row.text(0), row.text(1));
                                  }
                              }));
    CAIRN_CHECK(store.eachRow(
        database, "SELECT trial_id, number, study_id, state FROM trials NOT INDEXED",
        [&](const Row& row) {
            const std::string id = trialId(row.integer(0));
            const auto study = studies.find(row.text(2));
            const std::string state(row.text(3));
            if (study == studies.end() || state == "WAITING") {
                return;
            }
            const FileRuns::Run* trial =
                store.runs.add(id, study->second + "/" + std::to_string(row.integer(1)));
            if (trial != nullptr && !store.only.empty() && state != "COMPLETE") {
                store.note(Severity::Info, fail(ErrorCode::BeingWritten,
                                                "The trial did not complete, according to Optuna")
                                               .butFound(verbatim(state)));
            }
        }));
    store.runs.arrange(false);
    return {};
}

Result<void> readParameters(Database& database, StoreRuns& store) {
    return store.eachSetting(
        database, "trial_params",
        "SELECT 'trial_id=' || trial_id, param_name, distribution_json, param_value FROM "
        "trial_params NOT INDEXED",
        [](FileRuns::Run& trial, const Row& row) {
            trial.settings.push_back({Value(row.text(1)), parameterOf(row.real(3), row.text(2))});
        });
}

Result<void> readAttributes(Database& database, StoreRuns& store) {
    std::map<FileRuns::Run*, std::vector<ValueItem>> attributes;
    const auto read = store.eachSetting(
        database, "trial_user_attributes",
        "SELECT 'trial_id=' || trial_id, key, value_json FROM trial_user_attributes NOT INDEXED",
        [&](FileRuns::Run& trial, const Row& row) {
            const auto json = parseJson(row.text(2), "value_json");
            attributes[&trial].push_back(
                {Value(row.text(1)), json ? valueOf(*json) : Value(row.text(2))});
        });
    for (auto& [trial, items] : attributes) {
        trial->settings.push_back({Value("user_attrs"), Value::dict(std::move(items))});
    }
    return read;
}

/// The values of trials, with the directions of their studies.
class Values {
public:
    Values(Database& database, StoreRuns& store) : m_database(database), m_store(store) {}

    Result<void> read() {
        CAIRN_CHECK(readDirections());
        CAIRN_CHECK(readIntermediate());
        CAIRN_CHECK(m_store.orWarn(readFinal()));
        addGoals();
        return {};
    }

private:
    using Directions = std::map<std::int64_t, names::Direction>; ///< keyed by objective

    Result<void> readDirections() {
        CAIRN_CHECK(m_store.eachRow(
            m_database, "SELECT 'trial_id=' || trial_id, study_id FROM trials NOT INDEXED",
            [&](const Row& row) {
                if (const FileRuns::Run* trial = m_store.runs.find(row.text(0))) {
                    m_studyOf.emplace(trial, row.text(1));
                }
            }));
        CAIRN_TRY(const bool there, m_database.hasTable("study_directions"));
        if (!there) {
            return {};
        }
        return m_store.eachRow(
            m_database, "SELECT study_id, objective, direction FROM study_directions NOT INDEXED",
            [&](const Row& row) {
                const std::string direction(row.text(2));
                if (m_studies.size() < FileRuns::kMaxRuns) {
                    m_studies[std::string(row.text(0))][row.integer(1)] =
                        direction == "MINIMIZE"   ? names::Direction::Smaller
                        : direction == "MAXIMIZE" ? names::Direction::Larger
                                                  : names::Direction::Unknown;
                }
            });
    }

    Result<void> readIntermediate() {
        CAIRN_TRY(const bool there, m_database.hasTable("trial_intermediate_values"));
        if (!there) {
            return {};
        }
        return m_store.eachRow(
            m_database,
            "SELECT 'trial_id=' || trial_id, step, intermediate_value, intermediate_value_type "
            "FROM trial_intermediate_values NOT INDEXED",
            [&](const Row& row) {
                if (FileRuns::Run* trial = m_store.runs.find(row.text(0))) {
                    const RowPlace place{row.integer(1)};
                    m_store.runs.addPoint(*trial, kIntermediate, place, storedValue(row, 2));
                }
            });
    }

    /// Final values have no step.
    Result<void> readFinal() {
        return m_store.eachRow(
            m_database,
            "SELECT 'trial_id=' || trial_id, objective, value, value_type FROM trial_values NOT "
            "INDEXED",
            [&](const Row& row) {
                if (FileRuns::Run* trial = m_store.runs.find(row.text(0))) {
                    RowPlace place{0};
                    place.stepFrom = StepsFrom::Count;
                    m_store.runs.addPoint(*trial,
                                          valueName(directionsOf(trial).size(), row.integer(1)),
                                          place, storedValue(row, 2));
                }
            });
    }

    /// Of all trials together only if there is one: studies may differ.
    void addGoals() {
        if (m_store.runs.size() != 1) {
            return;
        }
        const Directions& all = directionsOf(&m_store.runs.all().front());
        for (const auto& [objective, better] : all) {
            if (better != names::Direction::Unknown) {
                m_store.part.goals.push_back({valueName(all.size(), objective), better, true});
            }
            if (better != names::Direction::Unknown && all.size() == 1) {
                m_store.part.goals.push_back({std::string(kIntermediate), better, true});
            }
        }
    }

    const Directions& directionsOf(const FileRuns::Run* trial) {
        static const Directions kNone;
        const auto study = m_studyOf.find(trial);
        const auto known =
            study == m_studyOf.end() ? m_studies.end() : m_studies.find(study->second);
        return known == m_studies.end() ? kNone : known->second;
    }

    Database& m_database;
    StoreRuns& m_store;
    std::map<const FileRuns::Run*, std::string> m_studyOf;
    std::map<std::string, Directions> m_studies;
};

Result<void> readTrials(Database& database, StoreRuns& store) {
    CAIRN_CHECK(Values(database, store).read());
    CAIRN_CHECK(store.orWarn(readParameters(database, store)));
    return store.orWarn(readAttributes(database, store));
}

} // namespace

const sqlite::Store kStore{.title = "Optuna",
                           .tables = kTables,
                           .required = kRequired,
                           .list = listTrials,
                           .read = readTrials};

} // namespace cairn::history::optuna
