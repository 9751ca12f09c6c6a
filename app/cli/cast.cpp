// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_cast {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    const auto options = [](const Arguments& given, const Opened& source) {
        return conversionOptions(given, source, "cast");
    };
    return runConversion(arguments, session, options);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), required(kDtypeOption), kKeepFp32Option, kCastAllOption,
     kDequantizeOption, kToOption, kOnlyOption, kStripOption, kRenameOption, kShardOption,
     kDeviceOption, kSignOption, kSignCertOption, kProvenanceOption, kBomOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "cast",
    "Write the same checkpoint with its floats cast to a different dtype, verified",
    kPositionals,
    kOptions,
    {"cairn-cli cast model.safetensors -o model-bf16.safetensors --dtype bf16",
     "cairn-cli cast ckpt.pt -o half.pt --dtype fp16 --keep-fp32 '*lm_head*' --json",
     "cairn-cli cast deepseek -o deepseek-bf16/ --dtype bf16 --dequantize --max-shard-size 5GB"},
    run};

} // namespace cairn::cli::verb_cast
