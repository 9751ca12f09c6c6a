// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/request_options.h"
#include "core/base/visible_text.h"
#include "core/jobs/prepare/precision_preview.h"
#include "core/jobs/request/run_request.h"

#include <charconv>
#include <optional>

namespace cairn::cli::verb_plan {
namespace {

/// The number of parts into which a job is divided.
Result<std::size_t> partCount(std::string_view text) {
    constexpr std::size_t kMost = 100'000;
    std::size_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || count < 1 ||
        count > kMost) {
        return fail(ErrorCode::InvalidArgument, "Invalid number of parts")
            .inField("--parts")
            .butFound(verbatim(std::string(text)))
            .expecting(sentence("1 to %1", kMost));
    }
    return count;
}

Result<JobKind> kindOf(const std::string& job) {
    if (const auto kind = jobKindOf(job)) {
        return *kind;
    }
    return fail(ErrorCode::InvalidArgument, "No such job")
        .butFound(verbatim(job))
        .expecting("consolidate, fold, convert, reshard, export, cast, rename, average, pack or "
                   "unpack");
}

Result<int> run(const Arguments& arguments, Session& session) {
    if (!arguments.has("output")) {
        return fail(ErrorCode::InvalidArgument, "No output was specified").withHint("Use -o OUT");
    }
    CAIRN_TRY(const JobKind kind, kindOf(arguments.at(0)));
    CAIRN_TRY(const JobRequest request, requestOf(kind, arguments, 1));
    std::size_t parts = 1;
    if (const auto text = arguments.text("parts")) {
        CAIRN_TRY(parts, partCount(*text));
    }
    CAIRN_TRY(const OpenedRequest opened, openRequest(request, session.cancel));
    CAIRN_TRY(const PlannedJob planned, planRequest(opened, session.cancel));
    std::optional<PrecisionPreview> precision;
    if (planned.plan.precision) {
        CAIRN_TRY(precision, previewPrecision(planned.plan, session.cancel));
    }
    printPlan(planned, request, session, parts, precision ? &*precision : nullptr);
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"JOB", "consolidate, fold, convert, reshard, export, cast, rename, average, pack or unpack"},
    {"SRC", "A checkpoint, or a part of it: PATH#subtree; several for average", Words::OneOrMore},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"plan",
                 "Forecast a job: bytes, memory, time, problems; nothing is written",
                 kPositionals,
                 planOptions(),
                 {"cairn-cli plan consolidate step-400 -o model.safetensors",
                  "cairn-cli plan consolidate step-300 -o out.pt --to torch --json",
                  "cairn-cli plan export step-400 --tensor lm_head.weight -o lm_head.npy"},
                 run};

} // namespace cairn::cli::verb_plan
