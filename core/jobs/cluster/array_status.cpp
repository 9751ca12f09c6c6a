// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/array_status.h"

#include "core/jobs/cluster/scheduler_call.h"
#include "core/jobs/cluster/slurm_script.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/queue/finished_output.h"

#include <algorithm>

namespace cairn {
namespace {

std::vector<std::string> withOptions(std::vector<std::string> words, const Submission& submission) {
    words.insert(words.end(), submission.options.begin(), submission.options.end());
    return words;
}

/// The array and its last step.
std::string slurmJobs(const Submission& submission) {
    return submission.last.empty() ? submission.id : submission.id + "," + submission.last;
}

/// Slurm forgets finished jobs after some minutes.
bool isForgotten(const ProgramOutput& done) {
    return done.errors.find("Invalid job id") != std::string::npos;
}

/// squeue knows what waits and runs, and what ended a few minutes ago; sacct, where the cluster
/// keeps accounts, what ended before.
Result<ReportedArray> reportedBySlurm(const Submission& submission, const CancelToken& cancel,
                                      bool* accounting) {
    ReportedArray reported;
    for (const std::string& job : {submission.id, submission.last}) {
        if (job.empty()) { // each alone: squeue refuses all if it has forgotten one
            continue;
        }
        const auto words = withOptions({"squeue", "--noheader", "--array", "--states=all",
                                        "--jobs=" + job, "--format=%i|%T|%r"},
                                       submission);
        CAIRN_TRY(const ProgramOutput queue, callScheduler(words, {}, cancel));
        if (!isForgotten(queue)) {
            CAIRN_CHECK(checkAccepted(words, queue));
        }
        if (queue.code == 0 &&
            !addSlurmLines(queue.output, submission.id, submission.last, reported)) {
            return notUnderstood("squeue", queue);
        }
    }
    const bool complete = reported.tasks.size() >= submission.job.tasks() &&
                          (reported.last || submission.last.empty());
    if (complete && accounting == nullptr) {
        return reported;
    }
    const auto accounts = callScheduler(
        withOptions({"sacct", "--noheader", "--parsable2", "--allocations",
                     "--jobs=" + slurmJobs(submission), "--format=JobID,State,ExitCode"},
                    submission),
        {}, cancel);
    if (!accounts && accounts.error().code == ErrorCode::Cancelled) {
        return accounts.error();
    }
    const bool answered = accounts && accounts->code == 0 &&
                          addSlurmLines(accounts->output, submission.id, submission.last, reported);
    if (accounting != nullptr) {
        *accounting = answered;
    }
    return reported;
}

Result<ReportedArray> reportedByKubernetes(const Submission& submission,
                                           const CancelToken& cancel) {
    const auto words =
        withOptions({"kubectl", "get", "job", submission.id, "--output=json"}, submission);
    CAIRN_TRY(const ProgramOutput done, callScheduler(words, {}, cancel));
    if (done.code != 0 && done.errors.find("NotFound") != std::string::npos) {
        return ReportedArray();
    }
    CAIRN_CHECK(checkAccepted(words, done));
    auto reported = readKubernetesJob(done.output, submission.job.tasks());
    if (!reported) {
        return notUnderstood("kubectl", done);
    }
    return std::move(*reported);
}

/// What the journal of a part records; empty: it has none, or it cannot be read here.
std::optional<JournalContent> journalOf(const ArrayJob::Item& item, JobPart part) {
    if (item.output.filename().empty() || item.digest.empty()) {
        return std::nullopt;
    }
    auto content =
        Journal::read(partJournal(stagedPath(item.output, item.digest), part), item.digest);
    return content ? std::optional(std::move(*content)) : std::nullopt;
}

/// Adds what the disk shows about the task.
void addProgress(TaskStatus& status, const ArrayJob::Item& item, bool published) {
    std::optional<JournalContent> journal;
    if (!published && status.reported.state != TaskState::Done) {
        journal = journalOf(item, status.does.part);
    }
    const bool done = published || (journal && journal->complete);
    if (status.reported.state == TaskState::Unknown && done) {
        status.reported.state = TaskState::Done;
    }
    if (status.reported.state == TaskState::Done && status.bytes > 0) {
        status.bytesDone = status.bytes;
    } else if (journal) {
        std::uint64_t written = 0;
        for (const RunRecord& run : journal->records) {
            written += run.bytes;
        }
        status.bytesDone = status.bytes > 0 ? std::min(written, status.bytes) : written;
    } else if (status.reported.state == TaskState::Waiting) {
        status.bytesDone = 0;
    }
}

} // namespace

bool ArrayStatus::hasFailed() const {
    const auto failed = [](const ReportedTask& task) {
        return task.state == TaskState::Failed || task.state == TaskState::Cancelled;
    };
    return published < submission.job.items.size() &&
           ((last && failed(*last)) || std::ranges::any_of(tasks, [&](const TaskStatus& each) {
                return failed(each.reported);
            }));
}

bool ArrayStatus::isActive() const {
    const auto active = [](const ReportedTask& task) {
        return task.state == TaskState::Waiting || task.state == TaskState::Running;
    };
    return (last && active(*last)) || std::ranges::any_of(tasks, [&](const TaskStatus& each) {
               return active(each.reported);
           });
}

std::size_t ArrayStatus::count(TaskState state) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        tasks, [state](const TaskStatus& each) { return each.reported.state == state; }));
}

std::uint64_t ArrayStatus::bytesDone() const {
    std::uint64_t sum = 0;
    for (const TaskStatus& each : tasks) {
        sum += each.bytesDone.value_or(0);
    }
    return sum;
}

std::uint64_t ArrayStatus::bytes() const {
    std::uint64_t sum = 0;
    for (const TaskStatus& each : tasks) {
        sum += each.bytes;
    }
    return sum;
}

Result<ReportedArray> reportedArray(const Submission& submission, const CancelToken& cancel,
                                    bool* accounting) {
    return submission.scheduler == Scheduler::Slurm
               ? reportedBySlurm(submission, cancel, accounting)
               : reportedByKubernetes(submission, cancel);
}

Result<ArrayStatus> arrayStatus(const Submission& submission, const CancelToken& cancel) {
    ArrayStatus status;
    status.submission = submission;
    CAIRN_TRY(const ReportedArray reported, reportedArray(submission, cancel, &status.accounting));
    status.last = reported.last;
    const bool slurm = submission.scheduler == Scheduler::Slurm;
    std::vector<bool> published;
    for (const ArrayJob::Item& item : submission.job.items) {
        published.push_back(finishedOutput(item.output, item.digest).has_value());
    }
    status.published = static_cast<std::size_t>(std::ranges::count(published, true));
    for (std::size_t task = 1; task <= submission.job.tasks(); ++task) {
        TaskStatus& each = status.tasks.emplace_back();
        each.task = task;
        each.does = taskOf(submission.job, task);
        if (const auto found = reported.tasks.find(task); found != reported.tasks.end()) {
            each.reported = found->second;
        }
        each.bytes = submission.taskBytes.empty() ? 0 : submission.taskBytes[task - 1];
        if (slurm && !submission.logs.empty()) {
            each.log = slurmLog(submission.logs, task);
        }
        addProgress(each, submission.job.items[each.does.item], published[each.does.item]);
    }
    if (!submission.last.empty()) {
        status.lastLog = slurmLastLog(submission.logs);
        if (!status.last) {
            status.last = ReportedTask();
            status.last->state = status.published == submission.job.items.size()
                                     ? TaskState::Done
                                     : TaskState::Unknown;
        }
    }
    return status;
}

Result<void> cancelArray(const Submission& submission, const CancelToken& cancel) {
    if (submission.scheduler == Scheduler::Kubernetes) {
        const auto words = withOptions({"kubectl", "delete", "job/" + submission.id,
                                        "configmap/" + submission.id, "--ignore-not-found"},
                                       submission);
        CAIRN_TRY(const ProgramOutput done, callScheduler(words, {}, cancel));
        return checkAccepted(words, done);
    }
    // The last step first: it would start when the array has ended.
    for (const std::string& job : {submission.last, submission.id}) {
        if (job.empty()) {
            continue;
        }
        const auto words = withOptions({"scancel", job}, submission);
        CAIRN_TRY(const ProgramOutput done, callScheduler(words, {}, cancel));
        if (!isForgotten(done)) {
            CAIRN_CHECK(checkAccepted(words, done));
        }
    }
    return {};
}

} // namespace cairn
