// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/engine.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <vector>

namespace cairn {
namespace {

using namespace jobtest;

Job faultJob(const TemporaryFolder& folder, std::size_t files) {
    Job job = randomJob(21, 9, files, folder.path() / "out");
    if (files == 2) { // one of them in sub-folders
        job.plan.layout.files.back().name = "inner/deep/" + job.plan.layout.files.back().name;
    }
    return job;
}

std::uint64_t countCalls(std::size_t files, bool direct) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    FaultFileOps counted(real, {.at = ~std::uint64_t{0},
                                .fromThenOn = false,
                                .errnoValue = EIO,
                                .only = {},
                                .spareRemoval = false});
    JobContext context;
    EngineOptions options = smallOptions(direct);
    options.threads = 1;
    EXPECT_TRUE(runPlan(faultJob(folder, files).plan, counted, context, options).has_value());
    return counted.calls();
}

/// The error codes that an errno may be reported as, wherever it occurs.
bool fitsErrno(int errnoValue, ErrorCode code) {
    static const std::map<int, std::vector<ErrorCode>> kCodes = {
        {ENOSPC, {ErrorCode::NoSpace}},
        {EDQUOT, {ErrorCode::QuotaExceeded}},
        {EROFS, {ErrorCode::ReadOnlyFileSystem}},
        {EIO, {ErrorCode::WriteFailed, ErrorCode::SyncFailed, ErrorCode::Io}},
    };
    return std::ranges::count(kCodes.at(errnoValue), code) > 0 || code == ErrorCode::SyncFailed ||
           code == ErrorCode::WriteFailed; // O_DIRECT that cannot be switched off again
}

/// Runs the job with one fault: afterwards the output is complete and correct, or absent.
void runWithFault(FaultPlan fault, std::size_t files, bool direct) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = faultJob(folder, files);
    RealFileOps real;
    RecordFileOps record(real);
    FaultFileOps faulty(record, fault);
    JobContext context;
    EngineOptions options = smallOptions(direct);
    options.threads = 1;
    const auto report = runPlan(job.plan, faulty, context, options);
    if (report.has_value()) {
        expectOutput(job);
        auto names = folder.names(); // a journal remains if its removal failed
        std::erase_if(names, [](const auto& name) { return name.ends_with(".journal"); });
        EXPECT_EQ(names.size(), files > 1 ? 1U : 2U);
        return;
    }
    EXPECT_TRUE(fitsErrno(fault.errnoValue, report.error().code)) << describe(report.error());
    EXPECT_TRUE(folder.names().empty())
        << "left: " << folder.names().front() << ", fault at " << fault.at;
}

/// Each with each call; under sanitizers, which make a job ten times slower, each call with one.
std::vector<int> errnosAt(std::uint64_t call) {
    static const bool kSanitized = std::getenv("CAIRN_SANITIZED") != nullptr;
    const std::vector<int> all{ENOSPC, EIO, EDQUOT, EROFS};
    return kSanitized ? std::vector{all[call % all.size()]} : all;
}

TEST(Faults, EveryCallFailingOnceLeavesTheWholeOutputOrNothing) {
    for (const std::size_t files : {1U, 2U}) {
        for (const bool direct : {true, false}) {
            const std::uint64_t calls = countCalls(files, direct);
            ASSERT_GT(calls, 10U);
            for (std::uint64_t at = 0; at < calls; ++at) {
                for (const int errnoValue : errnosAt(at)) {
                    runWithFault({at, false, errnoValue, {}, false}, files, direct);
                }
            }
        }
    }
}

TEST(Faults, EveryCallFailingFromThenOnLeavesTheWholeOutputOrNothing) {
    for (const std::size_t files : {1U, 2U}) {
        const std::uint64_t calls = countCalls(files, true);
        for (std::uint64_t at = 0; at < calls; ++at) {
            for (const int errnoValue : errnosAt(at)) {
                runWithFault({at, true, errnoValue, {}, true}, files, true);
            }
        }
    }
}

TEST(Faults, ShortWritesAreFinished) {
    EveryCall calls;
    while (calls.more()) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = faultJob(folder, 1);
        RealFileOps real;
        FaultFileOps faulty(real, {calls.next(), true, 0, FileCallKind::Write, false});
        JobContext context;
        const auto report = runPlan(job.plan, faulty, context, smallOptions(false));
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        expectOutput(job);
        calls.met(faulty.faults() > 0);
    }
    EXPECT_GT(calls.stopped(), 5U);
}

TEST(Faults, InterruptedCallsAreRepeatedButSyncsAreNot) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    const auto opened = real.openFolder(folder.path());
    ASSERT_TRUE(opened.has_value());
    FaultFileOps interrupted(real, {0, false, EINTR, {}, false});
    EXPECT_TRUE(interrupted.createFile(*opened, "a").has_value());
    EXPECT_EQ(interrupted.calls(), 2U);

    FaultFileOps failing(real, {0, false, EINTR, FileCallKind::Sync, false});
    const auto file = failing.createFile(*opened, "b");
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(failing.sync(*file).error().code, ErrorCode::SyncFailed);
    EXPECT_EQ(failing.calls(), 1U);
}

TEST(Faults, AFailedSyncIsNeverRepeatedByAJob) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = faultJob(folder, 1);
    RealFileOps real;
    FaultFileOps faulty(real, {0, false, EIO, FileCallKind::Sync, false});
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, faulty, context, smallOptions()).error().code,
              ErrorCode::SyncFailed);
    EXPECT_EQ(faulty.calls(), 1U);
    EXPECT_TRUE(folder.names().empty());
}

TEST(Faults, AFileSystemWithoutReservationStillWorks) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = faultJob(folder, 1);
    RealFileOps real;
    FaultFileOps faulty(real, {0, true, EOPNOTSUPP, FileCallKind::Preallocate, false});
    JobContext context;
    ASSERT_TRUE(runPlan(job.plan, faulty, context, smallOptions()).has_value());
    expectOutput(job);
}

TEST(Record, DataAreDurableBeforeTheyHaveTheirName) {
    for (const std::size_t files : {1U, 3U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = faultJob(folder, files);
        RealFileOps real;
        RecordFileOps record(real);
        JobContext context;
        ASSERT_TRUE(runPlan(job.plan, record, context, smallOptions()).has_value());
        const auto calls = record.calls();
        const auto rename = std::ranges::find(calls, FileCallKind::Rename, &RecordedCall::kind);
        ASSERT_NE(rename, calls.end());
        EXPECT_EQ(rename->toName, "out");
        const auto before = [&](FileCallKind kind) {
            return std::count_if(calls.begin(), rename,
                                 [kind](const auto& c) { return c.kind == kind; });
        };
        EXPECT_EQ(before(FileCallKind::Sync),
                  static_cast<std::ptrdiff_t>(files + 1)); // and of the manifest
        EXPECT_EQ(before(FileCallKind::SyncFolder), files > 1 ? 1 : 0);
        EXPECT_EQ(std::next(rename)->kind, FileCallKind::SyncFolder);
        const auto writesAfter = std::count_if(
            rename, calls.end(), [](const auto& c) { return c.kind == FileCallKind::Write; });
        EXPECT_EQ(writesAfter, 0);
    }
}

} // namespace
} // namespace cairn
