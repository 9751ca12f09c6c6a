// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/queue/finished_output.h"
#include "core/jobs/queue/job_recovery.h"
#include "core/jobs/record/layout_digest.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <array>
#include <random>

/// A scheduler sends parts of a job again while others run, and kills any of them at any call.
namespace cairn {
namespace {

using namespace jobtest;

/// Stops a job that waits for a lock, which nobody releases while its own caller runs.
class ImpatientFileOps final : public FileOps {
public:
    ImpatientFileOps(FileOps& inner, JobContext& context) : m_inner(inner), m_context(context) {}
    long perform(const FileCall& call) override {
        const long result = m_inner.perform(call);
        m_refused += call.kind == FileCallKind::Lock && result < 0 ? 1 : 0;
        if (m_refused > 4) {
            m_context.cancel();
        }
        return result;
    }

private:
    FileOps& m_inner;
    JobContext& m_context;
    int m_refused = 0;
};

class PartsAgain : public ::testing::Test {
protected:
    static constexpr std::size_t kParts = 3;

    static Result<void> send(const Job& job, FileOps& fileOps, std::size_t part) {
        JobContext context;
        ImpatientFileOps impatient(fileOps, context);
        return send(job, impatient, context, part);
    }
    /// As run_request does, for a plan that is known.
    static Result<void> send(const Job& job, FileOps& fileOps, JobContext& context,
                             std::size_t part) {
        EngineOptions options = smallOptions();
        options.threads = 1;
        options.runBytes = std::uint64_t{8} << 10U;
        options.part = {part, kParts};
        const auto report = runPlan(job.plan, fileOps, context, options);
        if (report || report.error().code != ErrorCode::OutputExists) {
            return report ? Result<void>() : report.error();
        }
        const std::string digest = layoutDigest(job.plan);
        const JobRegistry registry(job.plan.output.parent_path() / "state");
        CAIRN_TRY(const auto finished,
                  finishPublished(fileOps, startedJob(job.plan.output, digest, {}, options.part),
                                  context, registry));
        return finished || finishedOutput(job.plan.output, digest) ? Result<void>()
                                                                   : report.error();
    }
    static bool isSentAndKilled(const Job& job, std::size_t part, std::uint64_t at) {
        return isKilled(at, [&](FileOps& fileOps, JobContext&) {
            (void)send(job, fileOps, part); // another one may be running it
            return true;
        });
    }
    /// All that is published is right, and the parts that are sent again finish the job.
    static void expectFinished(const Job& job, const TemporaryFolder& folder,
                               std::array<std::size_t, kParts> order) {
        if (std::filesystem::exists(job.plan.output)) {
            expectOutput(job);
        }
        RealFileOps real;
        for (const std::size_t part : order) {
            const auto sent = send(job, real, part);
            ASSERT_TRUE(sent) << describe(sent.error());
        }
        expectOutput(job);
        std::vector<std::string> names = folder.names();
        std::erase(names, "state");
        const std::string name = job.plan.output.filename().string();
        EXPECT_EQ(names, job.plan.layout.folder
                             ? std::vector{name}
                             : (std::vector{name, name + std::string(kManifestLate.suffix)}));
    }
};

TEST_F(PartsAgain, WhileTheLastOnePublishesTouchNothing) {
    for (const std::size_t files : {1U, 3U}) {
        EveryCall calls;
        while (calls.more()) {
            const std::uint64_t at = calls.next();
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            const Job job = randomJob(61, 20, files, folder.path() / "out");
            RealFileOps real;
            ASSERT_TRUE(send(job, real, 1));
            ASSERT_TRUE(send(job, real, 2));
            bool met = false;
            HookFileOps again(real, at, [&] {
                met = true;
                (void)send(job, real, 1); // refused or not: what the others write is not touched
            });
            const auto last = send(job, again, 3);
            ASSERT_TRUE(last) << at << ": " << describe(last.error());
            calls.met(met);
            expectFinished(job, folder, {2, 3, 1});
        }
        EXPECT_GT(calls.stopped(), 40U);
    }
}

TEST_F(PartsAgain, FinishWhateverWasKilled) {
    std::mt19937 chance(7);
    const auto below = [&chance](std::uint64_t end) { return chance() % end; };
    std::size_t kills = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(62, 12, 1 + below(2), folder.path() / "out");
        std::array<std::size_t, kParts> order = {1, 2, 3};
        for (int round = 0; round < 3; ++round) {
            const std::size_t outer = 1 + below(kParts);
            const std::size_t inner = 1 + below(kParts);
            const std::uint64_t at = below(50);
            const std::uint64_t innerEnd = below(70);
            const std::uint64_t outerEnd = at + 1 + below(25);
            kills += isKilled(outerEnd, [&](FileOps& fileOps, JobContext&) {
                HookFileOps nested(fileOps, at, [&] { isSentAndKilled(job, inner, innerEnd); });
                (void)send(job, nested, outer);
                return true;
            });
            if (below(3) == 0) {
                kills += isSentAndKilled(job, 1 + below(kParts), below(80));
            }
        }
        std::ranges::shuffle(order, chance);
        expectFinished(job, folder, order);
        if (HasFatalFailure()) {
            return;
        }
    }
    EXPECT_GT(kills, 200U);
}

TEST_F(PartsAgain, WithoutTheFilesWriteEverything) {
    for (const std::size_t files : {1U, 3U}) {
        for (std::size_t first = 1; first <= kParts; ++first) {
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            const Job job = randomJob(63, 20, files, folder.path() / "out");
            RealFileOps real;
            ASSERT_TRUE(send(job, real, 1));
            ASSERT_TRUE(send(job, real, 2));
            std::filesystem::remove_all(stagedPath(job.plan.output, layoutDigest(job.plan)));
            ASSERT_TRUE(send(job, real, first));
            EXPECT_FALSE(std::filesystem::exists(job.plan.output));
            expectFinished(job, folder, {3, 1, 2});
        }
    }
}

} // namespace
} // namespace cairn
