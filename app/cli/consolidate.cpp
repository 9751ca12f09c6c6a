// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_consolidate {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    return runConversion(arguments, session, consolidateOptions);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), kToOption,      kOnlyOption,       kStripOption,  kDtypeOption,
     kKeepFp32Option,         kCastAllOption, kDequantizeOption, kRenameOption, kShardOption,
     kBundleOption,           kNamesOption,   kLikeOption,       kFamilyOption, kAdapterOption,
     kRoundChangesOption,     kRequireOption, kDeviceOption,     kSignOption,   kSignCertOption,
     kProvenanceOption,       kBomOption,     kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "consolidate",
    "Write one deployable checkpoint, verified",
    kPositionals,
    kOptions,
    {"cairn-cli consolidate step-400 -o model.safetensors",
     "cairn-cli consolidate step-400 -o deploy --bundle --max-shard-size 5GB",
     "cairn-cli consolidate step-400 -o all.pt --to torch --strip optimizer,rng --json"},
    run};

} // namespace cairn::cli::verb_consolidate
