// SPDX-License-Identifier: Apache-2.0
#include "app/cli/array_output.h"

#include "app/cli/json_output.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/jobs/cluster/array_status.h"

#include <algorithm>

namespace cairn::cli {
namespace {

void writeWords(JsonWriter& json, std::string_view name, const std::vector<std::string>& words) {
    json.key(name);
    json.beginArray();
    for (const std::string& word : words) {
        json.string(word);
    }
    json.endArray();
}

/// "sbatch --parsable '--comment=a b'": can be pasted into a shell.
std::string shellCommand(const std::vector<std::string>& words) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
    std::string text;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && word.find_first_not_of(kPlain) == word.npos;
        text += (text.empty() ? "" : " ") + (plain ? word : shellWord(word));
    }
    return text;
}

void writeNeeds(JsonWriter& json, const ArrayPlan& plan, bool last) {
    json.member("tasks", plan.job.tasks());
    json.member("memory_bytes", plan.needs.memoryBytes);
    json.member("seconds", plan.needs.taskSeconds);
    if (last) {
        json.member("last_seconds", plan.needs.lastSeconds);
    }
    json.key("task_bytes");
    json.beginArray();
    for (const std::uint64_t bytes : plan.taskBytes) {
        json.natural(bytes);
    }
    json.endArray();
    json.key("skipped");
    json.beginArray();
    for (const SkippedCheckpoint& skipped : plan.skipped) {
        json.beginObject();
        json.member("path", skipped.path.string());
        json.member("why", skipped.why);
        json.endObject();
    }
    json.endArray();
}

void writeSubmitted(const Submitted& submitted, const ArrayPlan& plan, bool dryRun,
                    Session& session) {
    const Submission& submission = submitted.submission;
    JsonDocument document(session.out);
    document->member("scheduler", schedulerName(submission.scheduler));
    document->member("submitted", !dryRun);
    document->memberOrNull("id", submission.id);
    document->memberOrNull("last", submission.last);
    document->member("parts", plan.job.parts);
    document->member("script", submitted.calls.front().input);
    writeWords(*document, "command", submitted.calls.front().words);
    const bool last = submitted.calls.size() > 1;
    if (last) {
        document->member("last_script", submitted.calls.back().input);
        writeWords(*document, "last_command", submitted.calls.back().words);
    }
    document->memberOrNull("logs", submission.logs.string());
    writeNeeds(*document, plan, last);
    document.finish();
}

/// A task's share of its job: "part 3/8 of out/model", or the output.
std::string workOf(const Submission& submission, const ArrayTask& task) {
    const std::string output =
        visibleText(submission.job.items[task.item].output.filename().string());
    return submission.job.parts == 1 ? output
                                     : output + ", part " + std::to_string(task.part.index) + "/" +
                                           std::to_string(task.part.count);
}

void writeReported(JsonWriter& json, const ReportedTask& reported) {
    json.member("state", taskStateName(reported.state));
    json.memberOrNull("scheduler_state", reported.word);
    json.memberOrNull("reason", reported.reason);
}

void writeStatus(const ArrayStatus& status, Session& session) {
    const Submission& submission = status.submission;
    JsonDocument document(session.out);
    document->member("scheduler", schedulerName(submission.scheduler));
    document->member("id", submission.id);
    document->member("accounting", status.accounting);
    document->member("outputs", submission.job.items.size());
    document->member("published", status.published);
    document->key("parts");
    document->beginArray();
    for (const TaskStatus& each : status.tasks) {
        document->beginObject();
        document->member("index", each.task);
        writeReported(*document, each.reported);
        document->key("bytes_done");
        each.bytesDone ? document->natural(*each.bytesDone) : document->null();
        document->key("bytes");
        each.bytes > 0 ? document->natural(each.bytes) : document->null();
        document->member("output", submission.job.items[each.does.item].output.string());
        document->memberOrNull("log", each.log.string());
        document->endObject();
    }
    document->endArray();
    document->key("last");
    if (status.last) {
        document->beginObject();
        document->member("id", submission.last);
        writeReported(*document, *status.last);
        document->memberOrNull("log", status.lastLog.string());
        document->endObject();
    } else {
        document->null();
    }
    document.finish();
}

/// "failed (TIMEOUT)", "waiting (Resources)".
std::string stateText(const ReportedTask& reported) {
    const bool says = reported.state == TaskState::Failed || reported.state == TaskState::Cancelled;
    const std::string& more = says ? reported.word : reported.reason;
    return std::string(taskStateName(reported.state)) + (more.empty() ? "" : " (" + more + ")");
}

void printStatus(const ArrayStatus& status, Session& session) {
    TextTable table({{"TASK"}, {"STATE"}, {"DONE", Align::Right}, {"OF", Align::Right}, {"WORK"}});
    const auto isBad = [](const ReportedTask& reported) {
        return reported.state == TaskState::Failed || reported.state == TaskState::Cancelled ||
               reported.state == TaskState::Unknown;
    };
    for (const TaskStatus& each : status.tasks) {
        table.add({std::to_string(each.task), stateText(each.reported),
                   each.bytesDone ? formatBytes(*each.bytesDone) : "?",
                   each.bytes > 0 ? formatBytes(each.bytes) : "?",
                   workOf(status.submission, each.does)});
    }
    if (status.last) {
        table.add({"last", stateText(*status.last), "", "", "verifies and publishes"});
    }
    table.print(session);
    const std::size_t outputs = status.submission.job.items.size();
    session.out.line(std::to_string(status.published) + " of " + counted(outputs, "output") +
                     " published");
    for (const TaskStatus& each : status.tasks) {
        if (!session.quiet && isBad(each.reported) && !each.log.empty()) {
            session.out.line("log " + visibleText(each.log.string()));
        }
    }
    if (!session.quiet && status.last && isBad(*status.last)) {
        session.out.line("log " + visibleText(status.lastLog.string()));
    }
}

} // namespace

void printSubmitted(const Submitted& submitted, const ArrayPlan& plan, bool dryRun,
                    Session& session) {
    if (session.json) {
        writeSubmitted(submitted, plan, dryRun, session);
        return;
    }
    const Submission& submission = submitted.submission;
    if (dryRun && submission.scheduler == Scheduler::Kubernetes) {
        session.out.write(submitted.calls.front().input); // for kubectl's standard input
        return;
    }
    if (dryRun) {
        for (const Submitted::Call& call : submitted.calls) {
            session.out.line("# " + shellCommand(call.words) + " <<'SCRIPT'");
            session.out.write(call.input);
            session.out.line("# SCRIPT");
        }
        return;
    }
    session.out.line(submission.id);
    if (session.quiet) {
        return;
    }
    const auto [least, largest] = std::ranges::minmax_element(plan.taskBytes);
    session.out.line(
        counted(plan.job.tasks(), "task") + " of " +
        (*least == *largest ? formatBytes(*least)
                            : formatBytes(*least) + " to " + formatBytes(*largest)) +
        (submission.last.empty() ? "" : "; job " + submission.last + " verifies and publishes"));
    for (const SkippedCheckpoint& skipped : plan.skipped) {
        session.out.line("skipped " + visibleText(skipped.path.string()) + ": " +
                         visibleText(skipped.why.text()));
    }
    session.out.line("cairn-cli job status " + submission.id);
}

Result<int> statusOfArray(const std::string& id, Session& session) {
    CAIRN_TRY(const Submission submission, SubmissionRegistry().find(id));
    CAIRN_TRY(const ArrayStatus status, arrayStatus(submission, session.cancel));
    if (session.json) {
        writeStatus(status, session);
    } else {
        printStatus(status, session);
    }
    return status.hasFailed() ? kExitDiffers : kExitOk;
}

Result<int> cancelOfArray(const std::string& id, Session& session) {
    CAIRN_TRY(const Submission submission, SubmissionRegistry().find(id));
    CAIRN_CHECK(cancelArray(submission, session.cancel));
    if (session.json) {
        JsonDocument document(session.out);
        document->member("id", submission.id);
        document->member("cancelled", true);
        document.finish();
    } else if (!session.quiet) {
        session.out.line("Cancelled. What is written is kept: `cairn-cli job list` shows it, and "
                         "submitting the job again continues it.");
    }
    return kExitOk;
}

} // namespace cairn::cli
