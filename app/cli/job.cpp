// SPDX-License-Identifier: Apache-2.0
#include "app/cli/array_output.h"
#include "app/cli/job_document.h"
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/request_options.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/jobs/queue/job_recovery.h"
#include "core/jobs/queue/listed_run.h"
#include "core/plan/request_words.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace cairn::cli::verb_job {
namespace {

std::string_view stateOf(const StartedJob& job) {
    return job.command.empty() ? "unrecorded"
           : job.running       ? "running"
           : job.part.whole()  ? "interrupted"
                               : "waiting";
}

/// The user's jobs, or the unrecorded jobs in a folder.
Result<std::vector<ListedJob>> jobsIn(const std::optional<std::string>& folder) {
    if (!folder) {
        return listedJobs();
    }
    std::vector<ListedJob> all;
    CAIRN_TRY(std::vector<StartedJob> jobs, unrecordedJobs(*folder));
    for (StartedJob& job : jobs) {
        all.push_back(inspectJob(std::move(job)));
    }
    return all;
}

Result<int> list(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const std::vector<ListedJob> all, jobsIn(arguments.positionals.at(1)));
    if (session.json) {
        JsonDocument document(session.out);
        document->key("jobs");
        document->beginArray();
        for (const ListedJob& each : all) {
            document->beginObject();
            document->member("id", each.job.id);
            document->member("state", stateOf(each.job));
            document->key("part");
            document->beginObject();
            document->member("index", each.job.part.index);
            document->member("count", each.job.part.count);
            document->endObject();
            document->member("began", each.job.began);
            document->member("output", each.job.output.string());
            document->member("left_bytes", each.leftBytes);
            document->member("written_bytes", each.written);
            document->member("bytes", each.job.bytes);
            document->key("left");
            document->beginArray();
            for (const std::filesystem::path& path : each.left) {
                document->string(path.string());
            }
            document->endArray();
            document->key("command");
            document->beginArray();
            for (const std::string& word : each.job.command) {
                document->string(word);
            }
            document->endArray();
            document->endObject();
        }
        document->endArray();
        document.finish();
        return kExitOk;
    }
    TextTable table({{"JOB"}, {"STATE"}, {"PART"}, {"SPACE", Align::Right}, {"OUTPUT"}});
    for (const ListedJob& each : all) {
        const std::string part =
            std::to_string(each.job.part.index) + "/" + std::to_string(each.job.part.count);
        table.add({each.job.id, std::string(stateOf(each.job)), each.job.part.whole() ? "" : part,
                   formatBytes(each.leftBytes), each.job.output.string()});
    }
    table.print(session);
    if (!session.quiet && all.empty()) {
        session.out.line("No running or interrupted jobs.");
    }
    return kExitOk;
}

/// The job that the arguments select; several parts of one job count as one.
Result<ListedJob> chosen(const Arguments& arguments) {
    const std::filesystem::path what = arguments.positionals.at(1).value_or("");
    const std::string leftover = jobIdIn(what.filename().string());
    std::vector<ListedJob> all = listedJobs();
    std::string id = what.string(); // empty: there must be exactly one job
    if (!leftover.empty()) {
        CAIRN_TRY(auto others, jobsIn(what.has_parent_path() ? what.parent_path().string() : "."));
        std::ranges::move(others, std::back_inserter(all));
        id = leftover;
    }
    std::erase_if(all, [&](const ListedJob& each) { return !each.job.id.starts_with(id); });
    if (all.empty()) {
        return fail(ErrorCode::NotFound, "No such job")
            .butFound(id.empty() ? Sentence("no interrupted job") : verbatim(id))
            .withHint("`cairn-cli job list` shows them");
    }
    const bool several = std::ranges::any_of(
        all, [&](const ListedJob& each) { return each.job.id != all.front().job.id; });
    if (several) {
        return fail(ErrorCode::InvalidArgument, "Ambiguous job name")
            .butFound(sentence("%1 jobs", all.size()))
            .withHint("`cairn-cli job list` shows their names");
    }
    if (std::ranges::any_of(all, [](const ListedJob& each) { return each.job.running; })) {
        return fail(ErrorCode::JobIsRunning, "This job is running")
            .butFound(verbatim(all.front().job.id));
    }
    return std::move(all.front());
}

Result<int> clean(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const ListedJob listed, chosen(arguments));
    const bool apply = arguments.has("apply");
    if (apply) {
        RealFileOps fileOps;
        CAIRN_CHECK(cleanUp(fileOps, listed.job));
        JobRegistry().removeAll(fileOps, listed.job.id);
    }
    if (session.json) {
        JsonDocument document(session.out);
        document->member("id", listed.job.id);
        document->member("applied", apply);
        document->key("remove");
        document->beginArray();
        for (const std::filesystem::path& path : listed.left) {
            document->string(path.string());
        }
        document->endArray();
        document->member("freed_bytes", listed.leftBytes);
        document.finish();
        return kExitOk;
    }
    for (const std::filesystem::path& path : listed.left) {
        session.out.line((apply ? "removed " : "remove  ") + visibleText(path.string()));
    }
    if (!session.quiet) {
        session.out.line(
            formatBytes(listed.leftBytes) +
            (apply ? " freed" : " would be freed; nothing was removed. Use --apply to remove."));
    }
    return kExitOk;
}

Result<int> run(const Arguments& arguments, Session& session) {
    const std::string& action = arguments.at(0);
    if (action == "list") {
        return list(arguments, session);
    }
    if (action == "clean") {
        return clean(arguments, session);
    }
    if (action == "status") {
        return statusOfArray(arguments.positionals.at(1).value_or(""), session);
    }
    if (action == "cancel") {
        return cancelOfArray(arguments.positionals.at(1).value_or(""), session);
    }
    if (action == "resume") {
        CAIRN_TRY(const ListedJob listed, chosen(arguments));
        if (listed.job.command.empty()) {
            return fail(ErrorCode::InvalidArgument, "The command of this job was not recorded")
                .inFile(listed.job.staged.string())
                .withHint("Run the same command again; it resumes the job");
        }
        CAIRN_TRY(JobRequest request, requestOfWords(listed.job.command));
        request.part = listed.job.part;
        return runRequestVerb(request, listed.job.digest, session);
    }
    if (action != "run") {
        return fail(ErrorCode::InvalidArgument, "Unknown job action")
            .butFound(verbatim(action))
            .expecting("run, list, resume, clean, status or cancel");
    }
    return runJobDocument(arguments, session);
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"ACTION", "run, list, resume, clean, status or cancel"},
    {"WHAT",
     "run: a file written by `plan --json`, or - for standard input. status, cancel: the id that "
     "`submit` printed. list: a folder to search for leftovers of jobs without "
     "a record. resume, clean: a job's name, a prefix of it, or such a leftover; optional if there "
     "is only one",
     Words::OneOrNone},
});
constexpr auto kOptions = std::to_array<Option>({
    {"--part", "I/N",
     "run: only the I-th of N parts (I, if the plan records N: `plan --parts`); the part that "
     "finishes last publishes the output"},
    {"--task", "I",
     "run: the I-th task of an array, as in the scripts of `submit`; last: publish what all tasks "
     "have written; index: the task of JOB_COMPLETION_INDEX, which counts from 0"},
    {"--apply", "", "clean: remove; without this option, list what would be removed"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"job",
                 "Run a plan or a part of it; list, resume or remove interrupted jobs; follow "
                 "submitted ones",
                 kPositionals,
                 kOptions,
                 {"cairn-cli job run plan.json --part 3/8", "cairn-cli job resume",
                  "cairn-cli job clean 5e8f --apply"},
                 run};

} // namespace cairn::cli::verb_job
