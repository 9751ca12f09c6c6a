// SPDX-License-Identifier: Apache-2.0
#include "app/cli/array_output.h"
#include "app/cli/request_options.h"
#include "app/cli/run_listing.h"
#include "app/cli/verb.h"

#include <algorithm>
#include <vector>

namespace cairn::cli::verb_submit {
namespace {

Result<Scheduler> schedulerOf(const std::string& name) {
    for (const Scheduler each : {Scheduler::Slurm, Scheduler::Kubernetes}) {
        if (schedulerName(each) == name) {
            return each;
        }
    }
    return fail(ErrorCode::InvalidArgument, "Unknown scheduler")
        .butFound(verbatim(name))
        .expecting("slurm or kubernetes");
}

/// Options that the other scheduler has.
Result<void> checkForeign(Scheduler scheduler, const Arguments& arguments) {
    for (const std::string_view option : {"logs", "image", "volume"}) {
        const bool slurm = option == "logs";
        if (arguments.has(option) && slurm != (scheduler == Scheduler::Slurm)) {
            return fail(ErrorCode::InvalidArgument, "This scheduler does not have the option")
                .inField("--" + std::string(option))
                .expecting(slurm ? Sentence("slurm") : Sentence("kubernetes"));
        }
    }
    return {};
}

Result<ArrayPlan> planOf(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const JobKind kind, jobKindNamed(arguments.at(1)));
    CAIRN_TRY(const std::size_t parts, partsOption(arguments));
    const auto run = arguments.text("each-checkpoint");
    if (!run) {
        CAIRN_TRY(const JobRequest request, requestOf(kind, arguments, 2));
        return planArray(request, parts, session.cancel);
    }
    if (arguments.positionals.size() > 2 || kind == JobKind::Average) {
        return fail(ErrorCode::InvalidArgument, "The sources are the checkpoints of the run")
            .inField("--each-checkpoint")
            .butFound(verbatim(arguments.at(arguments.positionals.size() - 1)))
            .expecting("no other source");
    }
    CAIRN_TRY(const JobRequest request, requestWithoutSources(kind, arguments));
    CAIRN_TRY(const ScannedRun scanned, openRun(*run, session));
    return planEachCheckpoint(request, scanned, parts, session.cancel);
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Scheduler scheduler, schedulerOf(arguments.at(0)));
    CAIRN_CHECK(checkForeign(scheduler, arguments));
    if (!arguments.has("output")) {
        return fail(ErrorCode::InvalidArgument, "No output was specified").withHint("Use -o OUT");
    }
    SubmitOptions options;
    options.dryRun = arguments.has("dry-run");
    options.options = arguments.rest;
    options.logs = arguments.text("logs").value_or("");
    options.program = arguments.text("program").value_or("");
    options.image = arguments.text("image").value_or("");
    std::string volumes = arguments.text("volume").value_or("");
    while (!volumes.empty()) {
        const std::size_t end = std::min(volumes.find('\n'), volumes.size());
        CAIRN_TRY(options.volumes.emplace_back(), claimedVolume(volumes.substr(0, end)));
        volumes.erase(0, std::min(end + 1, volumes.size()));
    }
    CAIRN_TRY(const ArrayPlan plan, planOf(arguments, session));
    RealFileOps fileOps;
    CAIRN_TRY(const Submitted submitted,
              submitArray(scheduler, plan, options, fileOps, SubmissionRegistry(), session.cancel));
    printSubmitted(submitted, plan, options.dryRun, session);
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"SCHEDULER", "slurm or kubernetes", Words::One, "slurm kubernetes"},
    {"JOB", "consolidate, fold, convert, reshard, export, cast, rename, average, pack or unpack"},
    {"SRC", "A checkpoint, or a part of it: PATH#subtree; several for average", Words::Any},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "submit",
    "Submit a job to a cluster's scheduler, as an array of parts",
    kPositionals,
    submitOptions(),
    {"cairn-cli submit slurm consolidate step-400 -o out.safetensors --parts 8 --dry-run",
     "cairn-cli submit slurm cast --each-checkpoint run -o out --dtype bf16 --dry-run",
     "cairn-cli submit slurm reshard step-400 -o out --to dcp --ranks 4 --parts 4 "
     "--dry-run -- --partition=gpu"},
    run,
    "Options for sbatch or kubectl, each as one word: --partition=cpu --account=team"};

} // namespace cairn::cli::verb_submit
