// SPDX-License-Identifier: Apache-2.0
// Folders that nobody would make on purpose, and some that somebody would.
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <fcntl.h>
#include <thread>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findCheckpoint;
using test::smallSafetensors;
using test::TemporaryFolder;

bool says(const Experiment& experiment, ErrorCode code) {
    return std::any_of(experiment.notices.begin(), experiment.notices.end(),
                       [&](const Notice& notice) { return notice.error.code == code; });
}

TEST(BadFolders, NothingInIt) {
    const TemporaryFolder folder;
    const auto empty = scanExperiment(folder.path());
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->runs.empty());
    EXPECT_EQ(empty->newestComplete(), nullptr);
    EXPECT_EQ(empty->folders, std::vector<fs::path>{folder.path()}) << "something may appear";
    folder.write("run/metrics.csv", "step,loss\n1,2\n");
    folder.write("run/model.py", "print()");
    const auto logs = scanExperiment(folder.path());
    ASSERT_TRUE(logs);
    ASSERT_EQ(logs->runs.size(), 1U) << "logs alone are a run";
    EXPECT_EQ(logs->runs.front().id, "run");
    EXPECT_TRUE(logs->runs.front().checkpoints.empty());
    EXPECT_EQ(logs->newestComplete(), nullptr);
    EXPECT_TRUE(logs->notices.empty());
}

TEST(BadFolders, OneCheckpointIsLatestAndNotTheBestOfOne) {
    const TemporaryFolder folder;
    folder.write("run/model.safetensors", smallSafetensors());
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    const ScannedCheckpoint& only = experiment->runs.at(0).checkpoints.at(0);
    EXPECT_TRUE(only.latest);
    EXPECT_FALSE(only.best);
    EXPECT_EQ(stepFromName(only), "time");
}

TEST(BadFolders, LinksInCirclesAreNotWalked) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.link("run/up", "..");
    folder.link("run/self", "self");
    folder.link("run/a.safetensors", "b.safetensors");
    folder.link("run/b.safetensors", "a.safetensors");
    folder.link("step-2", "run/up/run");
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    ASSERT_EQ(experiment->runs.size(), 1U);
    EXPECT_EQ(experiment->checkpoints(), 1U);
    for (const char* name : {"a.safetensors", "b.safetensors"}) {
        const ScannedCheckpoint* link = findCheckpoint(experiment->runs[0], name);
        ASSERT_NE(link, nullptr);
        EXPECT_EQ(link->state, CheckpointState::Damaged);
        EXPECT_FALSE(link->latest);
    }
}

TEST(BadFolders, NamesThatAreNoUtf8) {
    const TemporaryFolder folder;
    const std::string name = "r\xffn/step-1\xc3.safetensors";
    folder.write(name, smallSafetensors());
    folder.write("r\xffn/step-2\n\x1b[31m.safetensors", smallSafetensors());
    folder.link("r\xffn/last.safetensors", "step-1\xc3.safetensors");
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    const ScannedRun& run = experiment->runs.at(0);
    EXPECT_EQ(run.id, "r\xffn") << "bytes as they are";
    ASSERT_EQ(run.checkpoints.size(), 3U);
    EXPECT_EQ(run.checkpoints[0].step, 1);
    EXPECT_EQ(run.checkpoints[1].linkTo, "step-1\xc3.safetensors");
    EXPECT_EQ(run.checkpoints[2].step, 2);
    const TemporaryFolder home;
    const IndexCache cache(home.path());
    for (const std::size_t hits : {0U, 1U}) {
        FactsCache factsCache(cache, folder.path());
        const auto facts = factsCache.examine(run.checkpoints[0], {});
        ASSERT_TRUE(facts);
        EXPECT_EQ(facts->tensors, 1U);
        factsCache.save();
        EXPECT_EQ(factsCache.hits(), hits);
    }
}

TEST(BadFolders, ManyFilesInOneFolder) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    const int at = ::open((folder.path() / "run").c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_GE(at, 0);
    for (int i = 0; i < 5'000; ++i) {
        const int file = ::openat(at, ("sample_" + std::to_string(i) + ".png").c_str(),
                                  O_CREAT | O_WRONLY, 0600);
        ASSERT_GE(file, 0);
        ::close(file);
    }
    ::close(at);
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    EXPECT_EQ(experiment->checkpoints(), 1U);
    EXPECT_TRUE(experiment->notices.empty());
    ScanLimits limits;
    limits.maxEntries = 1000;
    const auto limited = scanExperiment(folder.path(), {}, limits);
    ASSERT_TRUE(limited);
    EXPECT_TRUE(says(*limited, ErrorCode::LimitExceeded)) << "and it is said";
}

TEST(BadFolders, DeeperThanTheLimit) {
    const TemporaryFolder folder;
    std::string path = "a";
    for (int i = 0; i < 40; ++i) {
        path += "/b";
    }
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write(path + "/step-2.safetensors", smallSafetensors());
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    EXPECT_EQ(experiment->checkpoints(), 1U);
    EXPECT_TRUE(says(*experiment, ErrorCode::LimitExceeded));
}

/// Tests run as root, for which permissions are not checked: the scan runs in a child process as
/// user nobody.
TEST(BadFolders, WhatMayNotBeReadIsToldAndTheRestIsListed) {
    const TemporaryFolder folder;
    folder.write("open/step-1.safetensors", smallSafetensors());
    folder.write("closed/step-1.safetensors", smallSafetensors());
    folder.write("open/step-2.safetensors", smallSafetensors());
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
    fs::permissions(folder.path() / "closed", fs::perms::none);
    fs::permissions(folder.path() / "open/step-2.safetensors", fs::perms::none);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) {
            ::_exit(32);
        }
        const auto experiment = scanExperiment(folder.path());
        int wrong = experiment ? 0 : 1;
        if (experiment) {
            wrong |= experiment->runs.size() == 1 ? 0 : 2;
            wrong |= says(*experiment, ErrorCode::PermissionDenied) ? 0 : 4;
            const auto facts = examineCheckpoint(folder.path() / "open/step-2.safetensors");
            wrong |= facts && facts->state == CheckpointState::Unknown ? 0 : 8;
        }
        wrong |= scanExperiment(folder.path() / "closed") ? 16 : 0;
        ::_exit(wrong);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    fs::permissions(folder.path() / "closed", fs::perms::owner_all);
    EXPECT_EQ(WEXITSTATUS(status), 0) << "bits say what was wrong; 32: no other user to be";
}

TEST(BadFolders, VanishingAndComingBackWhileItIsScanned) {
    const TemporaryFolder folder;
    std::atomic<bool> stop = false;
    std::atomic<int> rounds = 0;
    std::thread other([&] {
        for (int i = 0; !stop; rounds = ++i) {
            const std::string name = "run-" + std::to_string(i % 7);
            if (i % 3 == 2) {
                std::error_code error;
                fs::remove_all(folder.path() / name, error);
            } else {
                folder.write(name + "/checkpoint-1/model.safetensors", smallSafetensors());
                folder.write(name + "/step-1.safetensors", smallSafetensors());
            }
        }
    });
    for (int i = 0; i < 60 || rounds < 300; ++i) {
        const auto experiment = scanExperiment(folder.path());
        ASSERT_TRUE(experiment) << describe(experiment.error());
        for (const ScannedRun& run : experiment->runs) {
            for (const ScannedCheckpoint& each : run.checkpoints) {
                ASSERT_TRUE(examineCheckpoint(each.path)) << "gone is a state, not a failure";
            }
        }
    }
    stop = true;
    other.join();
}

TEST(BadFolders, WhatIsNoFile) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    ASSERT_EQ(::mkfifo((folder.path() / "run/step-2.safetensors").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((folder.path() / "run/latest").c_str(), 0600), 0);
    fs::create_directory(folder.path() / "run/step-3.safetensors");
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    EXPECT_EQ(experiment->checkpoints(), 1U) << "and nobody waits for a writer";
    ASSERT_EQ(::mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
    EXPECT_FALSE(scanExperiment(folder.path() / "fifo"));
}

} // namespace
} // namespace cairn
