// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"
#include "core/jobs/prepare/prepare.h"

namespace cairn::cli::verb_average {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const AverageJob job, averageJob(arguments, 0, session));
    CAIRN_TRY(const CopyPlan plan, prepareConsolidate(job.source, job.options, session.cancel));
    return runPlanned(plan, session);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "Two or more checkpoints", Words::OneOrMore}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), kWeightsOption, kToOption, kOnlyOption, kStripOption, kDtypeOption,
     kKeepFp32Option, kCastAllOption, kRenameOption, kShardOption, kBundleOption, kNamesOption,
     kFamilyOption, kLikeOption, kDeviceOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"average",
                 "Write the mean of several checkpoints of one model, verified",
                 kPositionals,
                 kOptions,
                 {"cairn-cli average step-300 step-350 step-400 -o swa.safetensors",
                  "cairn-cli average a.pt b.pt c.pt -o mean.safetensors --weights 0.5,0.3,0.2",
                  "cairn-cli average step-300 step-400 -o deploy/ --bundle --dtype bf16 --json"},
                 run};

} // namespace cairn::cli::verb_average
