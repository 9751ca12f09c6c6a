// SPDX-License-Identifier: Apache-2.0
// Kills in a job's last moments and in the list of jobs, and names of any length.
#include "core/io/file_ops_fault.h"
#include "core/jobs/queue/job_recovery.h"
#include "core/jobs/queue/listed_run.h"
#include "tests/core/jobs/job_fixture.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;
using namespace jobtest;

TEST(Recovery, AKillBeforeTheManifestHasItsNameIsFinished) {
    std::size_t finished = 0;
    for (const std::size_t length : {3U, 200U, 230U, 244U}) {
        EveryCall calls;
        while (calls.more()) {
            const std::uint64_t at = calls.next();
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            const std::string name(length, 'o');
            const Job job = randomJob(34, 8, 1 + at % 2, folder.path() / name);
            const StartedJob begun = startedJob(job.plan, {"job"}, {});
            const bool killed = calls.met(runKilled(job.plan, at, smallOptions()));
            ASSERT_TRUE(killed || at > 10) << at;
            if (fs::exists(job.plan.output)) {
                expectOutput(job);
            }
            if (!isPublished(begun)) {
                EXPECT_TRUE(!fs::exists(job.plan.output) || leftovers(begun).empty()) << at;
                continue;
            }
            ++finished;
            RealFileOps real;
            JobContext context;
            const auto report = finishPublished(real, begun, context);
            ASSERT_TRUE(report) << at << describe(report.error());
            ASSERT_TRUE(*report) << at;
            EXPECT_TRUE((*report)->verified && fs::exists((*report)->manifest));
            expectOutput(job);
            EXPECT_TRUE(leftovers(begun).empty());
            EXPECT_EQ(folder.names().size(), fs::is_directory(job.plan.output) ? 1U : 2U) << at;
        }
    }
    EXPECT_GT(finished, 8U);
}

TEST(Recovery, AnotherOutputInItsPlaceIsNotTakenForIt) {
    std::size_t refused = 0;
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(34, 8, 1, folder.path() / "out");
        const StartedJob begun = startedJob(job.plan, {"job"}, {});
        calls.met(runKilled(job.plan, at, smallOptions()));
        if (!isPublished(begun)) {
            continue;
        }
        writeFile(folder.path() / "out",
                  std::vector<std::byte>(readFile(folder.path() / "out").size()));
        const auto before = folder.names();
        RealFileOps real;
        JobContext context;
        const auto report = finishPublished(real, begun, context);
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().code, ErrorCode::ChangedOnDisk);
        EXPECT_EQ(folder.names(), before);
        ++refused;
    }
    EXPECT_GT(refused, 0U);
}

TEST(Recovery, ANameWithoutRoomForTheManifestIsRefusedBeforeTheFirstByte) {
    for (const std::size_t length : {245U, 255U, 256U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(35, 4, 1, folder.path() / std::string(length, 'o'));
        RealFileOps real;
        JobContext context;
        const auto report = runPlan(job.plan, real, context, smallOptions());
        ASSERT_FALSE(report) << length;
        EXPECT_TRUE(folder.names().empty()) << length;
    }
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(35, 4, 2, folder.path() / std::string(255, 'o'));
    RealFileOps real;
    JobContext context;
    EXPECT_TRUE(runPlan(job.plan, real, context, smallOptions()))
        << "a folder has its manifest inside";
    expectOutput(job);
}

TEST(Recovery, ARecordIsWholeOrNotThere) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(36, 4, 1, folder.path() / "out");
    const JobRegistry registry(folder.path() / "state");
    const StartedJob begun = startedJob(job.plan, {"job"}, {});
    RealFileOps real;
    ASSERT_TRUE(registry.add(real, begun));
    for (std::uint64_t at = 0; at < 12; ++at) {
        FaultFileOps faulty(
            real, {.at = at, .fromThenOn = true, .errnoValue = EIO, .only = {}}); // like a kill
        (void)registry.add(faulty, begun);
        EXPECT_EQ(registry.list().size(), 1U) << at;
    }
}

TEST(Recovery, WhatHasNoRecordIsFoundAndCleanedUp) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const JobRegistry registry(folder.path() / "state");
    fs::create_directory(folder.path() / "data");
    for (const std::size_t files : {1U, 2U}) {
        Job job = randomJob(37, 20, files, folder.path() / "data/out");
        job.plan.layout.files.front().name = files > 1 ? "inner/deep/first" : "out";
        const StartedJob begun = startedJob(job.plan, {"job"}, {});
        ASSERT_TRUE(runKilled(job.plan, 12, smallOptions()));
        RealFileOps real;
        ASSERT_TRUE(registry.add(real, begun));
        EXPECT_TRUE(unrecordedJobs(folder.path() / "data", registry)->empty()) << "it has one";
        const std::string damaged = "{";
        writeFile(folder.path() / "state" / (begun.id + ".json"),
                  std::as_bytes(std::span(damaged)));
        const auto found = unrecordedJobs(folder.path() / "data", registry);
        ASSERT_TRUE(found && found->size() == 1);
        EXPECT_EQ(found->front().id, begun.id);
        EXPECT_EQ(found->front().output, fs::canonical(folder.path()) / "data/out");
        EXPECT_TRUE(cleanUp(real, found->front()));
        EXPECT_TRUE(fs::is_empty(folder.path() / "data"));
        registry.remove(real, begun);
    }
    EXPECT_FALSE(unrecordedJobs(folder.path() / "nowhere", registry));
}

} // namespace
} // namespace cairn
