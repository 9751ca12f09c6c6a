// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/listed_run.h"

#include "core/jobs/archive/archive_rows.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/queue/output_undo.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

/// Keeps the job in the user's list while it runs.
class Registered {
public:
    Registered(const JobRegistry& registry, FileOps& fileOps, StartedJob job)
        : m_registry(registry), m_fileOps(fileOps), m_job(std::move(job)) {
        (void)m_registry.add(m_fileOps, m_job); // the list is optional
    }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;
    ~Registered() {
        if (!m_keep) {
            m_registry.remove(m_fileOps, m_job);
        }
    }
    void keep() { m_keep = true; }
    [[nodiscard]] bool isKept() const { return m_keep; }
    void publishedAll() { m_registry.removeAll(m_fileOps, m_job.id); }

private:
    const JobRegistry& m_registry;
    FileOps& m_fileOps;
    StartedJob m_job;
    bool m_keep = false;
};

/// Bytes that are written according to the job's journals.
std::uint64_t writtenOf(const StartedJob& job, const std::vector<std::filesystem::path>& left) {
    const std::string journal = job.staged.filename().string() + ".journal";
    std::uint64_t written = 0;
    for (const std::filesystem::path& path : left) {
        if (!path.filename().string().starts_with(journal)) {
            continue;
        }
        if (const auto content = Journal::read(path, job.digest)) {
            for (const RunRecord& record : content->records) {
                written += record.bytes;
            }
        }
    }
    return job.bytes > 0 ? std::min(written, job.bytes) : written;
}

/// A rate only improves later forecasts: a failure to save it does not fail the job.
void remember(const CopyPlan& plan, const JobReport& report, FileOps& fileOps, JobContext& context,
              const DiskRates& rates) {
    if (!report.measured || report.measured->bytes < DiskRates::kLeastBytes) {
        return;
    }
    const auto learned =
        rates.learn(fileOps, fileSystemsOf(*plan.source, plan.output), *report.measured);
    if (!learned) {
        context.log(sentence("The disk rate could not be saved: %1", describe(learned.error())));
    }
}

/// A process that runs a job has its journal locked. The number of a killed process may be in use
/// again, and a packing has no journal.
bool isRunning(FileOps& fileOps, const StartedJob& job) {
    if (!job.running) {
        return false;
    }
    const auto folder = fileOps.openFolder(job.staged.parent_path());
    if (!folder) {
        return false;
    }
    const auto journal = fileOps.openFile(*folder, job.staged.filename().string() + ".journal");
    return !journal || !fileOps.lock(*journal).value_or(false);
}

/// Two jobs with different plans would both write everything before one of them finds the name
/// taken.
Result<void> checkNoOtherJob(const JobRegistry& registry, FileOps& fileOps,
                             const StartedJob& wanted) {
    const std::filesystem::path place = canonicalOutput(wanted.output);
    for (const StartedJob& other : registry.list()) {
        if (other.id != wanted.id && canonicalOutput(other.output) == place &&
            isRunning(fileOps, other)) {
            return fail(ErrorCode::JobIsRunning, "Another job is writing this output")
                .inFile(wanted.output.string())
                .withHint("Wait for that job, or choose a different output");
        }
    }
    return {};
}

EndedJob endedJob(const CopyPlan& plan, const ListedOptions& options,
                  const Result<JobReport>& report) {
    std::error_code error;
    EndedJob job;
    job.command = options.command;
    job.source = plan.source->path();
    job.output = std::filesystem::absolute(plan.output, error).lexically_normal();
    if (report) {
        job.tensors = report->tensors;
        job.bytes = report->bytes;
        job.verified = report->verified;
        job.seconds = report->seconds;
        job.stamp = report->stamp;
    } else if (report.error().code == ErrorCode::Cancelled) {
        job.outcome = JobOutcome::Stopped;
    } else {
        job.outcome = JobOutcome::Failed;
        job.message = report.error().message;
    }
    return job;
}

/// `work` executes the plan.
template <class Work>
Result<JobReport> listed(const CopyPlan& plan, const ListedOptions& options, FileOps& fileOps,
                         JobContext& context, const Work& work) {
    StartedJob job = startedJob(plan, options.command, options.engine.part);
    if (!options.digest.empty() && job.digest != options.digest) {
        return fail(ErrorCode::ChangedOnDisk, "The checkpoint changed since the plan was made")
            .inFile(plan.source->path().string())
            .withHint("Create a new plan");
    }
    CAIRN_CHECK(checkNoOtherJob(options.registry, fileOps, job));
    Registered registered(options.registry, fileOps, std::move(job));
    Result<JobReport> report = work();
    const JobPart& part = options.engine.part;
    if (!part.whole() && !part.isLastStep() && (!report || !report->published)) {
        registered.keep(); // its share is written and needed by the other parts
    } else if (!report && report.error().code == ErrorCode::Cancelled && context.suspended()) {
        registered.keep();
    } else if (report) {
        registered.publishedAll();
    }
    if (report) {
        remember(plan, *report, fileOps, context, options.rates);
    }
    if (report && report->published) {
        report->stamp = outputStamp(plan.output);
    }
    if (!registered.isKept()) {
        (void)options.registry.history().add(fileOps, endedJob(plan, options, report));
    }
    return report;
}

} // namespace

Result<JobReport> runListed(const CopyPlan& plan, const ListedOptions& options, FileOps& fileOps,
                            JobContext& context) {
    CAIRN_CHECK(checkRunnable(plan));
    return listed(plan, options, fileOps, context,
                  [&] { return runPlan(plan, fileOps, context, options.engine); });
}

Result<JobReport> runListedPack(const CheckpointPtr& source, const PackOptions& wanted,
                                const ListedOptions& options, FileOps& fileOps,
                                JobContext& context) {
    if (!options.engine.part.whole()) {
        return fail(ErrorCode::InvalidArgument, "An archive is packed by a single process")
            .inField("--part")
            .withHint("Run the job without --part");
    }
    return listed(archivePlan(source, wanted), options, fileOps, context,
                  [&] { return packArchive(source, wanted, fileOps, context, options.engine); });
}

ListedJob inspectJob(StartedJob job) {
    ListedJob listed;
    listed.left = leftovers(job);
    for (const std::filesystem::path& path : listed.left) {
        listed.leftBytes += allocatedBytes(path);
    }
    listed.written = writtenOf(job, listed.left);
    listed.job = std::move(job);
    return listed;
}

std::vector<ListedJob> listedJobs(const JobRegistry& registry) {
    std::vector<ListedJob> all;
    for (StartedJob& job : registry.list()) {
        ListedJob each = inspectJob(std::move(job));
        if (each.job.running || !each.left.empty()) {
            all.push_back(std::move(each));
        }
    }
    return all;
}

} // namespace cairn
