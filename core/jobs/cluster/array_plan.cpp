// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/array_plan.h"

#include "core/jobs/engine/output_runs.h"
#include "core/jobs/queue/finished_output.h"
#include "core/jobs/request/run_request.h"
#include "core/plan/request_words.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace cairn {
namespace {

Result<void> checkParts(const JobRequest& request, std::size_t parts) {
    const bool csv = request.kind == JobKind::Export && request.output.path().extension() == ".csv";
    if (parts > 1 && (request.kind == JobKind::Pack || csv)) {
        return fail(ErrorCode::InvalidArgument, "This job is done by a single process")
            .inField("--parts")
            .butFound(verbatim(std::to_string(parts)))
            .expecting("1");
    }
    return {};
}

struct PlannedItem {
    ArrayJob::Item item;
    ArrayNeeds needs;
    std::vector<std::uint64_t> bytes;
    bool isDone = false;
};

/// The output's place may be known to the nodes only: its first folder ("/scratch") is missing on
/// this machine, whose own disk says nothing about it.
bool isElsewhere(const std::filesystem::path& output) {
    std::error_code error;
    std::filesystem::path folder = output.parent_path();
    while (folder.has_relative_path() && !std::filesystem::exists(folder, error)) {
        folder = folder.parent_path();
    }
    return !folder.has_relative_path() && output.parent_path().has_relative_path();
}

bool isAboutDisk(const PlanProblem& problem) {
    return problem.code == ErrorCode::NoSpace || problem.code == ErrorCode::QuotaExceeded ||
           problem.code == ErrorCode::ReadOnlyFileSystem;
}

Result<PlannedItem> planItem(const JobRequest& wanted, std::size_t parts, const CancelToken& cancel,
                             const DiskRates& rates) {
    const JobRequest request = absoluteRequest(wanted);
    CAIRN_TRY(const OpenedRequest opened, openRequest(request, cancel));
    CAIRN_TRY(PlannedJob planned, planRequest(opened, cancel, rates));
    if (isElsewhere(request.output.path())) {
        std::erase_if(planned.plan.problems, isAboutDisk);
    }
    PlannedItem item;
    item.item = {requestWords(request), planned.digest, request.output.path()};
    item.isDone = finishedOutput(request.output.path(), planned.digest).has_value();
    if (item.isDone) {
        return item;
    }
    CAIRN_CHECK(checkRunnable(planned.plan));
    item.needs = needsOf(planned.plan, parts);
    item.bytes = partSizes(planned.plan, parts).bytes;
    return item;
}

void addItem(ArrayPlan& plan, PlannedItem item) {
    plan.needs = plan.job.items.empty() ? item.needs : most(plan.needs, item.needs);
    plan.taskBytes.insert(plan.taskBytes.end(), item.bytes.begin(), item.bytes.end());
    plan.job.items.push_back(std::move(item.item));
}

std::string replacedWord(std::string text, std::string_view word, std::string_view by) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size())) {
        text.replace(at, word.size(), by);
    }
    return text;
}

/// Why there is nothing to do for it.
std::optional<Sentence> skipReason(const ScannedCheckpoint& checkpoint) {
    if (checkpoint.isLink()) {
        return sentence("a link to %1", checkpoint.linkTo);
    }
    if (checkpoint.isExport || checkpoint.exportOf.value) {
        return Sentence("an export, not a save of the training");
    }
    if (checkpoint.state != CheckpointState::Complete) {
        return checkpoint.reason.empty() ? fixedText(stateName(checkpoint.state))
                                         : checkpoint.reason;
    }
    return std::nullopt;
}

} // namespace

Result<ArrayPlan> planArray(const JobRequest& request, std::size_t parts, const CancelToken& cancel,
                            const DiskRates& rates) {
    CAIRN_CHECK(checkParts(request, parts));
    CAIRN_TRY(PlannedItem item, planItem(request, parts, cancel, rates));
    if (item.isDone) {
        return fail(ErrorCode::OutputExists, "The job is done already; the manifest matches")
            .inFile(item.item.output.string());
    }
    ArrayPlan plan;
    plan.name = item.item.output.filename().string();
    addItem(plan, std::move(item));
    plan.job.parts = parts;
    plan.job.leavesLastStep = parts > 1;
    return plan;
}

std::filesystem::path outputFor(const std::filesystem::path& pattern,
                                const ScannedCheckpoint& checkpoint) {
    std::string text = pattern.string();
    const bool named = text.find("{name}") != text.npos || text.find("{step}") != text.npos;
    if (!named) {
        text = (pattern / "{name}").string();
    }
    std::string name = checkpoint.name;
    std::ranges::replace(name, '/', '-');
    const std::string step = checkpoint.step ? std::to_string(*checkpoint.step) : name;
    return replacedWord(replacedWord(text, "{step}", step), "{name}", name);
}

Result<ArrayPlan> planEachCheckpoint(const JobRequest& request, const ScannedRun& run,
                                     std::size_t parts, const CancelToken& cancel,
                                     const DiskRates& rates) {
    CAIRN_CHECK(checkParts(request, parts));
    ArrayPlan plan;
    plan.name = run.path.filename().string();
    std::set<std::filesystem::path> outputs;
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        if (auto why = skipReason(checkpoint)) {
            plan.skipped.push_back({checkpoint.path, std::move(*why)});
            continue;
        }
        JobRequest each = request;
        each.sources = {Location(checkpoint.path)};
        each.output = outputFor(request.output.path(), checkpoint);
        if (!outputs.insert(each.output.path()).second) {
            return fail(ErrorCode::InvalidArgument, "Two checkpoints have the same output")
                .inFile(checkpoint.path.string())
                .butFound(verbatim(each.output.path().string()))
                .withHint("Use {name} in the name of the output");
        }
        auto item = planItem(each, parts, cancel, rates);
        if (!item) {
            Error error = std::move(item).error();
            if (error.where.file.empty()) {
                error.where.file = checkpoint.path.string();
            }
            return error;
        }
        if (item->isDone) {
            plan.skipped.push_back({checkpoint.path, "done already"});
            continue;
        }
        addItem(plan, std::move(*item));
    }
    if (plan.job.items.empty()) {
        return fail(ErrorCode::NotFound, "Nothing is left to do for the checkpoints of this run")
            .inFile(run.path.string())
            .butFound(plan.skipped.empty()
                          ? Sentence("no checkpoints")
                          : sentence("%1 are skipped; the first: %2", plan.skipped.size(),
                                     plan.skipped.front().why));
    }
    plan.job.parts = parts;
    plan.job.leavesLastStep = parts > 1;
    return plan;
}

} // namespace cairn
