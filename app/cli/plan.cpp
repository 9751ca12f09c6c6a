// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/request_options.h"
#include "core/base/visible_text.h"
#include "core/jobs/prepare/precision_preview.h"
#include "core/jobs/request/run_request.h"

#include <optional>

namespace cairn::cli::verb_plan {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    if (!arguments.has("output")) {
        return fail(ErrorCode::InvalidArgument, "No output was specified").withHint("Use -o OUT");
    }
    CAIRN_TRY(const JobKind kind, jobKindNamed(arguments.at(0)));
    CAIRN_TRY(const JobRequest request, requestOf(kind, arguments, 1));
    CAIRN_TRY(const std::size_t parts, partsOption(arguments));
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
