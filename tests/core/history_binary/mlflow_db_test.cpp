// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/mlflow_db/store.h"
#include "tests/core/history_binary/database_writer.h"

#include <cmath>
#include <random>
#include <set>
#include <thread>

namespace cairn::history_test {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE runs (run_uuid VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(250), "
    "  status VARCHAR(9), start_time BIGINT, lifecycle_stage VARCHAR(20));"
    "CREATE TABLE metrics (key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT "
    "NULL, "
    "  run_uuid VARCHAR(32) NOT NULL, step BIGINT DEFAULT '0' NOT NULL, is_nan BOOLEAN DEFAULT '0' "
    "NOT NULL, "
    "  PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan));"
    "CREATE TABLE params (key VARCHAR(250) NOT NULL, value VARCHAR(8000) NOT NULL, "
    "  run_uuid VARCHAR(32) NOT NULL, PRIMARY KEY (key, run_uuid));";
constexpr const char* kOneRun = "INSERT INTO runs VALUES('r1', 'first', 'FINISHED', 1, 'active');";
constexpr const char* kPoints =
    "INSERT INTO metrics VALUES('loss', 0.5, 1500, 'r1', 2, 0), ('loss', 0.25, 1000, 'r1', 1, 0), "
    "('loss', 0, 2000, 'r1', 3, 1), ('loss', 1.7976931348623157e308, 2000, 'r1', 4, 0);";

Result<HistoryPart> read(const fs::path& path) {
    return readWith(history::mlflow_db::kReader, path);
}

TEST(MlflowDatabase, PointsComeInTheOrderOfWriting) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(kOneRun).run(kPoints);
    const std::string before = allBytes(folder.path());
    const auto part = read(path);
    ASSERT_TRUE(part) << describe(part.error());
    const MetricSeries& loss = *find(*part, "loss");
    EXPECT_EQ(loss.steps, (std::vector<double>{2, 1, 3, 4}));
    EXPECT_EQ(loss.wall[0], 1.5);
    EXPECT_TRUE(std::isnan(loss.values[2]));
    EXPECT_EQ(loss.values[3], std::numeric_limits<double>::infinity());
    EXPECT_EQ(allBytes(folder.path()), before);
}

TEST(MlflowDatabase, SeveralRunsKeepTheirNamesApart) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(
        "INSERT INTO runs VALUES('r1','a','',1,'active'),('r2','a','',2,'active'),"
        "('r3','gone','',3,'deleted'),('r4444444444','','',4,'active');"
        "INSERT INTO metrics "
        "VALUES('loss',1,0,'r1',0,0),('loss',2,0,'r2',0,0),('loss',3,0,'r3',0,0),"
        "('loss',4,0,'r4444444444',0,0),('loss',5,0,'nobody',0,0);"
        "INSERT INTO params VALUES('lr','0.1','r2'),('lr','0.2','r3');");
    const auto part = read(path);
    ASSERT_TRUE(part) << describe(part.error());
    ASSERT_EQ(part->series.size(), 3U);
    EXPECT_EQ(find(*part, "a/loss")->values[0], 1);
    EXPECT_EQ(find(*part, "a (r2)/loss")->values[0], 2);
    EXPECT_EQ(find(*part, "r4444444/loss")->values[0], 4);
    EXPECT_EQ(*part->settings.findPath({"a (r2)", "lr"})->asString(), "0.1");
    EXPECT_NE(allNotices(*part).find("1 runs"), std::string::npos); // the deleted one
}

TEST(MlflowDatabase, EachRunCanBeReadAlone) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(
        "CREATE TABLE tags (key VARCHAR(250) NOT NULL, value VARCHAR(8000), run_uuid VARCHAR(32) "
        "NOT NULL, PRIMARY KEY (key, run_uuid));"
        "INSERT INTO runs VALUES('r1','a','',1,'active'),('r2','b','',2,'active'),"
        "('r3','gone','',3,'deleted');"
        "INSERT INTO metrics VALUES('loss',1,0,'r1',0,0),('loss',2,0,'r2',0,0);"
        "INSERT INTO params VALUES('lr','0.1','r1'),('lr','0.2','r2');"
        "INSERT INTO tags VALUES('team','x','r2'),('mlflow.user','y','r2');");
    const auto found = findHistories(path, path);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->found.size(), 1U);
    const auto runs = history::mlflow_db::kReader.runsIn(found->found[0].candidate, {});
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 2U);
    EXPECT_EQ(runs->at(1).id, "r2");
    EXPECT_EQ(runs->at(1).name, "b");
    const auto history = readHistory(path / heldRunName("r2"), folder.path());
    ASSERT_TRUE(history) << describe(history.error());
    ASSERT_EQ(history->series.size(), 1U);
    EXPECT_EQ(history->series[0].name, "loss");
    EXPECT_EQ(history->series[0].values, std::vector<double>{2});
    EXPECT_EQ(*history->settings.findPath({"mlflow.db", "lr"})->asString(), "0.2");
    EXPECT_EQ(*history->settings.findPath({"mlflow.db", "tags", "team"})->asString(), "x");
    EXPECT_EQ(history->settings.findPath({"mlflow.db", "tags", "mlflow.user"}), nullptr);
}

TEST(MlflowDatabase, PointsWithoutAStepAreNumbered) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(kOneRun).run(
        "INSERT INTO metrics VALUES('loss',3,1,'r1',0,0),('loss',2,2,'r1',0,0),"
        "('loss',1,3,'r1',0,0),('acc',1,3,'r1',0,0),('acc',2,3,'r1',5,0);");
    const auto part = read(path);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->steps, (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(find(*part, "loss")->stepsFrom, StepsFrom::Count);
    EXPECT_EQ(find(*part, "acc")->steps, (std::vector<double>{0, 5}));
    EXPECT_NE(allNotices(*part).find("without a step"), std::string::npos);
}

TEST(HeldRuns, AnIdIsOneComponentOfAPath) {
    for (const std::string id : {"0af3", "a/b", "..", "50%", "%2F", ".hidden", "a\nb"}) {
        const std::string name = heldRunName(id);
        EXPECT_EQ(heldRunId(name), id);
        EXPECT_EQ(name.find('/'), std::string::npos) << id;
        EXPECT_FALSE(name.starts_with('.')) << id;
    }
}

/// The write-ahead log is read; no "-shm" file is created, and nothing is checkpointed or deleted.
TEST(MlflowDatabase, AWriteAheadLogIsReadAndLeftAlone) {
    const TemporaryFolder live;
    const fs::path path = live.path() / "mlflow.db";
    Writer writer(path);
    writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;")
        .run(kSchema)
        .run(kOneRun)
        .run(kPoints);

    // The run is still writing.
    ASSERT_EQ(namesIn(live.path()),
              (std::set<std::string>{"mlflow.db", "mlflow.db-shm", "mlflow.db-wal"}));
    const std::string before = allBytes(live.path());
    auto part = read(path);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->size(), 4U);
    EXPECT_EQ(allBytes(live.path()), before);
    writer.run("INSERT INTO metrics VALUES('loss', 9, 1, 'r1', 9, 0)"); // it was not locked out
    EXPECT_EQ(find(*read(path), "loss")->size(), 5U);

    // A killed run, or a copy of two of the three files.
    const TemporaryFolder copy;
    fs::copy(path, copy.path() / "mlflow.db");
    fs::copy(live.path() / "mlflow.db-wal", copy.path() / "mlflow.db-wal");
    const std::string copied = allBytes(copy.path());
    part = read(copy.path() / "mlflow.db");
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->size(), 5U);
    EXPECT_EQ(allBytes(copy.path()), copied);

    // Without its log, the database is as of the last checkpoint: empty.
    fs::remove(copy.path() / "mlflow.db-wal");
    EXPECT_FALSE(read(copy.path() / "mlflow.db"));
    EXPECT_EQ(namesIn(copy.path()), (std::set<std::string>{"mlflow.db"}));
}

TEST(MlflowDatabase, AReadOnlyFolderIsEnough) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run("PRAGMA journal_mode=WAL").run(kSchema).run(kOneRun).run(kPoints);
    fs::permissions(path, fs::perms::owner_read);
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto part = read(path);
    fs::permissions(folder.path(), fs::perms::owner_all);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->size(), 4U);
}

/// A process that died within a transaction leaves its journal. Its changes are shown, with a
/// warning; rolling them back would require writing.
TEST(MlflowDatabase, AnUnfinishedTransactionIsTold) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(kOneRun).run(kPoints);
    const TemporaryFolder copy;
    {
        Writer writer(path);
        writer.run("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE;");
        for (int step = 100; step < 3000; ++step) {
            writer.run("INSERT INTO metrics VALUES('loss', 1, " + std::to_string(step) +
                       ", 'r1', " + std::to_string(step) + ", 0)");
        }
        for (const std::string& name : namesIn(folder.path())) {
            fs::copy(folder.path() / name, copy.path() / name);
        }
        writer.run("ROLLBACK");
    }
    ASSERT_TRUE(fs::exists(copy.path() / "mlflow.db-journal"));
    const std::string before = allBytes(copy.path());
    const auto part = read(copy.path() / "mlflow.db");
    EXPECT_EQ(namesIn(copy.path()), (std::set<std::string>{"mlflow.db", "mlflow.db-journal"}));
    EXPECT_EQ(allBytes(copy.path()), before);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_NE(findNotice(*part, ErrorCode::BeingWritten), nullptr);
    EXPECT_GE(find(*part, "loss")->size(), 4U);
}

Result<HistoryPart> readMade(const std::string& sql) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(sql);
    return read(path);
}

TEST(MlflowDatabase, ViewsAndVirtualTablesAreRefused) {
    const std::string endless =
        "CREATE VIEW metrics AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT 'r1' AS run_uuid, 'loss' AS key, 1.0 AS value, i AS step, i AS timestamp, 0 AS "
        "is_nan FROM n;";
    const std::string runs = "CREATE TABLE runs (run_uuid, name, start_time, lifecycle_stage);";
    for (const std::string& sql :
         {runs + endless,
          std::string("CREATE VIEW runs AS SELECT randomblob(1000000000) AS run_uuid;"),
          std::string("CREATE VIRTUAL TABLE runs USING fts5(run_uuid, name);")}) {
        const auto part = readMade(sql);
        ASSERT_FALSE(part) << sql;
        EXPECT_EQ(part.error().code, ErrorCode::Unsupported) << describe(part.error());
    }
}

TEST(MlflowDatabase, ComputedColumnsAndHugeTextsAreBounded) {
    const std::string metrics = "CREATE TABLE metrics (run_uuid, value, step, timestamp, is_nan, ";
    const std::string computed =
        std::string("CREATE TABLE runs (run_uuid, name, start_time, lifecycle_stage);") + metrics +
        "key AS (hex(zeroblob(step * 1000))));";
    auto part = readMade(computed + "INSERT INTO metrics VALUES('r1', 1, 1, 1, 0);");
    ASSERT_FALSE(part); // generated columns are not evaluated
    EXPECT_EQ(part.error().code, ErrorCode::Unsupported) << describe(part.error());

    const std::string huge =
        std::string(kSchema) + kOneRun + kPoints +
        "INSERT INTO metrics VALUES(hex(zeroblob(20000000)), 1, 1, 'r1', 1, 0);";
    part = readMade(huge);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->size(), 4U);
    EXPECT_NE(findNotice(*part, ErrorCode::LimitExceeded), nullptr) << allNotices(*part);
}

/// The inner pages of a table, each pointing to the next one many times: a small file with more
/// rows than could be read.
std::string leadInCircles(std::string file) {
    const auto bytesAt = [&](std::size_t at, std::size_t count) {
        std::size_t number = 0;
        for (std::size_t i = 0; i < count; ++i) {
            number = number << 8U | static_cast<std::uint8_t>(file[at + i]);
        }
        return number;
    };
    const std::size_t pageBytes = bytesAt(16, 2);
    std::vector<std::size_t> inner;
    for (std::size_t at = pageBytes; at < file.size(); at += pageBytes) {
        if (file[at] == 5) {
            inner.push_back(at);
        }
    }
    for (std::size_t i = 0; i + 1 < inner.size(); ++i) {
        const std::size_t next = inner[i + 1] / pageBytes + 1;
        for (std::size_t cell = 0; cell < bytesAt(inner[i] + 3, 2); ++cell) {
            const std::size_t child = inner[i] + bytesAt(inner[i] + 12 + 2 * cell, 2);
            for (std::size_t k = 0; k < 4; ++k) {
                file[child + k] = static_cast<char>(next >> (8 * (3 - k)));
            }
        }
    }
    EXPECT_GE(inner.size(), 5U);
    return file;
}

TEST(MlflowDatabase, ATableWithoutEndIsLeftSoon) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path)
        .run("PRAGMA page_size=512")
        .run("CREATE TABLE runs (run_uuid, name, start_time, lifecycle_stage);"
             "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);")
        .run("INSERT INTO runs VALUES('r1', 'first', 1, 'active');"
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) "
             "INSERT INTO metrics SELECT 'loss', i, i, 'r1', i, 0 FROM n;");
    folder.write("mlflow.db", leadInCircles(readAll(path)));
    const CpuTime spent;
    const auto part = read(path);
    EXPECT_LT(spent.seconds(), 20);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_GT(find(*part, "loss")->size(), 9000U);
    EXPECT_LT(find(*part, "loss")->size(), 3'000'000U);
    ASSERT_NE(findNotice(*part, ErrorCode::LimitExceeded), nullptr) << allNotices(*part);
    EXPECT_NE(allNotices(*part).find("cycle"), std::string::npos);
}

/// Indexes, triggers, checks and defaults of any kind are never evaluated.
TEST(MlflowDatabase, WhatASchemaWouldRunIsNotRun) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(kOneRun).run(kPoints).run(
        "CREATE INDEX hostile ON metrics(hex(key), step) WHERE length(hex(key)) > 0;"
        "CREATE INDEX covering ON metrics(run_uuid DESC, key, step DESC, value, timestamp, is_nan);"
        "CREATE TRIGGER fires AFTER INSERT ON metrics BEGIN DELETE FROM runs; END;"
        "CREATE VIEW latest AS SELECT randomblob(1000000) FROM metrics;"
        "ALTER TABLE runs ADD COLUMN more DEFAULT 'x' CHECK (length(more) < 5);");
    const std::string before = allBytes(folder.path());
    const auto part = read(path);
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(find(*part, "loss")->steps, (std::vector<double>{2, 1, 3, 4}));
    EXPECT_TRUE(part->warnings.empty()) << allNotices(*part);
    EXPECT_EQ(allBytes(folder.path()), before);
}

TEST(MlflowDatabase, OtherDatabasesAndDamageAreNamed) {
    auto part = readMade("CREATE TABLE other (x);");
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::NotACheckpoint);
    part = readMade("CREATE TABLE runs (x); CREATE TABLE metrics (y);");
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::BadEncoding);
    EXPECT_NE(part.error().found.text().find("no such column"), std::string::npos);
}

/// A schema that is not SQL, and invalid pages: a result or an error, never a crash, for any
/// truncation and any changed bit.
TEST(MlflowDatabase, DamagedPagesGiveAnAnswer) {
    const std::string whole =
        readAll(fs::path(CAIRN_TEST_DATA) / "mlflow/mlflow_database/mlflow.db");
    const auto readBytes = [](const std::string& bytes) {
        return history::sqlite::readStore(history::mlflow_db::kStore,
                                          {memory(bytes), nullptr, nullptr}, {}, {});
    };
    ASSERT_TRUE(readBytes(whole));
    for (std::size_t length = 0; length < whole.size(); length += 1000) {
        static_cast<void>(readBytes(whole.substr(0, length)));
    }
    std::mt19937 random(4);
    std::size_t refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string damaged = whole;
        for (int flips = 0; flips < 8; ++flips) {
            damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        refused += readBytes(damaged) ? 0 : 1;
    }
    EXPECT_GT(refused, 0U);
    std::string schema = whole;
    for (std::size_t at = 0; (at = schema.find("CREATE TABLE", at)) != std::string::npos; ++at) {
        schema.replace(at, 12, "CREATE T4BLE");
    }
    EXPECT_FALSE(readBytes(schema));
}

TEST(MlflowDatabase, StopsWhenCancelled) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "mlflow.db";
    Writer(path).run(kSchema).run(kOneRun).run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) "
        "INSERT INTO metrics SELECT 'loss', i, i, 'nobody', i, 0 FROM n;");
    const CancelToken cancel;
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        cancel.cancel();
    });
    const auto part = readWith(history::mlflow_db::kReader, path, cancel);
    stopper.join();
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::history_test
