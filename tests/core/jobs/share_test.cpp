// SPDX-License-Identifier: Apache-2.0
#include "core/io/extent_sharing.h"
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/engine/share_pass.h"
#include "tests/core/jobs/job_fixture.h"

#include <cerrno>

// Outputs that share blocks with their source, on a simulated file system;
// tests/interop/test_shared_blocks.py uses a real one.

namespace cairn {
namespace {

using namespace jobtest;

struct Folders {
    TemporaryFolder sources{TemporaryFolder::Where::Memory};
    TemporaryFolder outputs{TemporaryFolder::Where::Memory};
    [[nodiscard]] Job job(std::uint32_t seed, std::size_t files = 1) const {
        return sharedJob(seed, files, sources.path(), outputs.path() / "out");
    }
};

std::uint64_t bytesOf(const RecordFileOps& record, FileCallKind kind) {
    std::uint64_t bytes = 0;
    for (const RecordedCall& call : record.calls()) {
        bytes += call.kind == kind && call.result >= 0 ? call.length : 0;
    }
    return bytes;
}

TEST(Share, TakesBlocksInsteadOfWriting) {
    for (const bool direct : {true, false}) {
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            const Folders folders;
            const Job job = folders.job(seed, 1 + seed % 2);
            RealFileOps real;
            CopyingShareFileOps sharing(real);
            RecordFileOps record(sharing);
            JobContext context;
            EngineOptions options = smallOptions(direct);
            options.runBytes = std::uint64_t{8} << 10U;
            const auto report = runPlan(job.plan, record, context, options);
            ASSERT_TRUE(report.has_value()) << describe(report.error());
            expectOutput(job);
            EXPECT_TRUE(report->verified);
            EXPECT_GT(report->sharedBytes, 130'000U); // at least one large tensor
            EXPECT_EQ(report->sharedBytes, job.plan.sharedBytes());
            EXPECT_EQ(bytesOf(record, FileCallKind::Share), report->sharedBytes);
            EXPECT_EQ(context.progress().written, context.progress().total);
            EXPECT_EQ(context.progress().verified, context.progress().total);
            EXPECT_LE(context.progress().read + report->sharedBytes, job.plan.outputBytes());
        }
    }
}

TEST(Share, CopiesWhatTheFileSystemRefuses) {
    for (const int refusal : {EOPNOTSUPP, EXDEV, EINVAL, EPERM, ETXTBSY}) {
        const Folders folders;
        const Job job = folders.job(3);
        RealFileOps real;
        FaultFileOps refusing(real, {.at = 0,
                                     .fromThenOn = true,
                                     .errnoValue = refusal,
                                     .only = FileCallKind::Share,
                                     .spareRemoval = false});
        JobContext context;
        const auto report = runPlan(job.plan, refusing, context, smallOptions());
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        EXPECT_GT(refusing.faults(), 0U);
        EXPECT_EQ(report->sharedBytes, 0U);
        expectOutput(job);
        EXPECT_EQ(context.progress().written, context.progress().total);
    }
}

TEST(Share, AFaultAtAnyCallLeavesTheWholeOutputOrNothing) {
    for (const int errnoValue : {ENOSPC, EIO, EDQUOT, EROFS}) {
        std::uint64_t faults = 1;
        for (std::uint64_t at = 0; faults > 0; ++at) {
            const Folders folders;
            const Job job = folders.job(5);
            RealFileOps real;
            CopyingShareFileOps sharing(real);
            FaultFileOps faulty(sharing, {.at = at,
                                          .fromThenOn = false,
                                          .errnoValue = errnoValue,
                                          .only = {},
                                          .spareRemoval = false});
            JobContext context;
            EngineOptions options = smallOptions();
            options.threads = 1;
            const auto report = runPlan(job.plan, faulty, context, options);
            faults = faulty.faults();
            if (report.has_value()) {
                expectOutput(job);
            } else {
                EXPECT_TRUE(folders.outputs.names().empty()) << at;
            }
        }
    }
}

TEST(Share, AFullDiskIsSaid) {
    const Folders folders;
    const Job job = folders.job(6);
    RealFileOps real;
    FaultFileOps full(real, {.at = 0,
                             .fromThenOn = false,
                             .errnoValue = ENOSPC,
                             .only = FileCallKind::Share,
                             .spareRemoval = false});
    JobContext context;
    const auto report = runPlan(job.plan, full, context, smallOptions());
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::NoSpace);
    EXPECT_TRUE(folders.outputs.names().empty());
}

TEST(Share, AJobKilledAtAnyCallGoesOnToTheSameBytes) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const Folders folders;
        const Job job = folders.job(7, 1 + at % 2);
        EngineOptions options = smallOptions();
        options.runBytes = std::uint64_t{8} << 10U;
        if (!calls.met(runKilled(job.plan, at, options, true))) {
            continue;
        }
        if (std::filesystem::exists(job.plan.output)) {
            expectOutput(job);
            continue;
        }
        RealFileOps real; // sharing is refused now
        JobContext context;
        const auto report = runPlan(job.plan, real, context, options);
        ASSERT_TRUE(report.has_value()) << at << ": " << describe(report.error());
        expectOutput(job);
    }
    EXPECT_GT(calls.stopped(), 20U);
}

TEST(Share, PartsOfAJobShareTheirShare) {
    const Folders folders;
    const Job job = folders.job(8, 2);
    RealFileOps real;
    CopyingShareFileOps sharing(real);
    std::uint64_t shared = 0;
    for (std::size_t part = 1; part <= 3; ++part) {
        JobContext context;
        EngineOptions options = smallOptions();
        options.part = {part, 3};
        const auto report = runPlan(job.plan, sharing, context, options);
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        shared += report->sharedBytes;
        EXPECT_EQ(report->published, part == 3);
    }
    EXPECT_EQ(shared, job.plan.sharedBytes());
    expectOutput(job);
}

/// Blocks that seem shared and are not must be found, because nothing proves that they are shared.
TEST(Share, BlocksThatAreNotTheSourcesAreCompared) {
    class WrongBlocks final : public FileOps {
    public:
        long perform(const FileCall& call) override {
            return call.kind == FileCallKind::Share ? 0 : m_real.perform(call); // leaves zeros
        }

    private:
        RealFileOps m_real;
    };
    const Folders folders;
    const Job job = folders.job(9);
    WrongBlocks wrong;
    JobContext context;
    const auto report = runPlan(job.plan, wrong, context, smallOptions());
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::VerifyMismatch);
    EXPECT_TRUE(folders.outputs.names().empty());
}

TEST(Share, NeedsNoMoreSpaceThanIsCopied) {
    const Folders folders;
    const Job job = folders.job(10);
    RealFileOps real;
    CopyingShareFileOps sharing(real);
    RecordFileOps record(sharing);
    JobContext context;
    ASSERT_TRUE(runPlan(job.plan, record, context, smallOptions()).has_value());
    EXPECT_EQ(bytesOf(record, FileCallKind::Preallocate),
              job.plan.outputBytes() - job.plan.sharedBytes());
}

} // namespace
} // namespace cairn
