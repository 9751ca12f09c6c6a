// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/engine/output_parts.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/verify/verify.h"
#include "tests/core/jobs/job_fixture.h"

#include <cerrno>
#include <map>

// Distributed checkpoints written by the engine: several files with a checksum before and after
// every tensor, and an index that describes all of them.

namespace cairn {
namespace {

using namespace jobtest;

CheckpointPtr source() {
    return randomJob(77, 12, 1, "unused").plan.source;
}

CopyPlan reshardPlan(const CheckpointPtr& from, const std::filesystem::path& output,
                     const std::vector<ShardAxis>& axes = {{3, 0}, {2, 1}}) {
    JobRequest options;
    options.kind = JobKind::Reshard;
    options.output = output;
    options.to = "dcp";
    options.only.kind = Selection::Kind::All;
    options.sharding.axes = axes;
    auto plan = prepareJob(from, options);
    EXPECT_TRUE(plan.has_value()) << describe(plan.error());
    EXPECT_TRUE(plan->runnable());
    return std::move(*plan);
}

EngineOptions options() {
    EngineOptions small = smallOptions();
    small.threads = 2;
    small.runBytes = std::uint64_t{8} << 10U;
    return small;
}

std::map<std::string, std::vector<std::byte>> bytesIn(const std::filesystem::path& folder) {
    std::map<std::string, std::vector<std::byte>> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().filename() != "MANIFEST.json") { // it contains the output's path
            all[entry.path().filename().string()] = readFile(entry.path());
        }
    }
    return all;
}

void expectWhole(const CheckpointPtr& from, const std::filesystem::path& output) {
    const auto written = openCheckpoint(output);
    ASSERT_TRUE(written.has_value()) << describe(written.error());
    EXPECT_EQ((*written)->completeness(), Completeness::Complete);
    EXPECT_TRUE((*written)->notices().empty());
    JobContext context;
    const auto same = verifyCheckpoints(from, **written, context, VerifyScope::Everything);
    ASSERT_TRUE(same.has_value()) << describe(same.error());
    EXPECT_TRUE(same->verified) << firstMismatch(*same);
    EXPECT_EQ(same->compared.size(), from->tensors().size());
}

TEST(Reshard, WritesWhatItsReaderFindsWhole) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const CheckpointPtr from = source();
    const CopyPlan plan = reshardPlan(from, folder.path() / "out");
    RealFileOps real;
    JobContext context;
    const auto report = runPlan(plan, real, context, options());
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    EXPECT_TRUE(report->verified);
    EXPECT_EQ(report->files.back().path, ".metadata");
    expectWhole(from, folder.path() / "out");
}

TEST(Reshard, CutsColumnsIntoMoreFilesThanGoSideBySide) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const CheckpointPtr from = source();
    const CopyPlan plan = reshardPlan(from, folder.path() / "out", {{20, 1}});
    ASSERT_EQ(filesAbreast(plan), 16U);
    RealFileOps real;
    JobContext context;
    const auto report = runPlan(plan, real, context, options());
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    EXPECT_TRUE(report->verified);
    expectWhole(from, folder.path() / "out");
}

TEST(Reshard, GoesSideBySideThroughOneItemOfAFile) {
    struct Item {
        int file;
    };
    const std::vector<Item> items{{0}, {1}, {2}, {0}, {0}, {1}, {2}, {3}, {4}};
    std::vector<std::size_t> sizes;
    for (const auto group : sideBySide(std::span(items), 3)) {
        sizes.push_back(group.size());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1, 3, 2}));
    EXPECT_EQ(sideBySide(std::span(items), 1).size(), items.size());
}

/// How often two successive writes of blocks (other than the journal's) go to different files.
std::size_t fileChanges(const CheckpointPtr& from, std::int32_t dim) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    RecordFileOps recorded(real);
    JobContext context;
    EngineOptions one = options();
    one.threads = 1;
    one.verify = false;
    EXPECT_TRUE(
        runPlan(reshardPlan(from, folder.path() / "out", {{4, dim}}), recorded, context, one));
    std::size_t changes = 0;
    int last = -1;
    for (const RecordedCall& call : recorded.calls()) {
        const bool blocks = call.offset % 4096 == 0 && call.length % 4096 == 0;
        if (call.kind == FileCallKind::Write && blocks && call.fd != last) {
            last = call.fd;
            ++changes;
        }
    }
    return changes;
}

TEST(Reshard, FilesOfColumnsAreFilledSideBySide) {
    CheckpointData data;
    for (int i = 0; i < 8; ++i) {
        const Shape shape{64, 256};
        data.tensors.push_back(synthetic::cutTensor(data, "t" + std::to_string(i), shape,
                                                    std::vector{Box::whole(shape)}, 0));
    }
    const CheckpointPtr from = Checkpoint::make(std::move(data));
    EXPECT_LT(fileChanges(from, 0), 12U); // one after another
    EXPECT_GE(fileChanges(from, 1), 32U); // tensor by tensor: eight in each of four files
}

TEST(Reshard, EveryCallFailingOnceLeavesTheWholeOutputOrNothing) {
    const CheckpointPtr from = source();
    for (const int errnoValue : {ENOSPC, EIO}) {
        for (std::uint64_t at = 0;; ++at) {
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            const CopyPlan plan = reshardPlan(from, folder.path() / "out");
            RealFileOps real;
            FaultFileOps faulty(real, {at, false, errnoValue, {}, false});
            JobContext context;
            EngineOptions one = options();
            one.threads = 1;
            const auto report = runPlan(plan, faulty, context, one);
            if (report.has_value()) {
                expectWhole(from, folder.path() / "out");
            } else {
                EXPECT_FALSE(std::filesystem::exists(folder.path() / "out")) << "fault at " << at;
            }
            if (faulty.calls() <= at) {
                EXPECT_GT(at, 40U);
                break;
            }
        }
    }
}

TEST(Reshard, KilledAtAnyCallItIsAbsentOrWholeAndGoesOnToTheSameBytes) {
    const CheckpointPtr from = source();
    const TemporaryFolder elsewhere(TemporaryFolder::Where::Memory);
    RealFileOps real;
    JobContext first;
    ASSERT_TRUE(
        runPlan(reshardPlan(from, elsewhere.path() / "out"), real, first, options()).has_value());
    const auto wanted = bytesIn(elsewhere.path() / "out");
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const CopyPlan plan = reshardPlan(from, folder.path() / "out");
        if (!calls.met(runKilled(plan, at, options()))) {
            continue;
        }
        if (!std::filesystem::exists(plan.output)) {
            JobContext context;
            const auto report = runPlan(plan, real, context, options());
            ASSERT_TRUE(report.has_value()) << at << ": " << describe(report.error());
        }
        EXPECT_TRUE(bytesIn(plan.output) == wanted) << at;
    }
    EXPECT_GT(calls.stopped(), 60U);
}

} // namespace
} // namespace cairn
