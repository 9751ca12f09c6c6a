// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_fold {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    return runConversion(arguments, session, foldOptions);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"BASE", "The model that the adapters were trained on"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), kAdapterOption, kRoundChangesOption, kToOption, kDtypeOption,
     kKeepFp32Option, kShardOption, kNamesOption, kFamilyOption, kLikeOption, kSignOption,
     kSignCertOption, kProvenanceOption, kBomOption, kRequireOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "fold",
    "Write a model with its adapters (PEFT's LoRA) folded into the weights, verified",
    kPositionals,
    kOptions,
    {"cairn-cli fold llama-3.2-1b --adapter my-lora -o deploy",
     "cairn-cli fold base --adapter sft --adapter dpo=0.5 -o deploy --max-shard-size 5GB",
     "cairn-cli fold base --adapter my-lora -o model.gguf --dtype q8_0"},
    run};

} // namespace cairn::cli::verb_fold
