// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/submit.h"

#include "core/io/run_program.h"
#include "core/jobs/cluster/array_status.h"
#include "core/jobs/cluster/scheduler_call.h"
#include "core/jobs/cluster/task_state.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cairn {
namespace {

/// Options of sbatch with which the tasks would be others than those of the array, or with which it
/// would wait for them.
Result<void> checkOptions(Scheduler scheduler, const std::vector<std::string>& options) {
    static constexpr auto kRefused = std::to_array<std::string_view>(
        {"--array", "--wrap", "--wait", "--test-only", "--help", "--usage", "--version"});
    static constexpr auto kRefusedLetters =
        std::to_array<std::string_view>({"-a", "-W", "-h", "-V"});
    for (const std::string& option : options) {
        if (option.size() < 2 || option[0] != '-') {
            return fail(ErrorCode::InvalidArgument,
                        "An option for the scheduler does not begin with a dash")
                .butFound(verbatim(option))
                .expecting("--name=value, in one word");
        }
        const std::string name = option.substr(0, option.find('='));
        // getopt accepts the start of a long name, if it is unambiguous
        const bool refused =
            std::ranges::any_of(
                kRefused,
                [&](std::string_view each) { return name.size() > 2 && each.starts_with(name); }) ||
            (!option.starts_with("--") &&
             std::ranges::find(kRefusedLetters, option.substr(0, 2)) != kRefusedLetters.end());
        if (scheduler == Scheduler::Slurm && refused) {
            return fail(ErrorCode::InvalidArgument, "This option of sbatch cannot be used here")
                .butFound(verbatim(option))
                .withHint("The array is that of --parts");
        }
    }
    return {};
}

/// Two arrays that write one output would work on the same files, and the second one would find
/// the name taken.
Result<void> checkNotSubmitted(Scheduler scheduler, const ArrayPlan& plan,
                               const SubmissionRegistry& registry, const CancelToken& cancel) {
    std::set<std::filesystem::path> outputs;
    for (const ArrayJob::Item& item : plan.job.items) {
        outputs.insert(item.output);
    }
    for (const Submission& other : registry.list()) {
        const auto same = std::ranges::find_if(
            other.job.items, [&](const auto& item) { return outputs.contains(item.output); });
        if (other.scheduler != scheduler || same == other.job.items.end()) {
            continue;
        }
        CAIRN_TRY(const ReportedArray reported, reportedArray(other, cancel));
        if (reported.isActive()) {
            return fail(ErrorCode::JobIsRunning, "A submitted job that writes this output is "
                                                 "waiting or running")
                .inFile(same->output.string())
                .butFound(verbatim(other.id))
                .withHint(sentence("`cairn-cli job status %1` shows it, `cairn-cli job cancel %1` "
                                   "cancels it",
                                   other.id));
        }
    }
    return {};
}

std::vector<std::string> sbatch(const std::vector<std::string>& options) {
    std::vector<std::string> words = {"sbatch", "--parsable"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
}

Result<SlurmId> callSbatch(const Submitted::Call& call, const CancelToken& cancel) {
    CAIRN_TRY(const ProgramOutput done, callScheduler(call.words, call.input, cancel));
    CAIRN_CHECK(checkAccepted(call.words, done));
    const auto id = parseSlurmId(done.output);
    if (!id) {
        return notUnderstood("sbatch", done);
    }
    return *id;
}

Result<Submitted> submitSlurm(const ArrayPlan& plan, const SubmitOptions& wanted, FileOps& fileOps,
                              const SubmissionRegistry& registry, const CancelToken& cancel) {
    SlurmSubmission job{plan.job, plan.needs, plan.name, wanted.program, wanted.logs};
    if (job.program.empty()) {
        job.program = ownProgram();
    }
    if (job.logs.empty() && wanted.dryRun) {
        job.logs = SubmissionRegistry::defaultFolder() / "logs";
    } else if (job.logs.empty()) {
        CAIRN_TRY(job.logs, registry.makeLogs(fileOps, plan.job));
    }
    std::error_code error;
    job.logs = std::filesystem::absolute(job.logs, error).lexically_normal();
    CAIRN_TRY(SlurmScripts scripts, slurmScripts(job));
    Submitted submitted;
    submitted.calls.push_back({sbatch(wanted.options), std::move(scripts.array)});
    if (plan.job.leavesLastStep) {
        submitted.calls.push_back({sbatch(wanted.options), std::move(scripts.last)});
    }
    Submission& submission = submitted.submission;
    submission = {Scheduler::Slurm, {}, {}, {}, plan.job, plan.taskBytes, job.logs, 0};
    const auto dependsOn = [&](const std::string& id) { // the last one counts
        submitted.calls.back().words.push_back("--dependency=afterany:" + id);
    };
    if (wanted.dryRun) {
        if (plan.job.leavesLastStep) {
            dependsOn("4711");
        }
        return submitted;
    }
    CAIRN_TRY(const SlurmId array, callSbatch(submitted.calls.front(), cancel));
    submission.id = array.id;
    if (!array.cluster.empty()) {
        submission.options = {"--clusters=" + array.cluster};
    }
    if (!plan.job.leavesLastStep) {
        CAIRN_CHECK(registry.add(fileOps, submission));
        return submitted;
    }
    dependsOn(array.id);
    const auto last = callSbatch(submitted.calls.back(), cancel);
    if (!last) { // without it nothing would be published
        (void)cancelArray(submission, {});
        return last.error();
    }
    submission.last = last->id;
    CAIRN_CHECK(registry.add(fileOps, submission));
    return submitted;
}

Result<Submitted> submitKubernetes(const ArrayPlan& plan, const SubmitOptions& wanted,
                                   FileOps& fileOps, const SubmissionRegistry& registry,
                                   const CancelToken& cancel) {
    KubernetesSubmission job{plan.job, plan.needs, {}, wanted.image, wanted.volumes};
    job.name = kubernetesName(plan.name, plan.job.items.front().digest);
    job.job.leavesLastStep = false; // the part that finishes last publishes
    job.program = wanted.program.empty() ? "cairn-cli" : wanted.program;
    Submitted submitted;
    Submitted::Call& call = submitted.calls.emplace_back();
    CAIRN_TRY(call.input, kubernetesManifest(job));
    call.words = {"kubectl", "create", "--filename=-"};
    call.words.insert(call.words.end(), wanted.options.begin(), wanted.options.end());
    submitted.submission = {Scheduler::Kubernetes, {}, {}, wanted.options, job.job,
                            plan.taskBytes,        {}, 0};
    if (wanted.dryRun) {
        return submitted;
    }
    CAIRN_TRY(const ProgramOutput done, callScheduler(call.words, call.input, cancel));
    CAIRN_CHECK(checkAccepted(call.words, done));
    submitted.submission.id = job.name;
    CAIRN_CHECK(registry.add(fileOps, submitted.submission));
    return submitted;
}

} // namespace

Result<Submitted> submitArray(Scheduler scheduler, const ArrayPlan& plan,
                              const SubmitOptions& options, FileOps& fileOps,
                              const SubmissionRegistry& registry, const CancelToken& cancel) {
    CAIRN_CHECK(checkOptions(scheduler, options.options));
    if (!options.dryRun) {
        CAIRN_CHECK(checkNotSubmitted(scheduler, plan, registry, cancel));
    }
    return scheduler == Scheduler::Slurm
               ? submitSlurm(plan, options, fileOps, registry, cancel)
               : submitKubernetes(plan, options, fileOps, registry, cancel);
}

} // namespace cairn
