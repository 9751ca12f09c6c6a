// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"
#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/engine/part_share.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/queue/finished_output.h"
#include "core/jobs/queue/job_registry.h"
#include "core/jobs/queue/listed_run.h"
#include "core/jobs/record/layout_digest.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "tests/core/jobs/job_fixture.h"

#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>
#include <unistd.h>

namespace cairn {
namespace {

using namespace jobtest;

EngineOptions smallRuns(JobPart part = {}) {
    EngineOptions options = smallOptions();
    options.threads = 2;
    options.runBytes = std::uint64_t{8} << 10U;
    options.part = part;
    return options;
}

Result<JobReport> runPart(const Job& job, FileOps& fileOps, JobPart part = {}) {
    JobContext context;
    return runPlan(job.plan, fileOps, context, smallRuns(part));
}

std::vector<std::string> published(const Job& job) {
    const std::string name = job.plan.output.filename().string();
    return job.plan.layout.folder ? std::vector{name} : std::vector{name, name + ".cairn.json"};
}

std::uint64_t bytesWritten(const RecordFileOps& record) {
    std::uint64_t bytes = 0;
    for (const RecordedCall& call : record.calls()) {
        bytes += call.kind == FileCallKind::Write ? call.length : 0;
    }
    return bytes;
}

TEST(Resume, AJobKilledAtAnyCallGoesOnToTheSameBytes) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(41, 12, 1 + at % 2, folder.path() / "out");
        if (!calls.met(runKilled(job.plan, at, smallRuns()))) {
            continue;
        }
        if (std::filesystem::exists(job.plan.output)) {
            expectOutput(job); // killed after it got its name and before the manifest did
            continue;
        }
        RealFileOps real;
        const auto report = runPart(job, real);
        ASSERT_TRUE(report.has_value()) << at << ": " << describe(report.error());
        EXPECT_TRUE(report->verified);
        expectOutput(job);
        EXPECT_EQ(folder.names(), published(job)) << at;
    }
    EXPECT_GT(calls.stopped(), 40U);
}

TEST(Resume, WhatIsWrittenIsNotWrittenAgain) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(42, 40, 1, folder.path() / "out");
    const TemporaryFolder elsewhere(TemporaryFolder::Where::Memory);
    const Job same = randomJob(42, 40, 1, elsewhere.path() / "out");
    RealFileOps real;
    RecordFileOps whole(real);
    ASSERT_TRUE(runPart(same, whole).has_value());
    std::uint64_t at = 0;
    while (runKilled(job.plan, at, smallRuns()) && !std::filesystem::exists(job.plan.output) &&
           Journal::read(stagedPath(job.plan.output, layoutDigest(job.plan)).string() + ".journal",
                         layoutDigest(job.plan))
                   .value_or(JournalContent{})
                   .records.size() < 5) {
        ++at;
    }
    ASSERT_FALSE(std::filesystem::exists(job.plan.output));
    RecordFileOps rest(real);
    const auto report = runPart(job, rest);
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    expectOutput(job);
    EXPECT_LT(bytesWritten(rest), bytesWritten(whole));
}

TEST(Resume, PartsMakeOneOutputInAnyOrder) {
    for (const std::size_t files : {1U, 3U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(43, 30, files, folder.path() / "out");
        RealFileOps real;
        for (const std::size_t index : {2U, 4U, 1U}) {
            const auto report = runPart(job, real, {index, 4});
            ASSERT_TRUE(report.has_value()) << describe(report.error());
            EXPECT_FALSE(report->published);
            EXPECT_FALSE(report->verified);
            EXPECT_FALSE(std::filesystem::exists(job.plan.output));
        }
        const auto last = runPart(job, real, {3, 4});
        ASSERT_TRUE(last.has_value()) << describe(last.error());
        EXPECT_TRUE(last->published && last->verified);
        expectOutput(job);
        EXPECT_EQ(folder.names(), published(job));
    }
}

TEST(Resume, PartsAtOncePublishOnce) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(44, 30, 1, folder.path() / "out");
    std::vector<pid_t> children;
    for (std::size_t index = 1; index <= 5; ++index) {
        children.push_back(::fork());
        if (children.back() == 0) {
            RealFileOps real;
            const auto report = runPart(job, real, {index, 5});
            ::_exit(!report ? 2 : report->published ? 1 : 0);
        }
    }
    std::size_t publishers = 0;
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
        publishers += WEXITSTATUS(status) == 1 ? 1U : 0U;
    }
    EXPECT_EQ(publishers, 1U);
    expectOutput(job);
    EXPECT_EQ(folder.names(), published(job));
}

TEST(Resume, APartThatWasKilledIsDoneAgain) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = 3 * calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(45, 20, 1, folder.path() / "out");
        RealFileOps real;
        ASSERT_TRUE(runPart(job, real, {1, 2}).has_value());
        calls.met(runKilled(job.plan, at, smallRuns({2, 2})));
        if (!std::filesystem::exists(job.plan.output)) {
            const auto report = runPart(job, real, {2, 2});
            ASSERT_TRUE(report.has_value()) << at << ": " << describe(report.error());
            EXPECT_TRUE(report->published);
            EXPECT_EQ(folder.names(), published(job)) << at;
        }
        expectOutput(job);
    }
    EXPECT_GT(calls.stopped(), 10U);
}

/// Three equal files without directories at their ends, and an index.
Job filesJob(const std::filesystem::path& output) {
    return randomJob(53, 60, 3, output);
}

TEST(Resume, EachPartVerifiesItsOwnFiles) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = filesJob(folder.path() / "out");
    const PartShare shares(job.plan, 3);
    RealFileOps real;
    std::uint64_t verified = 0;
    std::size_t owned = 0;
    for (const std::size_t index : {2U, 3U, 1U}) {
        JobContext context;
        const auto report = runPlan(job.plan, real, context, smallRuns({index, 3}));
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        std::uint64_t own = 0;
        for (std::size_t i = 0; i < job.plan.layout.files.size(); ++i) {
            const std::size_t owner = shares.ownerOf(i);
            // the last one also reads what several have written, but no file of another one
            own += owner == index || (owner == 0 && index == 1) ? job.plan.layout.files[i].size : 0;
            owned += owner != 0 && index == 1 ? 1 : 0;
        }
        EXPECT_EQ(context.progress().verified, own);
        verified += own;
        EXPECT_EQ(report->published, index == 1);
    }
    EXPECT_EQ(verified, job.plan.outputBytes());
    EXPECT_GE(owned, 2U);
    expectOutput(job);
    EXPECT_EQ(folder.names(), published(job));

    // The same digests as those of one process.
    const TemporaryFolder elsewhere(TemporaryFolder::Where::Memory);
    const Job same = filesJob(elsewhere.path() / "out");
    ASSERT_TRUE(runPart(same, real).has_value());
    const auto parts = readManifest(manifestPath(job.plan));
    const auto whole = readManifest(manifestPath(same.plan));
    ASSERT_TRUE(parts && whole);
    ASSERT_EQ(parts->files.size(), whole->files.size());
    for (std::size_t i = 0; i < whole->files.size(); ++i) {
        EXPECT_EQ(parts->files[i].sha256, whole->files[i].sha256);
    }
    for (std::size_t i = 0; i < whole->tensors.size(); ++i) {
        EXPECT_EQ(parts->tensors[i].digest, whole->tensors[i].digest);
    }
}

TEST(Resume, APartOfFilesThatWasKilledIsDoneAgain) {
    EveryCall calls;
    while (calls.more()) {
        const std::uint64_t at = 3 * calls.next();
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = filesJob(folder.path() / "out");
        RealFileOps real;
        const std::size_t first = 1 + at % 2;
        calls.met(runKilled(job.plan, at, smallRuns({first, 2})));
        ASSERT_TRUE(runPart(job, real, {3 - first, 2}).has_value());
        if (!std::filesystem::exists(job.plan.output)) {
            const auto report = runPart(job, real, {first, 2});
            ASSERT_TRUE(report.has_value()) << at << ": " << describe(report.error());
            EXPECT_TRUE(report->published && report->verified);
        }
        EXPECT_EQ(folder.names(), published(job)) << at;
        expectOutput(job);
    }
    EXPECT_GT(calls.stopped(), 10U);
}

/// Writes a wrong byte at the end of a large write, once.
class FlippingFileOps final : public FileOps {
public:
    FlippingFileOps(FileOps& inner, std::string file) : m_inner(inner), m_file(std::move(file)) {}
    long perform(const FileCall& call) override {
        if (call.kind != FileCallKind::Write || call.bytes.size() < 4096 ||
            std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(call.fd)).filename() !=
                m_file ||
            m_flipped.exchange(true)) {
            return m_inner.perform(call);
        }
        AlignedBuffer copy(call.bytes.size());
        std::ranges::copy(call.bytes, copy.bytes().begin());
        copy.bytes()[call.bytes.size() / 2] ^= std::byte{1};
        FileCall changed = call;
        changed.bytes = copy.bytes().first(call.bytes.size());
        return m_inner.perform(changed);
    }

private:
    FileOps& m_inner;
    std::string m_file;
    std::atomic<bool> m_flipped{false}; ///< several workers write
};

/// The first file of the job with this owner of two parts; 0: both write it.
std::string fileOwnedBy(const Job& job, std::size_t owner) {
    const PartShare shares(job.plan, 2);
    for (std::size_t i = 0; i < job.plan.layout.files.size(); ++i) {
        if (shares.ownerOf(i) == owner && !job.plan.layout.files[i].tensors.empty()) {
            return job.plan.layout.files[i].name;
        }
    }
    ADD_FAILURE() << "no file has this owner";
    return {};
}

TEST(Resume, APartFindsItsOwnDamageAndWritesAgain) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = filesJob(folder.path() / "out");
    RealFileOps real;
    FlippingFileOps flipping(real, fileOwnedBy(job, 1));
    const auto damaged = runPart(job, flipping, {1, 2});
    ASSERT_FALSE(damaged.has_value());
    EXPECT_EQ(damaged.error().code, ErrorCode::VerifyMismatch);
    ASSERT_TRUE(runPart(job, real, {2, 2}).has_value());
    EXPECT_FALSE(std::filesystem::exists(job.plan.output));
    const auto again = runPart(job, real, {1, 2});
    ASSERT_TRUE(again.has_value()) << describe(again.error());
    EXPECT_TRUE(again->published && again->verified);
    expectOutput(job);
}

TEST(Resume, DamageInAFileOfSeveralPartsIsFoundByTheLast) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = filesJob(folder.path() / "out");
    RealFileOps real;
    FlippingFileOps flipping(real, fileOwnedBy(job, 0));
    ASSERT_TRUE(runPart(job, flipping, {1, 2}).has_value());
    const auto damaged = runPart(job, real, {2, 2});
    ASSERT_FALSE(damaged.has_value());
    EXPECT_EQ(damaged.error().code, ErrorCode::VerifyMismatch);
    EXPECT_EQ(folder.names(), std::vector<std::string>()); // all of it is written again
    for (const std::size_t index : {2U, 1U}) {
        ASSERT_TRUE(runPart(job, real, {index, 2}).has_value());
    }
    expectOutput(job);
}

TEST(Resume, TheNumberOfPartsIsThatOfTheFirst) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = filesJob(folder.path() / "out");
    RealFileOps real;
    ASSERT_TRUE(runPart(job, real, {1, 4}).has_value());
    const auto before = folder.names();
    for (const JobPart other : {JobPart{2, 2}, JobPart{1, 3}, JobPart{}}) {
        const auto refused = runPart(job, real, other);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(refused.error().expected.text(), "4");
        EXPECT_EQ(folder.names(), before);
    }
    for (const std::size_t index : {3U, 2U, 4U}) {
        ASSERT_TRUE(runPart(job, real, {index, 4}).has_value());
    }
    expectOutput(job);
    EXPECT_EQ(folder.names(), published(job));
}

TEST(Resume, AFinishedJobIsFoundByItsManifest) {
    for (const std::size_t files : {1U, 3U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = randomJob(54, 20, files, folder.path() / "out");
        const std::string digest = layoutDigest(job.plan);
        RealFileOps real;
        EXPECT_FALSE(finishedOutput(job.plan.output, digest));
        const auto report = runPart(job, real);
        ASSERT_TRUE(report.has_value());
        const auto done = finishedOutput(job.plan.output, digest);
        ASSERT_TRUE(done);
        EXPECT_TRUE(done->doneBefore && done->verified && done->published);
        EXPECT_EQ(done->files.size(), report->files.size());
        EXPECT_FALSE(finishedOutput(job.plan.output, std::string(64, '0')));
        const auto file =
            files == 1 ? job.plan.output : job.plan.output / job.plan.layout.files.front().name;
        std::filesystem::resize_file(file, std::filesystem::file_size(file) + 1);
        EXPECT_FALSE(finishedOutput(job.plan.output, digest));
    }
}

TEST(Resume, EqualFilesInOtherFoldersMakeAnotherJob) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(55, 5, 2, folder.path() / "out");
    const auto digestFrom = [&](const char* path) {
        CheckpointData data = job.plan.source->data();
        data.path = path;
        CopyPlan plan = job.plan;
        plan.source = Checkpoint::make(std::move(data));
        return layoutDigest(plan);
    };
    EXPECT_EQ(digestFrom("/a/model"), digestFrom("/a/./model/"));
    EXPECT_NE(digestFrom("/a/model"), digestFrom("/b/model"));
}

PartShare shareOf(const std::vector<std::uint64_t>& sizes, std::size_t parts) {
    CopyPlan plan;
    for (const std::uint64_t size : sizes) {
        OutputFile file;
        file.size = size;
        file.tensors.resize(1);
        plan.layout.files.push_back(std::move(file));
    }
    plan.layout.files.emplace_back(); // an index
    return PartShare(plan, parts);
}

TEST(PartShare, GivesFilesToPartsAsLongAsTheyAreEqual) {
    const auto owners = [](const std::vector<std::uint64_t>& sizes, std::size_t parts) {
        const PartShare share = shareOf(sizes, parts);
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i <= sizes.size(); ++i) {
            all.push_back(share.ownerOf(i));
        }
        return all;
    };
    using Owners = std::vector<std::size_t>;
    EXPECT_EQ(owners({100}, 4), (Owners{0, 0}));
    EXPECT_EQ(owners({100, 100}, 1), (Owners{0, 0, 0}));
    EXPECT_EQ(owners({100, 100}, 2), (Owners{1, 2, 0}));
    EXPECT_EQ(owners({100, 100, 100}, 2), (Owners{1, 2, 0, 0})); // the third by both
    EXPECT_EQ(owners({1000, 10, 10, 10}, 4), (Owners{0, 1, 2, 3, 0}));
    EXPECT_EQ(std::ranges::count(shareOf({100, 100}, 1).ownedBy({}), true), 3);
    const PartShare three = shareOf({100, 100, 100}, 2);
    EXPECT_EQ(three.ownedBy({2, 2}), (std::vector<bool>{false, true, false, false}));
    EXPECT_EQ(std::ranges::count(three.ownedBy({JobPart::kLastStep, 2}), true), 0);
}

TEST(PartShare, DividesEquallyWhateverTheSizes) {
    std::mt19937_64 chance(7);
    std::size_t compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::size_t parts = 2 + chance() % 30;
        std::vector<std::uint64_t> files;
        for (std::size_t i = chance() % 40; i > 0; --i) {
            files.push_back(1 + chance() % 1000);
        }
        std::vector<std::uint64_t> unowned; // runs of the files that several parts write
        const PartShare share = shareOf(files, parts);
        std::vector<std::uint64_t> load(parts, 0);
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (share.ownerOf(i) != 0) {
                load[share.ownerOf(i) - 1] += files[i];
                continue;
            }
            for (std::uint64_t left = files[i]; left > 0;) { // large and small ones
                const std::uint64_t bytes = std::min<std::uint64_t>(left, 1 + chance() % 10);
                unowned.push_back(bytes);
                left -= bytes;
            }
        }
        const std::vector<std::size_t> writers = share.divide(unowned);
        ASSERT_EQ(writers.size(), unowned.size());
        std::uint64_t largest = 0;
        for (std::size_t i = 0; i < unowned.size(); ++i) {
            ASSERT_TRUE(writers[i] >= 1 && writers[i] <= parts);
            load[writers[i] - 1] += unowned[i];
            largest = std::max(largest, unowned[i]);
        }
        const double mean =
            static_cast<double>(std::accumulate(load.begin(), load.end(), std::uint64_t{0})) /
            static_cast<double>(parts);
        if (static_cast<double>(largest) > 0.05 * mean || mean == 0) {
            continue; // too few runs to be equal
        }
        EXPECT_LE(static_cast<double>(*std::ranges::max_element(load)), 1.05 * mean) << trial;
        ++compared;
    }
    EXPECT_GT(compared, 100U);
}

TEST(PartShare, GivesOneLargeRunToOnePartAndTheRestToTheOthers) {
    std::vector<std::uint64_t> runs(200, 1);
    runs[100] = 50; // as much as a part of four
    const PartShare share = shareOf({250}, 4);
    const std::vector<std::size_t> writers = share.divide(runs);
    std::vector<std::uint64_t> load(4, 0);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        load[writers[i] - 1] += runs[i];
    }
    for (const std::uint64_t each : load) {
        EXPECT_NEAR(static_cast<double>(each), 62.5, 2);
    }
    EXPECT_EQ(share.divide({}), std::vector<std::size_t>());
}

TEST(Resume, TwoProcessesAreNotAtOneJob) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(46, 5, 1, folder.path() / "out");
    RealFileOps real;
    JobContext context;
    {
        const auto staging =
            Staging::create(job.plan, real, context, {true, {}, layoutDigest(job.plan)});
        ASSERT_TRUE(staging.has_value());
        const auto before = folder.names();
        EXPECT_EQ(runPart(job, real).error().code, ErrorCode::JobIsRunning);
        EXPECT_EQ(folder.names(), before);
    }
    EXPECT_TRUE(folder.names().empty());
    EXPECT_TRUE(runPart(job, real).has_value());
}

TEST(Resume, WhatSomebodyElsePreparedIsNotUsed) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(47, 5, 1, folder.path() / "out");
    const std::filesystem::path target = folder.path() / "target";
    writeFile(target, std::vector<std::byte>(3));
    std::filesystem::create_symlink(target, stagedPath(job.plan.output, layoutDigest(job.plan)));
    RealFileOps real;
    EXPECT_FALSE(runPart(job, real).has_value());
    EXPECT_EQ(readFile(target).size(), 3U);
    std::filesystem::remove(stagedPath(job.plan.output, layoutDigest(job.plan)));
    std::filesystem::create_hard_link(target, stagedPath(job.plan.output, layoutDigest(job.plan)));
    EXPECT_EQ(runPart(job, real).error().code, ErrorCode::NotRegularFile);
    EXPECT_EQ(readFile(target).size(), 3U);
}

TEST(Resume, AJournalEndsAtItsFirstTornLine) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    const auto parent = real.openFolder(folder.path());
    ASSERT_TRUE(parent.has_value());
    const std::filesystem::path path = folder.path() / "j";
    {
        auto journal = Journal::open(real, *parent, folder.path(), "j", "abc");
        ASSERT_TRUE(journal.has_value());
        for (std::uint64_t run = 0; run < 3; ++run) {
            const RunRecord record{
                run, 5, {{0, 4096, 7, {std::byte{1}, std::byte{0xfe}}}}, {{2, 99}}};
            ASSERT_TRUE(journal->add(record).has_value());
        }
    }
    const auto bytes = readFile(path);
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        writeFile(path, std::span(bytes).first(size));
        const auto content = Journal::read(path, "abc");
        ASSERT_TRUE(content.has_value());
        const auto lines = std::ranges::count(std::span(bytes).first(size), std::byte{'\n'});
        EXPECT_EQ(content->records.size(), static_cast<std::size_t>(std::max<long>(lines - 1, 0)));
        EXPECT_FALSE(content->complete);
    }
    const auto again = Journal::open(real, *parent, folder.path(), "j", "abc");
    ASSERT_TRUE(again.has_value());
    const RunRecord& last = again->content().records.at(2);
    EXPECT_EQ(last.run, 2U);
    EXPECT_EQ(last.fragments.at(0).bytes, (std::vector{std::byte{1}, std::byte{0xfe}}));
    EXPECT_EQ(last.checksums.at(0), (std::pair<std::uint32_t, std::uint32_t>{2, 99}));
    EXPECT_EQ(Journal::read(path, "other").error().code, ErrorCode::ChangedOnDisk);
}

TEST(Resume, TheRegistryTellsWhatWasLeftAndCleansIt) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(48, 20, 1, folder.path() / "data" / "out");
    std::filesystem::create_directory(folder.path() / "data");
    RealFileOps real;
    const JobRegistry registry(folder.path() / "state" / "jobs");
    StartedJob begun = startedJob(job.plan, {"consolidate", "a b", "-o", "out"}, {});
    ASSERT_TRUE(registry.add(real, begun).has_value());
    ASSERT_EQ(registry.list().size(), 1U);
    EXPECT_TRUE(registry.list().front().running);
    EXPECT_EQ(registry.list().front().command, begun.command);
    begun.boot = "another start of the machine";
    ASSERT_TRUE(registry.add(real, begun).has_value());
    ASSERT_EQ(registry.list().size(), 1U);
    EXPECT_FALSE(registry.list().front().running);
    std::uint64_t at = 12;
    ASSERT_TRUE(runKilled(job.plan, at, smallRuns()));
    EXPECT_GE(leftovers(begun).size(), 2U);
    ASSERT_TRUE(cleanUp(real, registry.list().front()).has_value());
    EXPECT_TRUE(leftovers(begun).empty());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "data"));
    registry.remove(real, begun);
    EXPECT_TRUE(registry.list().empty());
}

/// Suspends the job at the first write after two runs were recorded.
class SuspendingFileOps final : public FileOps {
public:
    SuspendingFileOps(FileOps& inner, JobContext& context, std::filesystem::path journal,
                      std::string digest)
        : m_inner(inner), m_context(context), m_journal(std::move(journal)),
          m_digest(std::move(digest)) {}
    long perform(const FileCall& call) override {
        if (call.kind == FileCallKind::Write &&
            Journal::read(m_journal, m_digest).value_or(JournalContent{}).records.size() >= 2) {
            m_context.suspend();
        }
        return m_inner.perform(call);
    }

private:
    FileOps& m_inner;
    JobContext& m_context;
    std::filesystem::path m_journal;
    std::string m_digest;
};

TEST(Resume, ASuspendedJobStaysInTheListUntilItIsGoneOnWith) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    std::filesystem::create_directory(folder.path() / "data");
    for (const std::size_t files : {1U, 2U}) {
        const Job job = randomJob(52, 40, files, folder.path() / "data" / "out");
        const std::string digest = layoutDigest(job.plan);
        const JobRegistry registry(folder.path() / "state" / "jobs");
        RealFileOps real;
        JobContext context;
        SuspendingFileOps suspending(
            real, context, stagedPath(job.plan.output, digest).string() + ".journal", digest);
        const auto stopped =
            runListed(job.plan, {{"job"}, digest, smallRuns(), registry}, suspending, context);
        ASSERT_FALSE(stopped.has_value());
        EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
        EXPECT_FALSE(std::filesystem::exists(job.plan.output));
        const std::vector<ListedJob> listed = listedJobs(registry);
        ASSERT_EQ(listed.size(), 1U);
        EXPECT_FALSE(listed.front().left.empty());
        EXPECT_GT(listed.front().written, 0U);
        EXPECT_LT(listed.front().written, job.plan.outputBytes());
        EXPECT_EQ(listed.front().job.bytes, job.plan.outputBytes());

        JobContext other;
        EXPECT_EQ(
            runListed(job.plan, {{"job"}, "of another plan", smallRuns(), registry}, real, other)
                .error()
                .code,
            ErrorCode::ChangedOnDisk);
        const auto report =
            runListed(job.plan, {{"job"}, digest, smallRuns(), registry}, real, other);
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        expectOutput(job);
        EXPECT_TRUE(listedJobs(registry).empty());
        EXPECT_EQ(std::filesystem::remove_all(folder.path() / "data") > 0, true);
        std::filesystem::create_directory(folder.path() / "data");
    }
}

} // namespace
} // namespace cairn
