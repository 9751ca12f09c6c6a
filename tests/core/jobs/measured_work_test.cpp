// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/queue/listed_run.h"
#include "core/jobs/record/layout_digest.h"
#include "tests/core/jobs/job_fixture.h"
#include "tests/support/safetensors_file.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>

namespace cairn {
namespace {

using namespace jobtest;

/// The measurements of a job that runs as on the command line, but with small chunks.
std::optional<MeasuredWork> measuredOf(const Job& job, FileOps& fileOps, JobContext& context,
                                       const EngineOptions& options = smallOptions()) {
    const auto report = runPlan(job.plan, fileOps, context, options);
    EXPECT_TRUE(report.has_value()) << describe(report.error());
    return report ? report->measured : std::nullopt;
}

TEST(MeasuredWork, IsWhatAWholeVerifiedJobTook) {
    const TemporaryFolder folder;
    const Job job = randomJob(61, 12, 1, folder.path() / "out");
    RealFileOps real;
    JobContext context;
    const auto work = measuredOf(job, real, context);
    ASSERT_TRUE(work.has_value());
    EXPECT_EQ(work->bytes, job.plan.outputBytes());
    EXPECT_EQ(work->kind, workKindOf(job.plan));
    EXPECT_GT(work->seconds, 0);
}

TEST(MeasuredWork, IsNothingOfJobsThatDoNotTellOfTheDisk) {
    const TemporaryFolder folder;
    int count = 0;
    const auto measured = [&](EngineOptions options) {
        const Job job = randomJob(62, 12, 1, folder.path() / std::to_string(++count));
        RealFileOps real;
        JobContext context;
        return measuredOf(job, real, context, options);
    };
    EngineOptions options = smallOptions();
    options.verify = false;
    EXPECT_FALSE(measured(options).has_value());
    options = smallOptions();
    options.durability = Durability::Cached;
    EXPECT_FALSE(measured(options).has_value());
    EXPECT_FALSE(measured(smallOptions(false)).has_value()); // through the page cache
    options = smallOptions();
    options.part = {1, 2};
    EXPECT_FALSE(measured(options).has_value());
}

TEST(MeasuredWork, IsNothingOfAJobThatWaited) {
    const TemporaryFolder folder;
    const Job job = randomJob(63, 40, 1, folder.path() / "out");
    JobContext context;
    RealFileOps real;
    std::thread resuming;
    HookFileOps pausing(real, 12, [&] {
        context.pause();
        resuming = std::thread([&] {
            while (!context.hasWaited()) {
                std::this_thread::yield();
            }
            context.resume();
        });
    });
    EngineOptions options = smallOptions();
    options.runBytes = std::uint64_t{8} << 10U;
    EXPECT_FALSE(measuredOf(job, pausing, context, options).has_value());
    ASSERT_TRUE(resuming.joinable());
    resuming.join();
}

TEST(MeasuredWork, APlanIsTheSameWithOtherRatesAndGoesOn) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    Job job = randomJob(64, 40, 1, folder.path() / "out");
    EngineOptions options = smallOptions();
    options.threads = 2;
    options.runBytes = std::uint64_t{8} << 10U;
    const std::string digest = layoutDigest(job.plan);
    const std::string journal = stagedPath(job.plan.output, digest).string() + ".journal";
    const auto written = [&] {
        return Journal::read(journal, digest).value_or(JournalContent{}).records.size();
    };
    for (std::uint64_t at = 0; runKilled(job.plan, at, options) && written() < 5; ++at) {
    }
    ASSERT_FALSE(std::filesystem::exists(job.plan.output));

    for (double& rate : job.plan.rates.bytesPerSecond) { // learned in the meantime
        rate = 1e8;
    }
    const double before = job.plan.forecast.seconds;
    refreshForecast(job.plan);
    EXPECT_NE(job.plan.forecast.seconds, before);
    EXPECT_EQ(layoutDigest(job.plan), digest);
    ASSERT_GE(written(), 5U);
    RealFileOps real;
    JobContext context;
    EXPECT_FALSE(measuredOf(job, real, context, options).has_value()); // only part of it was timed
    expectOutput(job);
    const auto lines = context.logLines();
    EXPECT_TRUE(std::ranges::any_of(
        lines, [](const Sentence& line) { return line.text().starts_with("Resuming"); }));
}

/// A sparse file of zeros, just large enough for its rate to be learned.
std::filesystem::path largeSource(const std::filesystem::path& folder) {
    const std::uint64_t bytes = DiskRates::kLeastBytes;
    const std::string header = test::safetensorsHeader(std::vector<test::SafetensorsTensor>{
        {"w", "F32", {static_cast<std::int64_t>(bytes / 4)}, bytes}});
    const std::string text = test::safetensorsFile(header, "");
    const std::filesystem::path path = folder / "model.safetensors";
    writeFile(path, std::as_bytes(std::span(text)));
    std::filesystem::resize_file(path, text.size() + bytes);
    return path;
}

TEST(MeasuredWork, OfALargeJobIsWhatTheNextForecastRestsOn) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const CheckpointPtr source = openCheckpoint(largeSource(folder.path())).value();
    const DiskRates rates(folder.path() / "state");
    const JobRegistry registry(folder.path() / "state" / "jobs");
    const auto plan = [&](const std::string& name, const std::string& dtype = "keep") {
        JobRequest options;
        options.output = folder.path() / name;
        options.dtype = dtype;
        return prepareJob(source, options, {}, rates).value();
    };
    const auto run = [&](const CopyPlan& made, const DiskRates& learning) {
        RealFileOps real;
        JobContext context;
        const auto report = runListed(made, {{"job"}, {}, {}, registry, learning}, real, context);
        EXPECT_TRUE(report.has_value()) << describe(report.error());
        std::filesystem::remove(made.output);
        std::filesystem::remove(made.output.string() + ".cairn.json");
        return context.logLines();
    };
    const CopyPlan first = plan("a.safetensors");
    EXPECT_EQ(first.forecast.rate.origin, RateOrigin::Assumed);
    EXPECT_NEAR(first.forecast.seconds,
                static_cast<double>(first.forecast.bytes) / kForecastBytesPerSecond, 1e-6);
    writeFile(folder.path() / "file", {});
    const auto lines = run(first, DiskRates(folder.path() / "file" / "cairn"));
    EXPECT_TRUE(std::ranges::any_of(lines, [](const Sentence& line) {
        return line.text().starts_with("The disk rate could not be saved");
    })); // and the job was equally good
    EXPECT_EQ(plan("a.safetensors").forecast.rate.origin, RateOrigin::Assumed);

    run(first, rates);
    const CopyPlan second = plan("a.safetensors");
    EXPECT_EQ(second.forecast.rate.origin, RateOrigin::Measured);
    EXPECT_DOUBLE_EQ(second.forecast.rate.bytesPerSecond,
                     rates.of(fileSystemsOf(*source, first.output)).of(WorkKind::Copy));
    EXPECT_EQ(layoutDigest(second), layoutDigest(first));
    EXPECT_EQ(plan("b.safetensors", "bf16").forecast.rate.origin, RateOrigin::Inferred);
}

} // namespace
} // namespace cairn
