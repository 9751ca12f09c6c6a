// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/optuna/store.h"
#include "core/runs/history/trackio/store.h"
#include "tests/core/history_binary/database_writer.h"

#include <cmath>
#include <random>

namespace cairn::history_test {
namespace {

constexpr const char* kTrackio =
    "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT, timestamp TEXT, "
    "run_name TEXT, step INTEGER, metrics TEXT);"
    "CREATE TABLE configs (id INTEGER PRIMARY KEY, run_id TEXT, run_name TEXT, config TEXT);";

std::string logged(const std::string& run, int step, const std::string& metrics) {
    return "INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES('" + run +
           "', '2026-01-02T03:04:05.250000+01:00', 'name', " + std::to_string(step) + ", '" +
           metrics + "');";
}

/// Beyond the bytes that are read for probing, and with a table in between.
TEST(TrackioDatabase, TablesAreFoundAnywhereInTheFile) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "project.db";
    Writer writer(path);
    std::string others;
    for (int i = 0; i < 400; ++i) {
        others += "CREATE TABLE other" + std::to_string(i) + " (" + std::string(300, 'c') + ");";
    }
    writer.run("PRAGMA page_size=512").run(others).run(kTrackio);
    writer.run(logged("a", 0, R"({"loss": 2.5})"));
    const Offered offered(path);
    EXPECT_EQ(asText(offered.candidate.head).find("metrics"), std::string_view::npos);
    EXPECT_TRUE(history::trackio::kReader.recognises(offered.candidate));
    EXPECT_FALSE(history::optuna::kReader.recognises(offered.candidate));
    EXPECT_FALSE(history::mlflow_db::kReader.recognises(offered.candidate));
}

TEST(TrackioDatabase, IsReadWhileItIsWritten) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "project.db";
    Writer writer(path);
    writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;").run(kTrackio);
    writer.run(logged("a", 0, R"({"loss": 2.5})") + logged("a", 1, R"({"loss": "NaN"})") +
               logged("a", 1, "not JSON") +
               logged("a", 2, R"({"loss": "Infinity", "i": {"_type": "image", "size": 3}})"));
    const std::string before = allBytes(folder.path());
    const auto part = readWith(history::trackio::kReader, path);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(allBytes(folder.path()), before);
    ASSERT_EQ(part->series.size(), 1U);
    const MetricSeries& loss = part->series[0];
    EXPECT_EQ(loss.steps, (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(loss.stepsStrength, Strength::Named); // calls of log
    EXPECT_EQ(loss.wall[0], 1767319445.25);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_EQ(loss.values[2], std::numeric_limits<double>::infinity());
    EXPECT_NE(findNotice(*part, ErrorCode::HistoryBadRow), nullptr);
}

TEST(TrackioDatabase, StepsOfTheCallerAreSteps) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "project.db";
    Writer(path).run(kTrackio).run(logged("gaps", 0, R"({"loss": 1})") +
                                   logged("gaps", 10, R"({"loss": 2})") +
                                   logged("column", 0, R"({"loss": 1, "train/global_step": 50})") +
                                   logged("column", 1, R"({"other": 2})") +
                                   logged("column", 2, R"({"loss": 3, "train/global_step": 100})"));
    const auto part = readWith(history::trackio::kReader, path);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "name/loss")->stepsStrength, Strength::Recorded);
    const MetricSeries* column = find(*part, "name (column)/loss");
    ASSERT_NE(column, nullptr); // two runs of one name
    EXPECT_EQ(column->steps, (std::vector<double>{50, 100}));
    EXPECT_EQ(column->stepsStrength, Strength::Recorded);
    EXPECT_EQ(find(*part, "name (column)/other")->steps, (std::vector<double>{50}));
    EXPECT_EQ(find(*part, "name (column)/_step"), nullptr);
}

constexpr const char* kOptuna =
    "CREATE TABLE studies (study_id INTEGER PRIMARY KEY, study_name VARCHAR(512));"
    "CREATE TABLE study_directions (direction VARCHAR(8), study_id INTEGER, objective INTEGER);"
    "CREATE TABLE trials (trial_id INTEGER PRIMARY KEY, number INTEGER, study_id INTEGER, state "
    "VARCHAR(8));"
    "CREATE TABLE trial_params (trial_id INTEGER, param_name VARCHAR(512), param_value FLOAT, "
    "distribution_json TEXT);"
    "CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value FLOAT, value_type "
    "VARCHAR(7));"
    "CREATE TABLE trial_intermediate_values (trial_id INTEGER, step INTEGER, intermediate_value "
    "FLOAT, intermediate_value_type VARCHAR(7));";

TEST(OptunaDatabase, DamagedParametersDoNotHideTheTrial) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "study.db";
    Writer(path).run(kOptuna).run(
        "INSERT INTO studies VALUES(1, 's'); INSERT INTO study_directions VALUES('MAXIMIZE', 1, 0);"
        "INSERT INTO trials VALUES(1, 0, 1, 'RUNNING'), (2, 1, 1, 'WAITING'), (3, 0, 7, 'FAIL');"
        "INSERT INTO trial_params VALUES(1, 'a', 3.0, 'not JSON'), "
        "(1, 'b', 9, '{\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": "
        "[1]}}'),"
        "(1, 'c', 2.0, '{\"name\": \"IntDistribution\"}'), (9, 'd', 1, '');"
        "INSERT INTO trial_intermediate_values VALUES(1, 5, NULL, 'NAN'), (1, 7, 0.5, 'FINITE'),"
        "(9, 1, 1, 'FINITE');");
    const auto part = readWith(history::optuna::kReader, path);
    ASSERT_TRUE(part) << describe(part.error());
    ASSERT_EQ(part->series.size(), 1U);
    EXPECT_EQ(part->series[0].name, "intermediate_value");
    EXPECT_EQ(part->series[0].steps, (std::vector<double>{5, 7}));
    EXPECT_TRUE(std::isnan(part->series[0].values[0]));
    EXPECT_EQ(*part->settings.find("a")->asFloat(), 3);
    EXPECT_EQ(part->settings.find("b")->kind(), ValueKind::Null);
    EXPECT_EQ(*part->settings.find("c")->asInt(), 2);
    ASSERT_EQ(part->goals.size(), 2U);
    EXPECT_EQ(part->goals[0].better, names::Direction::Larger);
}

TEST(Stores, OtherDatabasesAreOfNobody) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "other.db";
    Writer(path).run("CREATE TABLE metrics (a); CREATE TABLE trials (b); CREATE TABLE studies (c);"
                     "CREATE TABLE trial_values (d); CREATE TABLE runs (e);");
    const Offered offered(path);
    for (const HistoryReader* reader :
         {&history::optuna::kReader, &history::trackio::kReader, &history::mlflow_db::kReader}) {
        EXPECT_FALSE(reader->recognises(offered.candidate)) << reader->id;
    }
    const TemporaryFolder views;
    const fs::path view = views.path() / "other.db";
    Writer(view).run("CREATE VIEW metrics AS SELECT 'r' AS run_name, 't' AS timestamp, 0 AS step, "
                     "randomblob(1000000000) AS metrics;");
    EXPECT_FALSE(history::trackio::kReader.recognises(Offered(view).candidate));
}

TEST(Stores, DamagedPagesGiveAnAnswer) {
    for (const auto& [store, file] :
         {std::pair(&history::optuna::kStore, "optuna/storage/study.db"),
          std::pair(&history::trackio::kStore, "trackio/project/project.db")}) {
        const std::string whole = readAll(fs::path(CAIRN_TEST_DATA) / file);
        const auto readBytes = [store = store](const std::string& bytes) {
            return history::sqlite::readStore(*store, {memory(bytes), nullptr, nullptr}, {}, {});
        };
        ASSERT_TRUE(readBytes(whole));
        for (std::size_t length = 0; length < whole.size(); length += 3000) {
            static_cast<void>(readBytes(whole.substr(0, length)));
        }
        std::mt19937 random(4);
        std::size_t refused = 0;
        for (int i = 0; i < 200; ++i) {
            std::string damaged = whole;
            for (int flips = 0; flips < 8; ++flips) {
                damaged[random() % damaged.size()] = static_cast<char>(random());
            }
            refused += readBytes(damaged) ? 0 : 1;
        }
        EXPECT_GT(refused, 0U);
    }
}

} // namespace
} // namespace cairn::history_test
