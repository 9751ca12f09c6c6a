// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/output_runs.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/record/layout_digest.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <numeric>

/// Jobs in parts whose output is published by a last step.
namespace cairn {
namespace {

using namespace jobtest;

constexpr std::size_t kParts = 3;

Result<JobReport> sendStep(const Job& job, FileOps& fileOps, std::size_t index) {
    JobContext context;
    EngineOptions options = smallOptions();
    options.threads = 1;
    options.runBytes = std::uint64_t{8} << 10U;
    options.part = {index, kParts, true};
    return runPlan(job.plan, fileOps, context, options);
}

std::vector<std::string> outputNames(const Job& job) {
    const std::string name = job.plan.output.filename().string();
    return job.plan.layout.folder ? std::vector{name} : std::vector{name, name + ".cairn.json"};
}

TEST(LastStep, PublishesWhatAllPartsHaveWritten) {
    for (const std::size_t files : {1U, 2U, 4U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(71, 30, files, folder.path() / "out");
        RealFileOps real;
        for (const std::size_t part : {2U, 3U, 1U}) {
            const auto done = sendStep(job, real, part);
            ASSERT_TRUE(done) << describe(done.error());
            EXPECT_FALSE(done->published);
            EXPECT_FALSE(std::filesystem::exists(job.plan.output));
        }
        const auto again = sendStep(job, real, 2); // sent again, it has nothing to do
        ASSERT_TRUE(again && !again->published);
        RecordFileOps record(real);
        const auto last = sendStep(job, record, JobPart::kLastStep);
        ASSERT_TRUE(last) << describe(last.error());
        EXPECT_TRUE(last->published && last->verified);
        expectOutput(job);
        EXPECT_EQ(folder.names(), outputNames(job));
    }
}

TEST(LastStep, NamesThePartsThatAreNotComplete) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(72, 30, 1, folder.path() / "out");
    RealFileOps real;
    const auto nothing = sendStep(job, real, JobPart::kLastStep);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().found.text(), "incomplete parts: 1, 2, 3");
    EXPECT_EQ(folder.names(), std::vector<std::string>());
    ASSERT_TRUE(sendStep(job, real, 2));
    const std::vector<std::string> before = folder.names();
    const auto refused = sendStep(job, real, JobPart::kLastStep);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::MissingShard);
    EXPECT_EQ(refused.error().found.text(), "incomplete parts: 1, 3");
    EXPECT_EQ(folder.names(), before); // neither a lock nor a journal of its own
    ASSERT_TRUE(sendStep(job, real, 1) && sendStep(job, real, 3));
    ASSERT_TRUE(sendStep(job, real, JobPart::kLastStep));
    expectOutput(job);
    EXPECT_EQ(folder.names(), outputNames(job));
}

TEST(LastStep, KilledAnywhereLeavesTheNextOneToPublish) {
    for (const std::size_t files : {1U, 3U}) {
        EveryCall calls;
        while (calls.more()) {
            const std::uint64_t at = calls.next();
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            const Job job = randomJob(73, 12, files, folder.path() / "out");
            RealFileOps real;
            for (std::size_t part = 1; part <= kParts; ++part) {
                ASSERT_TRUE(sendStep(job, real, part));
            }
            calls.met(isKilled(at, [&](FileOps& fileOps, JobContext&) {
                (void)sendStep(job, fileOps, JobPart::kLastStep);
                return true;
            }));
            if (std::filesystem::exists(job.plan.output)) {
                expectOutput(job); // its manifest is given its name by jobs/queue
                continue;
            }
            const auto last = sendStep(job, real, JobPart::kLastStep);
            ASSERT_TRUE(last) << at << ": " << describe(last.error());
            expectOutput(job);
            EXPECT_EQ(folder.names(), outputNames(job));
        }
        EXPECT_GT(calls.stopped(), 10U);
    }
}

TEST(LastStep, PartsReadOnlyWhatTheyWrite) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(74, 60, 1, folder.path() / "out");
    const std::vector<FileParts> files = filesToWrite(job.plan);
    const OutputRuns cut = cutRuns(job.plan, files, kParts, std::uint64_t{8} << 10U);
    std::size_t together = 0;
    for (std::size_t part = 1; part <= kParts; ++part) {
        const WrittenSegments own = segmentsOf(cut, files, {part, kParts});
        const auto read = sourceTensors(
            job.plan, [&](std::size_t file, std::size_t segment) { return own[file][segment]; });
        EXPECT_GT(read.size(), 0U);
        EXPECT_LT(read.size(), sourceTensors(job.plan).size());
        together += read.size();
    }
    EXPECT_LE(together, sourceTensors(job.plan).size() + 2 * kParts);
    const PartSizes sizes = partSizes(job.plan, kParts);
    EXPECT_LE(std::accumulate(sizes.bytes.begin(), sizes.bytes.end(), std::uint64_t{0}),
              job.plan.outputBytes());
    EXPECT_EQ(sizes.verifiedLast, job.plan.outputBytes());
}

} // namespace
} // namespace cairn
