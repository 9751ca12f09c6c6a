// SPDX-License-Identifier: Apache-2.0
// The history of jobs, and undoing one by its record.
#include "core/jobs/queue/job_history.h"
#include "core/jobs/queue/listed_run.h"
#include "core/jobs/queue/output_undo.h"
#include "core/jobs/record/manifest.h"
#include "tests/core/jobs/job_fixture.h"

#include <sys/file.h>

#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace cairn {
namespace {

using namespace jobtest;
namespace fs = std::filesystem;

class JobHistoryTest : public ::testing::Test {
protected:
    JobHistoryTest() { fs::create_directories(m_folder.path() / "data"); }

    Result<JobReport> run(const Job& job, JobContext& context) {
        ListedOptions options{{"consolidate", "in"}, {}, smallOptions(), m_registry};
        options.rates = DiskRates(m_folder.path() / "rates");
        return runListed(job.plan, options, m_files, context);
    }
    Job makeJob(std::size_t files = 1, const char* name = "out") {
        return randomJob(7, 20, files, m_folder.path() / "data" / name);
    }
    WastebasketPlaces places() const {
        return {m_folder.path() / "Trash", m_folder.path(), ::getuid()};
    }

    TemporaryFolder m_folder{TemporaryFolder::Where::Memory};
    RealFileOps m_files;
    JobRegistry m_registry{m_folder.path() / "state" / "jobs"};
};

TEST_F(JobHistoryTest, RecordsHowEachJobEnded) {
    JobContext context;
    const auto report = run(makeJob(), context);
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    JobContext stopped;
    stopped.cancel();
    EXPECT_FALSE(run(makeJob(1, "stopped"), stopped).has_value());
    JobContext again;
    EXPECT_EQ(run(makeJob(), again).error().code, ErrorCode::OutputExists);

    const std::vector<EndedJob> jobs = m_registry.history().list();
    ASSERT_EQ(jobs.size(), 3U);
    EXPECT_EQ(jobs[0].outcome, JobOutcome::Failed); // the newest first
    EXPECT_NE(jobs[0].message.text().find("already exists"), std::string::npos);
    EXPECT_EQ(jobs[1].outcome, JobOutcome::Stopped);
    EXPECT_EQ(jobs[2].outcome, JobOutcome::Done);
    EXPECT_EQ(jobs[2].command, (std::vector<std::string>{"consolidate", "in"}));
    EXPECT_EQ(jobs[2].output, m_folder.path() / "data" / "out");
    EXPECT_EQ(jobs[2].bytes, report->bytes);
    EXPECT_EQ(jobs[2].tensors, report->tensors);
    EXPECT_TRUE(jobs[2].verified);
    EXPECT_GT(jobs[2].ended, 0);
    EXPECT_FALSE(report->stamp.empty());
    EXPECT_EQ(jobs[2].stamp, report->stamp);
    EXPECT_TRUE(m_registry.list().empty()); // the history is not a job that was killed
}

TEST_F(JobHistoryTest, KeepsTheLastOnesAndIgnoresOtherFiles) {
    const JobHistory history = m_registry.history();
    EXPECT_TRUE(history.list().empty());
    for (std::size_t i = 0; i < JobHistory::kMost + 3; ++i) {
        EndedJob job;
        job.output = "/out/" + std::to_string(i);
        ASSERT_TRUE(history.add(m_files, job).has_value());
    }
    const fs::path folder = m_folder.path() / "state" / "jobs" / "ended";
    std::ofstream(folder / "1-1.json") << "{\"outcome\": \"do";
    std::ofstream(folder / "2-1.json") << "{\"outcome\": \"unknown\", \"output\": \"/x\"}";
    const std::vector<EndedJob> jobs = history.list();
    ASSERT_EQ(jobs.size(), JobHistory::kMost);
    std::set<std::string> outputs;
    for (const EndedJob& job : jobs) {
        outputs.insert(job.output.string());
    }
    EXPECT_TRUE(outputs.contains("/out/52"));
    EXPECT_FALSE(outputs.contains("/out/2")); // the oldest are gone
    history.clear(m_files);
    EXPECT_TRUE(history.list().empty());
}

TEST_F(JobHistoryTest, AMessageKeepsItsArguments) {
    const JobHistory history = m_registry.history();
    EndedJob job;
    job.outcome = JobOutcome::Failed;
    job.output = "/out";
    job.message = sentence("%1 in the file %2", counting(3, "tensor"), std::string("a\tb\n"));
    ASSERT_TRUE(history.add(m_files, job).has_value());
    const Sentence read = history.list().at(0).message;
    EXPECT_EQ(read.text(), "3 tensors in the file a\tb\n");
    EXPECT_EQ(read.pattern(), "%1 in the file %2");
    ASSERT_EQ(read.arguments().size(), 2U);
    EXPECT_EQ(read.arguments()[0].sentence.pattern(), "%n tensors");

    // A record of an earlier version, one that was damaged, and a name that is not UTF-8.
    const fs::path folder = m_folder.path() / "state" / "jobs" / "ended";
    std::ofstream(folder / "1-1.json")
        << R"({"outcome": "failed", "output": "/x", "message": "It failed: %1"})";
    std::ofstream(folder / "2-1.json")
        << R"({"outcome": "failed", "output": "/x", "message": "It", "messageForm": "1\tS%3\tTIt\t."})";
    std::ofstream(folder / "3-1.json")
        << R"({"outcome": "failed", "output": "/x", "message": "It", "messageForm": 5})";
    job.message = sentence("The file %1 is missing", std::string("\xff\xfe"));
    ASSERT_TRUE(history.add(m_files, job).has_value());
    std::map<std::string, EndedJob> all;
    for (EndedJob& each : history.list()) {
        all.emplace(each.id, std::move(each));
    }
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all.at("1-1").message.text(), "It failed: %1");
    EXPECT_EQ(all.at("2-1").message.text(), "It");
    EXPECT_TRUE(all.at("2-1").message.arguments().empty());
    EXPECT_EQ(all.at("3-1").message.text(), "It");
    EXPECT_EQ(history.list().at(0).message.pattern(), "The file %1 is missing");
}

TEST_F(JobHistoryTest, AUserWithoutAStateFolderHasNone) {
    const JobHistory history = JobRegistry(fs::path()).history();
    EXPECT_FALSE(history.add(m_files, {}).has_value());
    EXPECT_TRUE(history.list().empty());
}

TEST_F(JobHistoryTest, UndoMovesTheOutputAsTheJobLeftIt) {
    for (const std::size_t files : {1U, 2U}) {
        const Job job = makeJob(files);
        JobContext context;
        const auto report = run(job, context);
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        const auto moved = undoOutput(m_files, job.plan.output, report->stamp, places());
        ASSERT_TRUE(moved.has_value()) << describe(moved.error());
        EXPECT_TRUE(fs::exists(*moved));
        EXPECT_TRUE(fs::is_empty(m_folder.path() / "data")); // its manifest too
        EXPECT_EQ(undoOutput(m_files, job.plan.output, report->stamp, places()).error().code,
                  ErrorCode::NotFound);
    }
}

TEST_F(JobHistoryTest, UndoRefusesAnOutputThatChanged) {
    const Job folder = makeJob(2);
    JobContext context;
    const auto report = run(folder, context);
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    const auto refused = [&](const Job& job, const std::string& stamp) {
        return undoOutput(m_files, job.plan.output, stamp, places()).error().code;
    };
    EXPECT_EQ(refused(folder, {}), ErrorCode::ChangedOnDisk); // nothing is known of it
    std::ofstream(folder.plan.output / "notes.txt") << "mine";
    EXPECT_EQ(refused(folder, report->stamp), ErrorCode::ChangedOnDisk);
    EXPECT_TRUE(fs::exists(folder.plan.output / "notes.txt"));

    const Job file = makeJob(1, "file");
    JobContext other;
    const auto written = run(file, other);
    ASSERT_TRUE(written.has_value()) << describe(written.error());
    std::ofstream(manifestPath(file.plan.output), std::ios::app) << " ";
    EXPECT_EQ(refused(file, written->stamp), ErrorCode::ChangedOnDisk);
    EXPECT_TRUE(fs::exists(file.plan.output));
}

/// The process of another job: its record, and its locked journal.
class OtherJob {
public:
    OtherJob(const JobRegistry& registry, FileOps& files, const fs::path& output) {
        StartedJob job;
        job.id = "0123456789ab";
        job.command = {"consolidate"};
        job.output = output;
        job.staged = output.parent_path() / ".out.cairn-partial-0123456789ab";
        job.process = ::getpid();
        job.boot = bootId();
        EXPECT_TRUE(registry.add(files, job).has_value());
        const std::string journal = job.staged.string() + ".journal";
        m_journal = ::open(journal.c_str(), O_CREAT | O_RDWR, 0600);
        EXPECT_EQ(::flock(m_journal, LOCK_EX), 0);
    }
    ~OtherJob() { end(); }
    OtherJob(const OtherJob&) = delete;
    OtherJob& operator=(const OtherJob&) = delete;
    void end() {
        if (m_journal >= 0) {
            ::close(m_journal);
            m_journal = -1;
        }
    }

private:
    int m_journal = -1;
};

TEST_F(JobHistoryTest, ASecondJobForTheSameOutputIsRefused) {
    fs::create_directory_symlink(m_folder.path() / "data", m_folder.path() / "link");
    OtherJob other(m_registry, m_files, m_folder.path() / "link" / "out");
    JobContext context;
    const auto refused = run(makeJob(), context);
    EXPECT_EQ(refused.error().code, ErrorCode::JobIsRunning);
    EXPECT_TRUE(run(makeJob(1, "elsewhere"), context).has_value());
    other.end(); // killed: its process number may be in use again, but its journal is not locked
    EXPECT_TRUE(run(makeJob(), context).has_value());
}

TEST_F(JobHistoryTest, AVanishedSourceIsNotCopied) {
    const fs::path folder = m_folder.path() / "run";
    fs::create_directories(folder / "step-1");
    const Job job = sharedJob(3, 1, folder / "step-1", folder / "deploy" / "out");
    fs::rename(folder, m_folder.path() / "moved");
    JobContext context;
    const auto refused = run(job, context);
    ASSERT_FALSE(refused.has_value()); // although its files are open
    EXPECT_EQ(refused.error().code, ErrorCode::NotFound) << describe(refused.error());
    EXPECT_FALSE(fs::exists(folder));
}

} // namespace
} // namespace cairn
