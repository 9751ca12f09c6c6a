// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_document.h"

#include "app/cli/request_options.h"
#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/jobs/cluster/array_job.h"
#include "core/plan/request_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace cairn::cli {
namespace {

constexpr std::uint64_t kMaxPlan = std::uint64_t{256} << 20U;

std::optional<std::size_t> numberOf(std::string_view text) {
    std::size_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()
               ? std::optional(value)
               : std::nullopt;
}

constexpr char kArrayHint[] =
    "N is the number of parts of the job, the same in every call; in an array that is submitted "
    "again for some tasks (--array=2,4), SLURM_ARRAY_TASK_COUNT counts only these";

/// "3/8"; "3" if the plan records the number of parts.
Result<JobPart> partOf(const std::string& text, std::size_t planned) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const bool divided = slash < text.size();
    const auto index = numberOf(std::string_view(text).substr(0, slash));
    const auto count =
        divided ? numberOf(std::string_view(text).substr(slash + 1)) : std::optional(planned);
    if (!index || !count || *index < 1 || *count < 1 || *count > 100'000 ||
        (!divided && planned == 1)) {
        return fail(ErrorCode::InvalidArgument, "Invalid part of a job")
            .inField("--part")
            .butFound(verbatim(text))
            .expecting("1/8, 2/8, … 8/8");
    }
    if (planned != 1 && *count != planned) {
        return fail(ErrorCode::InvalidArgument, "The plan has a different number of parts")
            .inField("--part")
            .butFound(verbatim(std::to_string(*count)))
            .expecting(verbatim(std::to_string(planned)))
            .withHint(kArrayHint);
    }
    if (*index > *count) {
        return fail(ErrorCode::InvalidArgument, "The part's number exceeds the number of parts")
            .inField("--part")
            .butFound(verbatim(text))
            .expecting(sentence("1/%1 to %2/%3", *count, *count, *count))
            .withHint(kArrayHint);
    }
    return JobPart{*index, *count};
}

/// A task of an array whose highest number exceeds the number of parts: the number was taken from
/// the size of this submission.
Result<void> checkArray(JobPart part) {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        return text != nullptr ? numberOf(text) : std::nullopt;
    };
    if (variable("SLURM_ARRAY_TASK_ID") == part.index &&
        variable("SLURM_ARRAY_TASK_COUNT") == part.count &&
        variable("SLURM_ARRAY_TASK_MAX").value_or(0) > part.count) {
        return fail(ErrorCode::InvalidArgument, "The number of parts is that of this submission")
            .inField("--part")
            .butFound(verbatim(std::to_string(part.count)))
            .expecting(sentence("at least %1, the highest task", *variable("SLURM_ARRAY_TASK_MAX")))
            .withHint(kArrayHint);
    }
    return {};
}

/// The plan of a file, or of standard input.
Result<ArrayJob> readDocument(const std::string& name) {
    if (name == "-") {
        std::string text;
        std::array<char, 65536> buffer{};
        while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
            text.append(buffer.data(), got);
            if (text.size() > kMaxPlan) {
                break;
            }
        }
        return parseArrayJob(text.size() > kMaxPlan ? std::string() : text, name);
    }
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(name, error);
    CAIRN_TRY(const FolderPtr folder, Folder::open(path.parent_path()));
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(path.filename().string()));
    if (source->size() > kMaxPlan) {
        return parseArrayJob({}, name);
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(source->size()));
    CAIRN_CHECK(source->readAt(0, bytes));
    return parseArrayJob(asText(bytes), name);
}

/// The number of a task; `index`: the completion index of Kubernetes, which counts from 0.
Result<std::size_t> taskNumber(const std::string& text, const ArrayJob& job) {
    const char* index = std::getenv("JOB_COMPLETION_INDEX");
    const auto counted = index != nullptr ? numberOf(index) : std::nullopt;
    const bool fromIndex = text == "index";
    const auto number = !fromIndex ? numberOf(text)
                        : counted  ? std::optional(*counted + 1)
                                   : std::nullopt;
    if (!number || *number < 1 || *number > job.tasks()) {
        return fail(ErrorCode::InvalidArgument, "Invalid task of an array")
            .inField("--task")
            .butFound(fromIndex && counted ? verbatim(index) : verbatim(text))
            .expecting(fromIndex && !counted
                           ? Sentence("a number in the variable JOB_COMPLETION_INDEX")
                           : sentence("1 to %1, or last", job.tasks()));
    }
    return *number;
}

Result<int> runItem(const ArrayJob::Item& item, JobPart part, Session& session) {
    CAIRN_TRY(JobRequest request, requestOfWords(item.command));
    request.part = part;
    return runRequestVerb(request, item.digest, session);
}

/// Publishes what the parts of all jobs of an array have written. All are tried; the first error is
/// reported.
Result<int> runLastStep(const ArrayJob& job, Session& session) {
    if (job.parts < 2 || (session.json && job.items.size() > 1)) {
        return fail(ErrorCode::InvalidArgument,
                    job.parts < 2 ? Sentence("Jobs in one part have no last step")
                                  : Sentence("The document contains several jobs"))
            .inField("--task");
    }
    std::optional<Error> first;
    int code = kExitOk;
    for (const ArrayJob::Item& item : job.items) {
        Result<int> done = runItem(item, {JobPart::kLastStep, job.parts}, session);
        if (!done && first) {
            session.message(describe(done.error()));
        } else if (!done) {
            first = std::move(done).error();
        } else {
            code = std::max(code, *done);
        }
    }
    return first ? Result<int>(std::move(*first)) : code;
}

} // namespace

Result<int> runJobDocument(const Arguments& arguments, Session& session) {
    if (!arguments.positionals.at(1)) {
        return fail(ErrorCode::InvalidArgument, "No plan was specified")
            .withHint("`cairn-cli plan consolidate … --json > plan.json` writes one");
    }
    CAIRN_TRY(const ArrayJob job, readDocument(arguments.at(1)));
    if (const auto task = arguments.text("task")) {
        if (*task == "last") {
            return runLastStep(job, session);
        }
        CAIRN_TRY(const std::size_t number, taskNumber(*task, job));
        const ArrayTask does = taskOf(job, number);
        return runItem(job.items[does.item], does.part, session);
    }
    if (job.items.size() > 1) {
        return fail(ErrorCode::InvalidArgument, "The document contains several jobs")
            .inFile(arguments.at(1))
            .withHint("Use --task with the number of one");
    }
    JobPart part;
    if (const auto text = arguments.text("part")) {
        CAIRN_TRY(part, partOf(*text, job.parts));
        CAIRN_CHECK(checkArray(part));
    }
    return runItem(job.items.front(), part, session);
}

} // namespace cairn::cli
