// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/file_ops_fault.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/engine/export_csv.h"
#include "tests/core/jobs/job_fixture.h"

namespace cairn {
namespace {

using namespace jobtest;

TEST(Publish, CancelAtAnyCallLeavesTheWholeOutputOrNothing) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(31, 12, 1 + at % 2, folder.path() / "out");
        RealFileOps real;
        JobContext context;
        HookFileOps hooked(real, at, [&context] { context.cancel(); });
        const auto report = runPlan(job.plan, hooked, context, smallOptions());
        if (!calls.met(!report.has_value())) {
            expectOutput(job);
            continue;
        }
        EXPECT_EQ(report.error().code, ErrorCode::Cancelled) << describe(report.error());
        EXPECT_TRUE(folder.names().empty()) << folder.names().front();
    }
    EXPECT_GT(calls.stopped(), 10U);
}

TEST(Publish, AKillAtAnyCallLeavesTheNameAbsentOrWhole) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(34, 8, 1 + at % 2, folder.path() / "out");
        calls.met(runKilled(job.plan, at, smallOptions()));
        if (std::filesystem::exists(job.plan.output)) {
            expectOutput(job);
        }
        const auto names = folder.names();
        const auto isLeftover = [](const std::string& name) {
            return name.find(".cairn-partial-") != name.npos;
        };
        EXPECT_LE(std::ranges::count_if(names, isLeftover), 3)
            << at; // the data, the manifest and the journal
        const auto foreign = [&](const std::string& name) {
            return !isLeftover(name) && name != "out" && name != "out.cairn.json";
        };
        EXPECT_EQ(std::ranges::count_if(names, foreign), 0) << at;
    }
    EXPECT_GT(calls.stopped(), 20U);
}

TEST(Publish, AnOutputThatAppearsMeanwhileIsNotReplaced) {
    for (const std::size_t files : {1U, 2U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(32, 5, files, folder.path() / "out");
        RealFileOps real;
        HookFileOps hooked(real, 6,
                           [&] { writeFile(folder.path() / "out", std::vector<std::byte>(2)); });
        JobContext context;
        const auto report = runPlan(job.plan, hooked, context, smallOptions());
        ASSERT_FALSE(report.has_value());
        EXPECT_EQ(report.error().code, ErrorCode::OutputExists);
        EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
        EXPECT_EQ(readFile(folder.path() / "out").size(), 2U);
    }
}

TEST(Publish, ALinkInThePlaceOfTheOutputIsNotFollowed) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(33, 3, 1, folder.path() / "out");
    std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "out");
    RealFileOps real;
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, real, context, smallOptions()).error().code,
              ErrorCode::OutputExists);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST(FileOps, RefusesNamesThatArePaths) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    const auto opened = real.openFolder(folder.path());
    ASSERT_TRUE(opened.has_value());
    for (const char* name : {"", ".", "..", "../x", "a/b", "/etc/x"}) {
        EXPECT_FALSE(real.createFile(*opened, name).has_value()) << name;
        EXPECT_FALSE(real.makeFolder(*opened, name).has_value()) << name;
        EXPECT_FALSE(real.removeFile(*opened, name).has_value()) << name;
        EXPECT_FALSE(real.renameNoReplace(*opened, "x", *opened, name).has_value()) << name;
    }
}

TEST(ExportCsv, WritesRowsThatReadBack) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    CheckpointData data;
    data.tensors.push_back(
        synthetic::cutTensor(data, "t", {3, 2}, synthetic::chunks({3, 2}, 1, 2)));
    data.tensors.push_back(synthetic::cutTensor(data, "v", {3}, synthetic::chunks({3}, 0, 2)));
    data.tensors.push_back(synthetic::cutTensor(data, "deep", {1, 1, 2}, {Box::whole({1, 1, 2})}));
    const auto checkpoint = Checkpoint::make(std::move(data));
    RealFileOps real;
    const auto text = [&](std::size_t tensor, const char* name) {
        JobContext context;
        const auto report =
            exportCsv(*checkpoint, TensorIndex(tensor), folder.path() / name, real, context);
        EXPECT_TRUE(report.has_value()) << (report ? "" : describe(report.error()));
        return std::string(asText(readFile(folder.path() / name)));
    };
    EXPECT_EQ(text(0, "t.csv"), "0,1\n2,3\n4,5\n");
    EXPECT_EQ(text(1, "v.csv"), "0\n1\n2\n");
    JobContext context;
    EXPECT_EQ(
        exportCsv(*checkpoint, TensorIndex(std::size_t{2}), folder.path() / "d.csv", real, context)
            .error()
            .code,
        ErrorCode::InvalidArgument);
    EXPECT_EQ(
        exportCsv(*checkpoint, TensorIndex(std::size_t{1}), folder.path() / "v.csv", real, context)
            .error()
            .code,
        ErrorCode::OutputExists);
}

} // namespace
} // namespace cairn
