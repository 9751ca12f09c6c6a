// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_convert {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    return runConversion(arguments, session, convertOptions);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), required(kNamesOption), kLikeOption, kFamilyOption, kToOption,
     kShardOption, kDeviceOption, kSignOption, kSignCertOption, kProvenanceOption, kBomOption,
     kRequireOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "convert",
    "Write a model under the names of a different framework, verified",
    kPositionals,
    kOptions,
    {"cairn-cli convert megatron/iter_0000500 -o deploy --names hf --like Llama-3.1-8B",
     "cairn-cli convert Llama-3.1-8B -o meta --names native --to torch",
     "cairn-cli convert Qwen3-8B -o start --names megatron --to dcp --json"},
    run};

} // namespace cairn::cli::verb_convert
