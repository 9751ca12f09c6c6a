// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verbs.h"
#include "core/jobs/prepare.h"

namespace cairn::cli {
namespace {

constexpr Option required(Option option) {
    option.required = true;
    return option;
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const ConsolidateOptions options, conversionOptions(arguments, source, "rename"));
    CAIRN_TRY(const CopyPlan plan, prepareConsolidate(source.checkpoint, options, session.cancel));
    return runPlanned(plan, session);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions =
    std::to_array<Option>({required(kOutputOption), required(kRenameOption), kDtypeOption,
                           kKeepFp32Option, kCastAllOption, kDequantizeOption, kToOption,
                           kOnlyOption, kShardOption, kDeviceOption, kForceOption});

} // namespace

const Verb kRenameVerb{
    "rename",
    "Write the same checkpoint with other names, verified",
    kPositionals,
    kOptions,
    {"cairn-cli rename ckpt.pt -o plain.pt --rename strip-wrappers",
     "cairn-cli rename a.safetensors -o b.safetensors --rename '^layers\\.(\\d+)=h.$1'",
     "cairn-cli rename step-400 -o out.safetensors --to safetensors --rename rules.txt --json"},
    run};

} // namespace cairn::cli
